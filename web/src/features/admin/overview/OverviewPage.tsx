import { Alert, Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import type { IntegrationOverview, Notice, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import { causeText } from '../../../lib/gateway/causeText.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Facts } from '../components/Facts.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Page, ReloadButton, Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { crmQuery } from '../crm/crmQueries.ts';
import { CrmTrouble } from '../crm/CrmTrouble.tsx';
import { integrationQuery } from '../connect/integrationQueries.ts';
import { DeliveryState } from '../deliveries/DeliveryList.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';

/** How the company is connected, and what asks for attention. */
export function OverviewPage() {
  const { t } = useTranslation();
  const overview = useQuery(integrationQuery);
  return (
    <Page title={t('admin.pages.overview')} actions={<ReloadButton query={overview} />}>
      <Loaded query={overview}>
        {(data) => (
          <>
            <CrmNotice overview={data} />
            <Notices notices={data.status.notices} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <ConnectionStatus overview={data} />
              {data.status.webhook !== null && (
                <WebhookCondition webhook={data.status.webhook} url={data.integration.webhook_url} />
              )}
              <LastDelivery delivery={data.status.last_delivery} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What keeps the connected CRM from being asked. */
function CrmNotice({ overview }: { overview: IntegrationOverview }) {
  const isConnected = overview.providers.some(
    ({ id, credentials }) => id === overview.integration.crm_provider && credentials !== null,
  );
  const crm = useQuery({ ...crmQuery, enabled: isConnected });
  const connection = crm.data?.connection ?? null;
  return connection === null ? null : <CrmTrouble connection={connection} isElsewhere />;
}

type Props = { delivery: IntegrationOverview['status']['last_delivery'] };

/** What became of the webhook that was sent last. */
function LastDelivery({ delivery }: Props) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('admin.overview.last.title')}
      {...(delivery === null ? {} : { actions: <DeliveryState state={delivery.state} /> })}
    >
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
            {delivery.status_code !== null && (
              <Text size="sm">{t('admin.overview.last.answer', { status: String(delivery.status_code) })}</Text>
            )}
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
  if (webhook.consecutive_failures > 0)
    facts.push([t('admin.overview.webhook.failures'), webhook.consecutive_failures]);
  if (webhook.failing_since !== null)
    facts.push([t('admin.overview.webhook.failingSince'), <Moment key="failing" at={webhook.failing_since} />]);
  if (webhook.paused_until !== null)
    facts.push([t('admin.overview.webhook.pausedUntil'), <Moment key="paused" at={webhook.paused_until} />]);
  if (webhook.disabled_at !== null)
    facts.push([t('admin.overview.webhook.disabled'), <Moment key="disabled" at={webhook.disabled_at} />]);
  if (webhook.disabled_reason !== null)
    facts.push([t('admin.overview.webhook.because'), t(`admin.overview.disabledBecause.${webhook.disabled_reason}`)]);
  return (
    <Section
      title={t('admin.overview.webhook.title')}
      actions={
        <StateBadge color={colors[webhook.condition]}>{t(`admin.overview.condition.${webhook.condition}`)}</StateBadge>
      }
    >
      <Facts labelWidth="120px" gap="xs" facts={facts} />
      <Anchor component={Link} to="/connect" size="sm" underline="always">
        {t('admin.overview.webhook.settings')}
      </Anchor>
    </Section>
  );
}

type Look = { color: string; icon: typeof IconBan; links: readonly ('toSettings' | 'toLog')[] };

const paths = { toSettings: '/connect', toLog: '/deliveries' } as const;

/** How each notice looks, and where it is put right. */
const looks: Record<Notice['code'], Look> = {
  webhook_disabled: { color: 'red', icon: IconBan, links: ['toSettings', 'toLog'] },
  webhook_paused: { color: 'red', icon: IconAlertTriangle, links: ['toLog', 'toSettings'] },
  webhook_failing: { color: 'orange', icon: IconAlertTriangle, links: ['toLog'] },
  webhook_secret_overlap: { color: 'blue', icon: IconInfoCircle, links: ['toSettings'] },
  webhook_unsigned: { color: 'orange', icon: IconAlertTriangle, links: ['toSettings'] },
};

type NoticesProps = { notices: readonly Notice[] };

/** What asks for attention, the most urgent first. */
function Notices({ notices }: NoticesProps) {
  const { t } = useTranslation();
  if (notices.length === 0) return null;
  return (
    <Stack component="section" aria-label={t('admin.notices.label')} gap="xs">
      {notices.map((notice) => (
        <OneNotice key={notice.code} notice={notice} />
      ))}
    </Stack>
  );
}

function OneNotice({ notice: { code, params, since } }: { notice: Notice }) {
  const format = useFormat();
  const { t } = useTranslation();
  const { color, icon: Icon, links } = looks[code];
  return (
    <Alert
      color={color}
      variant="light"
      icon={<Icon size={18} />}
      title={t(`admin.notices.${code}.title`)}
      role="note"
      p="sm"
    >
      <Text size="sm" maw="100ch">
        {t(`admin.notices.${code}.advice`)}
      </Text>
      <Group gap="md" mt={4}>
        {links.map((link) => (
          <Anchor key={link} component={Link} to={paths[link]} size="sm" underline="always" c="inherit">
            {t(`admin.notices.${link}`)}
          </Anchor>
        ))}
        {since !== null && <Text size="sm">{t('admin.notices.since', { time: format.exact(since) })}</Text>}
      </Group>
      {code !== 'webhook_unsigned' && params !== undefined && (
        <Text size="xs" maw="100ch" mt={4}>
          {t(`admin.notices.${code}.what`, {
            failures: params.failures ?? 0,
            reason: params.reason ?? '',
            until: params.until === undefined ? '' : format.exact(params.until),
            recoverSince: params.recover_since === undefined ? '' : format.exact(params.recover_since),
          })}
        </Text>
      )}
    </Alert>
  );
}
