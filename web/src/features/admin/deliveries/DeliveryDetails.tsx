import { Accordion, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AttemptView, DeliveryDetail } from '../../../../../src/contract/deliveries.ts';
import { causeText } from '../../../lib/gateway/causeText.ts';
import { indented } from '../../../shared/indented.ts';
import { CodeSample } from '../components/Copyable.tsx';
import { Facts } from '../components/Facts.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { ReloadButton } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { useLast } from '../components/useAsked.ts';
import { DeliveryState } from './DeliveryList.tsx';
import { Exchange } from './Exchange.tsx';
import { deliveryQuery, useRedeliver } from './deliveryQueries.ts';

type Props = { delivery: DeliveryDetail; reload: { isFetching: boolean; refetch: () => unknown } };

/** A delivery, its body and each attempt, with the way to send it again. */
function DeliveryDetails({ delivery, reload }: Props) {
  const { t } = useTranslation();
  const redeliver = useRedeliver();
  const facts: [string, React.ReactNode][] = [
    [t('admin.deliveries.columns.target'), t(`admin.deliveries.target.${delivery.target}`)],
    [
      t('admin.deliveries.one.event'),
      <span key="event">
        <code>{delivery.event}</code> · {t(`admin.connect.events.${delivery.event}`)}
      </span>,
    ],
    [t('admin.deliveries.one.made'), <Moment key="made" at={delivery.created_at} />],
    [t('admin.deliveries.one.id'), <code key="id">{delivery.id}</code>],
  ];
  if (delivery.call_id !== null)
    facts.push([t('admin.deliveries.one.call'), <code key="call">{delivery.call_id}</code>]);
  if (delivery.sequence !== null)
    facts.push([t('admin.deliveries.one.sequence'), t('admin.deliveries.one.number', { number: delivery.sequence })]);
  if (delivery.next_attempt_at !== null)
    facts.push([t('admin.deliveries.one.nextAttempt'), <Moment key="next" at={delivery.next_attempt_at} />]);
  if (delivery.finished_at !== null)
    facts.push([t('admin.deliveries.one.finished'), <Moment key="finished" at={delivery.finished_at} />]);

  return (
    <Stack>
      <Group justify="space-between">
        <DeliveryState state={delivery.state} />
        <Group gap="xs">
          {delivery.event !== 'integration_test' && (
            <Button
              size="xs"
              leftSection={<IconSend size={14} />}
              loading={redeliver.isPending}
              onClick={() =>
                redeliver.run(delivery.id, { onSuccess: () => toast(t('admin.deliveries.one.sentAgain')) })
              }
            >
              {t('admin.deliveries.one.again')}
            </Button>
          )}
          <ReloadButton query={reload} />
        </Group>
      </Group>
      <Problem error={redeliver.error} />
      {delivery.last_error !== null && (
        <Text size="sm">{causeText(t, delivery.last_error_cause, delivery.last_error)}</Text>
      )}
      <Facts labelWidth="120px" gap={4} facts={facts} />
      <CodeSample
        title={t(delivery.target === 'crm' ? 'admin.deliveries.one.call_log' : 'admin.deliveries.one.body')}
        text={indented(delivery.raw_body)}
        raw={delivery.raw_body}
      />
      <Title order={3}>{t('admin.deliveries.one.attempts')}</Title>
      <Attempts log={delivery.log} />
    </Stack>
  );
}

type DeliveryDrawerProps = {
  /** Null: closed. */
  id: string | null;
  onClose: () => void;
};

/** One delivery beside the list. */
export function DeliveryDrawer({ id, onClose }: DeliveryDrawerProps) {
  const { t } = useTranslation();
  const shown = useLast(id);
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={640} title={t('admin.deliveries.one.title')}>
      {shown !== null && <OneDelivery key={shown} id={shown} />}
    </Drawer>
  );
}

function OneDelivery({ id }: { id: string }) {
  const delivery = useQuery(deliveryQuery(id));
  return <Loaded query={delivery}>{(data) => <DeliveryDetails delivery={data} reload={delivery} />}</Loaded>;
}

type AttemptsProps = { log: readonly AttemptView[] };

/** Each attempt, the latest first and open. */
function Attempts({ log }: AttemptsProps) {
  const { t } = useTranslation();
  if (log.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('admin.common.noneYet')}
      </Text>
    );
  }
  return (
    <Accordion variant="contained" defaultValue={placeOf(log.length - 1)} key={log.length}>
      {log
        .map((attempt, index) => ({ attempt, place: placeOf(index) }))
        .toReversed()
        .map(({ attempt, place }) => (
          <Accordion.Item key={place} value={place}>
            <Accordion.Control>
              <Group gap="sm" wrap="wrap">
                <Text size="sm" fw={600} c={attempt.error === null ? 'bright' : 'var(--mantine-color-error)'}>
                  {attempt.status_code ??
                    t(attempt.url === null ? 'admin.deliveries.one.notSent' : 'admin.deliveries.one.noAnswer')}
                </Text>
                <Text size="sm">
                  <Moment at={attempt.started_at} />
                </Text>
                <Text size="sm" c="dimmed">
                  {t('admin.deliveries.one.latency', { latency: attempt.latency_ms })}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {attempt.error !== null && attempt.status_code !== null && (
                <Text size="sm" mb="sm">
                  {causeText(t, attempt.error_cause, attempt.error)}
                </Text>
              )}
              <Exchange attempt={attempt} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
    </Accordion>
  );
}

/** Attempts are only added; their numbers begin anew when a delivery is sent again. */
function placeOf(index: number): string {
  return `attempt-${String(index + 1)}`;
}
