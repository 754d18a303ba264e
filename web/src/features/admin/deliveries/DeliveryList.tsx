import { Button, Center, EmptyState, Table, UnstyledButton } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeliveryView } from '../../../../../src/contract/deliveries.ts';
import type { DeliveryState as State } from '../../../../../src/contract/vocabulary.ts';
import { Problem, Waiting } from '../components/Loaded.tsx';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { type Format, useFormat } from '../../../lib/i18n/format.ts';
import { Moment } from '../components/Moment.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import classes from '../components/rows.module.css';

const fields = ['target', 'event', 'state', 'call_id', 'since', 'until'];

type Props = {
  log: UseInfiniteQueryResult<InfiniteData<{ deliveries: DeliveryView[] }>>;
  isFiltered: boolean;
  onOpen: (id: string) => void;
};

/** The deliveries that were read so far, with the way to older ones. */
export function DeliveryList({ log, isFiltered, onOpen }: Props) {
  const { t } = useTranslation();
  if (log.isPending) return <Waiting />;
  if (log.data === undefined) return <Problem error={log.error} fields={fields} />;
  const deliveries = log.data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={<IconInbox />}
        title={t(isFiltered ? 'admin.deliveries.noneFits.title' : 'admin.deliveries.none.title')}
        description={t(isFiltered ? 'admin.deliveries.noneFits.text' : 'admin.deliveries.none.text')}
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
            {t('admin.deliveries.older')}
          </Button>
        </Center>
      )}
    </>
  );
}

type DeliveryTableProps = { deliveries: readonly DeliveryView[]; onOpen: (id: string) => void };

/** One line per delivery; the whole line opens it, its time for the keyboard. */
function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const format = useFormat();
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table highlightOnHover verticalSpacing={4} fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('admin.deliveries.columns.made')}</Table.Th>
            <Table.Th>{t('admin.deliveries.columns.target')}</Table.Th>
            <Table.Th>{t('admin.deliveries.columns.event')}</Table.Th>
            <Table.Th>{t('admin.deliveries.columns.state')}</Table.Th>
            <Table.Th>{t('admin.deliveries.columns.call')}</Table.Th>
            <Table.Th ta="end">{t('admin.deliveries.columns.attempts')}</Table.Th>
            <Table.Th>{t('admin.deliveries.columns.lastAnswer')}</Table.Th>
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
              <Table.Td className={classes.nowrap ?? ''}>{t(`admin.deliveries.target.${delivery.target}`)}</Table.Td>
              <Table.Td ff="monospace">{delivery.event}</Table.Td>
              <Table.Td>
                <DeliveryState state={delivery.state} />
              </Table.Td>
              <Table.Td ff="monospace" className={classes.nowrap ?? ''} title={delivery.call_id ?? undefined}>
                {delivery.call_id === null
                  ? '–'
                  : [
                      shortId(delivery.call_id),
                      ...(delivery.sequence === null ? [] : [`#${String(delivery.sequence)}`]),
                    ].join(' ')}
              </Table.Td>
              <Table.Td ta="end">{format.number(delivery.attempts)}</Table.Td>
              <Table.Td>{lastAnswer(t, format, delivery)}</Table.Td>
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

function lastAnswer(
  t: Translate,
  format: Format,
  { last_status_code: status, last_error: error, next_attempt_at: next }: DeliveryView,
): string {
  const answer = status === null ? (error === null ? null : t('admin.deliveries.answer.none')) : String(status);
  if (next === null) return answer ?? '–';
  const time = format.exact(next);
  return answer === null
    ? t('admin.deliveries.answer.first', { time })
    : t('admin.deliveries.answer.next', { answer, time });
}

const colors = { pending: 'blue', delivered: 'teal', dead: 'red' } as const satisfies Record<State, string>;

type DeliveryStateProps = { state: State };

/** What became of a delivery. */
export function DeliveryState({ state }: DeliveryStateProps) {
  const { t } = useTranslation();
  return <StateBadge color={colors[state]}>{t(`admin.deliveries.state.${state}`)}</StateBadge>;
}
