import { Anchor, DataList, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IntegrationOverview, WebhookStatus } from '../../../../../src/contract/integrations.ts';
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
  const overview = useQuery(integrationQuery);
  return (
    <Page title="Overview" actions={<ReloadButton query={overview} />}>
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
  return (
    <Section title="Last delivery" {...(delivery === null ? {} : { actions: <DeliveryState state={delivery.state} /> })}>
      {delivery === null ? (
        <Text size="sm" c="dimmed">
          No webhook has been sent yet. Each call sends some once a webhook URL is set; a test sends one at once.
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
            {delivery.status_code !== null && <Text size="sm">Answer {delivery.status_code}</Text>}
          </Group>
          {delivery.error !== null && <Text size="sm">{delivery.error}</Text>}
          <Anchor component={Link} to={`/deliveries?delivery=${delivery.id}`} size="sm" underline="always">
            What was sent and what came back
          </Anchor>
        </>
      )}
    </Section>
  );
}

const looks: Record<WebhookStatus['condition'], { label: string; color: 'teal' | 'orange' | 'red' }> = {
  healthy: { label: 'Healthy', color: 'teal' },
  failing: { label: 'Failing', color: 'orange' },
  paused: { label: 'Paused', color: 'red' },
  disabled: { label: 'Disabled', color: 'red' },
};

const disabledBecause: Record<NonNullable<WebhookStatus['disabled_reason']>, string> = {
  gone: 'it answered 410 (Gone)',
  failing: 'nothing arrived for five days',
  admin: 'an admin disabled it',
};

type WebhookConditionProps = { webhook: WebhookStatus; url: string | null };

/** How the webhook endpoint does. */
function WebhookCondition({ webhook, url }: WebhookConditionProps) {
  const { label, color } = looks[webhook.condition];
  const facts: [string, React.ReactNode][] = [['URL', url]];
  if (webhook.consecutive_failures > 0) facts.push(['Failures in a row', webhook.consecutive_failures]);
  if (webhook.failing_since !== null) facts.push(['Failing since', <Moment key="failing" at={webhook.failing_since} />]);
  if (webhook.paused_until !== null) facts.push(['Paused until', <Moment key="paused" at={webhook.paused_until} />]);
  if (webhook.disabled_at !== null) facts.push(['Disabled', <Moment key="disabled" at={webhook.disabled_at} />]);
  if (webhook.disabled_reason !== null) facts.push(['Because', disabledBecause[webhook.disabled_reason]]);
  return (
    <Section title="Webhook" actions={<StateBadge color={color}>{label}</StateBadge>}>
      <DataList labelWidth="120px" gap="xs">
        {facts.map(([name, fact]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{fact}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <Anchor component={Link} to="/connect" size="sm" underline="always">
        Settings and test
      </Anchor>
    </Section>
  );
}
