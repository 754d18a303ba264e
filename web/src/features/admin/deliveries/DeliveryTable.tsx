import { Table, UnstyledButton } from '@mantine/core';
import type { DeliveryView } from '../../../../../src/contract/deliveries.ts';
import { Moment } from '../components/Moment.tsx';
import { DeliveryState } from './DeliveryState.tsx';
import classes from '../components/rows.module.css';

type Props = { deliveries: readonly DeliveryView[]; onOpen: (id: string) => void };

/** One line per delivery; the whole line opens it, its time for the keyboard. */
export function DeliveryTable({ deliveries, onOpen }: Props) {
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
