import { Anchor, DataList, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import { causeText } from '../../../lib/gateway/causes.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { Section } from '../components/Section.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { integrationQuery } from '../connect/integrationQueries.ts';
import { DeliveryState } from '../deliveries/DeliveryList.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { Notices } from './Notices.tsx';

/** How the company is connected, and what asks for attention. */
export function OverviewPage() {
  const { t } = useTranslation();
  const overview = useQuery(integrationQuery);
  return (
    <Page title={t('admin.pages.overview')} actions={<ReloadButton query={overview} />}>
      <Loaded query={overview}>
        {(data) => (
          <>
            <Notices notices={data.status.notices} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <ConnectionStatus overview={data} />
              {data.status.webhook !== null && <WebhookCondition webhook={data.status.webhook} url={data.integration.webhook_url} />}
              <LastDelivery delivery={data.status.last_delivery} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Props = { delivery: IntegrationOverview['status']['last_delivery'] };

/** What became of the webhook that was sent last. */
function LastDelivery({ delivery }: Props) {
  const { t } = useTranslation();
  return (
    <Section title={t('admin.overview.last.title')} {...(delivery === null ? {} : { actions: <DeliveryState state={delivery.state} /> })}>
      {delivery === null ? (
        <Text size="sm" c="dimmed">
          {t('admin.overview.last.none')}
        </Text>
      ) : (
        <>
          <Group gap="md">
            <Text size="sm" ff="monospace">
              {delivery.event}
            </Text>
            <Text size="sm">
              <Moment at={delivery.at} />
            </Text>
            {delivery.status_code !== null && <Text size="sm">{t('admin.overview.last.answer', { status: String(delivery.status_code) })}</Text>}
          </Group>
          {delivery.error !== null && <Text size="sm">{causeText(t, delivery.error_cause, delivery.error)}</Text>}
          <Anchor component={Link} to={`/deliveries?delivery=${delivery.id}`} size="sm" underline="always">
            {t('admin.overview.last.more')}
          </Anchor>
        </>
      )}
    </Section>
  );
}

const colors = { healthy: 'teal', failing: 'orange', paused: 'red', disabled: 'red' } as const;

type WebhookConditionProps = { webhook: WebhookStatus; url: string | null };

/** How the webhook endpoint does. */
function WebhookCondition({ webhook, url }: WebhookConditionProps) {
  const { t } = useTranslation();
  const facts: [string, React.ReactNode][] = [[t('admin.overview.webhook.url'), url]];
  if (webhook.consecutive_failures > 0) facts.push([t('admin.overview.webhook.failures'), webhook.consecutive_failures]);
  if (webhook.failing_since !== null) facts.push([t('admin.overview.webhook.failingSince'), <Moment key="failing" at={webhook.failing_since} />]);
  if (webhook.paused_until !== null) facts.push([t('admin.overview.webhook.pausedUntil'), <Moment key="paused" at={webhook.paused_until} />]);
  if (webhook.disabled_at !== null) facts.push([t('admin.overview.webhook.disabled'), <Moment key="disabled" at={webhook.disabled_at} />]);
  if (webhook.disabled_reason !== null) facts.push([t('admin.overview.webhook.because'), t(`admin.overview.disabledBecause.${webhook.disabled_reason}`)]);
  return (
    <Section title={t('admin.overview.webhook.title')} actions={<StateBadge color={colors[webhook.condition]}>{t(`admin.overview.condition.${webhook.condition}`)}</StateBadge>}>
      <DataList labelWidth="120px" gap="xs">
        {facts.map(([name, fact]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{fact}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <Anchor component={Link} to="/connect" size="sm" underline="always">
        {t('admin.overview.webhook.settings')}
      </Anchor>
    </Section>
  );
}
