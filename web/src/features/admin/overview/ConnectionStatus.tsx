import { Anchor, DataList, Group, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Trans, useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { connectorNote, crmNote, partnerName, unconnected } from '../connect/integrationQueries.ts';

/** Whether a CRM is connected, with whom nothing is exchanged though it is chosen, and what is still missing. */
export function ConnectionStatus({ overview }: { overview: IntegrationOverview }) {
  const { t } = useTranslation();
  const { integration, status, providers, cti_connectors: connectors } = overview;
  // Without a URL there is nothing to sign.
  const missing = status.missing.filter((piece) => piece !== 'webhook_secret' || integration.webhook_url !== null);
  return (
    <Section title={t('admin.pages.connect')} actions={<Badge overview={overview} />}>
      {status.connected ? (
        <DataList labelWidth="120px" gap="xs">
          <Item label={t('admin.overview.reads.crm')}>
            <Partner
              chosen={providers.find(({ id }) => id === integration.crm_provider)}
              note={crmNote(t, overview, integration.crm_provider)}
            />
            {integration.crm_provider !== null && (
              <Anchor component={Link} to="/connect/crm" size="sm" underline="always">
                {t(
                  status.crm.connection === 'not_connected'
                    ? 'admin.overview.connectCrm'
                    : 'admin.overview.crmSettings',
                )}
              </Anchor>
            )}
          </Item>
          <Item label={t('admin.overview.reads.connector')}>
            <Partner
              chosen={connectors.find(({ id }) => id === integration.cti_connector)}
              note={connectorNote(t, overview, integration.cti_connector)}
            />
          </Item>
          <Item label={t('admin.overview.reads.key')}>
            {integration.api_key_prefix === null ? t('admin.overview.noKey') : `${integration.api_key_prefix}…`}
          </Item>
          {integration.connected_at !== null && (
            <Item label={t('admin.overview.reads.since')}>
              <Moment at={integration.connected_at} />
            </Item>
          )}
        </DataList>
      ) : (
        <Text size="sm">
          <Trans
            t={t}
            i18nKey="admin.overview.intro"
            components={{ connect: <Anchor component={Link} to="/connect" underline="always" /> }}
          />
        </Text>
      )}
      {status.connected && missing.length > 0 && (
        <List size="sm" aria-label={t('admin.overview.missing.label')} spacing={4}>
          {missing.map((piece) => (
            <List.Item key={piece}>
              <Group gap={6}>
                {t(`admin.overview.missing.${piece}.text`)}
                <Anchor component={Link} to="/connect" size="sm" underline="always">
                  {t(`admin.overview.missing.${piece}.link`)}
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
  const { t } = useTranslation();
  const [one, other] = unconnected(t, overview);
  if (!overview.status.connected) return <StateBadge color="gray">{t('admin.overview.notConnected')}</StateBadge>;
  if (one === undefined) return <StateBadge color="teal">{t('admin.overview.connected')}</StateBadge>;
  return (
    <StateBadge color="orange">
      {other === undefined
        ? t('admin.overview.unconnected', { one: one.name })
        : t('admin.overview.unconnectedBoth', { one: one.name, other: other.name })}
    </StateBadge>
  );
}

function Partner({ chosen, note }: { chosen: { id: string; name: string } | undefined; note: string | null }) {
  const { t } = useTranslation();
  return (
    <div>
      {chosen === undefined ? t('admin.overview.notChosen') : partnerName(t, chosen)}
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
