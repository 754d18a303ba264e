import { Button, Center, EmptyState, Table, UnstyledButton } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { DeliveryView } from '../../../../../src/contract/deliveries.ts';
import type { DeliveryState as State } from '../../../../../src/contract/vocabulary.ts';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import classes from '../components/rows.module.css';

const fields = ['event', 'state', 'call_id', 'since', 'until'];

type Props = {
  log: UseInfiniteQueryResult<InfiniteData<{ deliveries: DeliveryView[] }>>;
  isFiltered: boolean;
  onOpen: (id: string) => void;
};

/** The deliveries that were read so far, with the way to older ones. */
export function DeliveryList({ log, isFiltered, onOpen }: Props) {
  if (log.isPending) return <Waiting />;
  if (log.data === undefined) return <Problem error={log.error} fields={fields} />;
  const deliveries = log.data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={<IconInbox />}
        title={isFiltered ? 'No delivery fits' : 'Nothing has been sent yet'}
        description={
          isFiltered
            ? 'Finished deliveries are kept for 30 days. Widen the filters, or show all.'
            : 'Each call sends webhooks once a webhook URL is set; a test on the page “Connection” sends one at once.'
        }
      />
    );
  }
  return (
    <>
      <Problem error={log.error} fields={fields} />
      <DeliveryTable deliveries={deliveries} onOpen={onOpen} />
      {log.hasNextPage && (
        <Center>
          <Button variant="default" size="xs" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older
          </Button>
        </Center>
      )}
    </>
  );
}

type DeliveryTableProps = { deliveries: readonly DeliveryView[]; onOpen: (id: string) => void };

/** One line per delivery; the whole line opens it, its time for the keyboard. */
function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table highlightOnHover verticalSpacing={4} fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Made</Table.Th>
            <Table.Th>Event</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Call</Table.Th>
            <Table.Th ta="right">Attempts</Table.Th>
            <Table.Th>Last answer</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Table.Tr key={delivery.id} className={classes.row ?? ''} onClick={() => onOpen(delivery.id)}>
              <Table.Td className={classes.nowrap ?? ''}>
                <UnstyledButton fz="sm" className={classes.open ?? ''} aria-haspopup="dialog">
                  <Moment at={delivery.created_at} />
                </UnstyledButton>
              </Table.Td>
              <Table.Td ff="monospace">{delivery.event}</Table.Td>
              <Table.Td>
                <DeliveryState state={delivery.state} />
              </Table.Td>
              <Table.Td ff="monospace" className={classes.nowrap ?? ''} title={delivery.call_id ?? undefined}>
                {delivery.call_id === null ? '–' : `${shortId(delivery.call_id)} #${String(delivery.sequence ?? '')}`}
              </Table.Td>
              <Table.Td ta="right">{delivery.attempts}</Table.Td>
              <Table.Td>{lastAnswer(delivery)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Ids begin with their time, so that the end tells calls of one hour apart. */
function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}

function lastAnswer({ last_status_code: status, last_error: error, next_attempt_at: next }: DeliveryView) {
  const answer = status ?? (error === null ? null : 'None');
  if (next === null) return answer ?? '–';
  return (
    <>
      {answer === null ? 'First attempt ' : `${String(answer)}, next attempt `}
      <Moment at={next} />
    </>
  );
}

/** Each state in words. */
export const deliveryLooks: Record<State, { label: string; color: 'blue' | 'teal' | 'red' }> = {
  pending: { label: 'Waiting', color: 'blue' },
  in_flight: { label: 'Being sent', color: 'blue' },
  delivered: { label: 'Delivered', color: 'teal' },
  dead: { label: 'Given up', color: 'red' },
};

type DeliveryStateProps = { state: State };

/** What became of a delivery. */
export function DeliveryState({ state }: DeliveryStateProps) {
  const { label, color } = deliveryLooks[state];
  return <StateBadge color={color}>{label}</StateBadge>;
}
