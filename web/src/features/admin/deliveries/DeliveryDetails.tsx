import { Button, DataList, Group, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { DeliveryDetail } from '../../../../../src/contract/deliveries.ts';
import { useRedeliver } from './deliveryQueries.ts';
import { CodeSample } from '../components/CodeSample.tsx';
import { Moment } from '../components/Moment.tsx';
import { Problem } from '../components/Problem.tsx';
import { ReloadButton } from '../components/ReloadButton.tsx';
import { toast } from '../components/toast.ts';
import { Attempts } from './Attempts.tsx';
import { DeliveryState } from './DeliveryState.tsx';
import { indented } from '../../../shared/indented.ts';

type Props = { delivery: DeliveryDetail; reload: { isFetching: boolean; refetch: () => unknown } };

/** A delivery, its body and each attempt, with the way to send it again. */
export function DeliveryDetails({ delivery, reload }: Props) {
  const redeliver = useRedeliver();
  const facts: [string, React.ReactNode][] = [
    ['Event', <code key="event">{delivery.event}</code>],
    ['Made', <Moment key="made" at={delivery.created_at} />],
    ['Delivery id', <code key="id">{delivery.id}</code>],
  ];
  if (delivery.call_id !== null) facts.push(['Call', <code key="call">{delivery.call_id}</code>]);
  if (delivery.sequence !== null) facts.push(['Event of the call', `number ${String(delivery.sequence)}`]);
  if (delivery.next_attempt_at !== null) facts.push(['Next attempt', <Moment key="next" at={delivery.next_attempt_at} />]);
  if (delivery.finished_at !== null) facts.push(['Finished', <Moment key="finished" at={delivery.finished_at} />]);

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
              onClick={() => redeliver.mutate(delivery.id, { onSuccess: () => toast('It is sent again now.') })}
            >
              Send again
            </Button>
          )}
          <ReloadButton query={reload} />
        </Group>
      </Group>
      <Problem error={redeliver.error} />
      {delivery.last_error !== null && <Text size="sm">{delivery.last_error}</Text>}
      <DataList labelWidth="120px" gap={4}>
        {facts.map(([name, fact]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{fact}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <CodeSample title="Body" text={indented(delivery.raw_body)} raw={delivery.raw_body} />
      <Title order={3}>Attempts</Title>
      <Attempts log={delivery.log} />
    </Stack>
  );
}
