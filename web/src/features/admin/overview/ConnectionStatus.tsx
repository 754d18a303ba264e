import { Anchor, DataList, Group, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Section.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { labelNote, unconnectedNames } from '../connect/integrationQueries.ts';

type Missing = IntegrationOverview['status']['missing'][number];

/** What each missing piece is for, and the step that brings it. */
const steps: Record<Missing, { text: string; link: string }> = {
  crm_provider: { text: 'No CRM is chosen.', link: 'Choose the CRM' },
  api_key: { text: 'There is no API key, so that the CRM cannot push customers or dial.', link: 'Get the key' },
  webhook_url: { text: 'There is no webhook URL, so that the CRM does not learn what became of calls.', link: 'Set the webhook URL' },
  webhook_secret: { text: 'Webhooks are not signed.', link: 'Create a webhook secret' },
};

type Partners = IntegrationOverview['providers'] | IntegrationOverview['cti_connectors'];

/** Whether a CRM is connected, with whom nothing is exchanged though it is chosen, and what is still missing. */
export function ConnectionStatus({ overview }: { overview: IntegrationOverview }) {
  const { integration, status, providers, cti_connectors: connectors } = overview;
  // Without a URL there is nothing to sign.
  const missing = status.missing.filter((piece) => piece !== 'webhook_secret' || integration.webhook_url !== null);
  return (
    <Section
      title="Connection"
      actions={<Badge overview={overview} />}
    >
      {status.connected ? (
        <DataList labelWidth="120px" gap="xs">
          <Item label="CRM">
            <Partner catalog={providers} id={integration.crm_provider} />
          </Item>
          <Item label="CTI connector">
            <Partner catalog={connectors} id={integration.cti_connector} />
          </Item>
          <Item label="API key">{integration.api_key_prefix === null ? 'none' : `${integration.api_key_prefix}…`}</Item>
          {integration.connected_at !== null && (
            <Item label="Since">
              <Moment at={integration.connected_at} />
            </Item>
          )}
        </DataList>
      ) : (
        <Text size="sm">
          Four short steps connect a CRM: choose it, say where webhooks go, take the key along, send a test.{' '}
          <Anchor component={Link} to="/connect" underline="always">
            Connect now
          </Anchor>
        </Text>
      )}
      {status.connected && missing.length > 0 && (
        <List size="sm" aria-label="Missing" spacing={4}>
          {missing.map((piece) => (
            <List.Item key={piece}>
              <Group gap={6}>
                {steps[piece].text}
                <Anchor component={Link} to="/connect" size="sm" underline="always">
                  {steps[piece].link}
                </Anchor>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

function Badge({ overview }: { overview: IntegrationOverview }) {
  const unconnected = unconnectedNames(overview);
  if (!overview.status.connected) return <StateBadge color="gray">Not connected</StateBadge>;
  if (unconnected.length === 0) return <StateBadge color="teal">Connected</StateBadge>;
  return <StateBadge color="orange">{`${unconnected.join(' and ')}: not connected`}</StateBadge>;
}

function Partner({ catalog, id }: { catalog: Partners; id: string | null }) {
  const note = labelNote(catalog, id);
  return (
    <div>
      {catalog.find((entry) => entry.id === id)?.name ?? 'not chosen'}
      {note !== null && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  );
}

function Item({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
