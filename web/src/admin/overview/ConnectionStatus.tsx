import { Anchor, DataList, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { IntegrationOverview, IntegrationView } from '../../../../src/contract/integrations.ts';
import { Moment } from '../parts/Moment.tsx';
import { Section } from '../parts/Section.tsx';
import { StateBadge } from '../parts/StateBadge.tsx';

type Missing = IntegrationOverview['status']['missing'][number];

/** What each missing piece is for, and the step that brings it. */
const steps: Record<Missing, { text: string; link: string }> = {
  crm_provider: { text: 'No CRM is chosen.', link: 'Choose the CRM' },
  api_key: { text: 'There is no API key, so that the CRM cannot push customers or dial.', link: 'Get the key' },
  webhook_url: { text: 'There is no webhook URL, so that the CRM does not learn what became of calls.', link: 'Set the webhook URL' },
  webhook_secret: { text: 'Webhooks are not signed.', link: 'Create a webhook secret' },
};

type Props = {
  integration: IntegrationView;
  status: IntegrationOverview['status'];
  providers: IntegrationOverview['providers'];
  connectors: IntegrationOverview['cti_connectors'];
};

/** Whether a CRM is connected, and what is still missing. */
export function ConnectionStatus({ integration, status, providers, connectors }: Props) {
  const nameIn = (catalog: readonly { id: string; name: string }[], id: string | null) =>
    catalog.find((entry) => entry.id === id)?.name ?? 'not chosen';
  // Without a URL there is nothing to sign.
  const missing = status.missing.filter((piece) => piece !== 'webhook_secret' || integration.webhook_url !== null);
  return (
    <Section
      title="Connection"
      actions={<StateBadge color={status.connected ? 'teal' : 'gray'}>{status.connected ? 'Connected' : 'Not connected'}</StateBadge>}
    >
      {status.connected ? (
        <DataList labelWidth="120px" gap="xs">
          <Item label="CRM">{nameIn(providers, integration.crm_provider)}</Item>
          <Item label="CTI connector">{nameIn(connectors, integration.cti_connector)}</Item>
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
          <Anchor component={Link} href="/connect" underline="always">
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
                <Anchor component={Link} href="/connect" size="sm" underline="always">
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

function Item({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
