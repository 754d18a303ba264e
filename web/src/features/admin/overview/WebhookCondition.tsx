import { Anchor, DataList } from '@mantine/core';
import { Link } from 'wouter';
import type { WebhookStatus } from '../../../../../src/contract/integrations.ts';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Section.tsx';
import { StateBadge } from '../components/StateBadge.tsx';

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

type Props = { webhook: WebhookStatus; url: string | null };

/** How the webhook endpoint does. */
export function WebhookCondition({ webhook, url }: Props) {
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
      <Anchor component={Link} href="/connect" size="sm" underline="always">
        Settings and test
      </Anchor>
    </Section>
  );
}
