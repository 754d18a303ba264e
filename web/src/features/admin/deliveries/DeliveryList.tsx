import { EmptyState } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeliveryView } from '../../../../../src/contract/deliveries.ts';
import type { DeliveryState as State } from '../../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { type Format, useFormat } from '../../../lib/i18n/format.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { Moment } from '../components/Moment.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { deliveryFilters } from './deliveryQueries.ts';

type Props = { log: UseInfiniteQueryResult<DeliveryView[]>; isFiltered: boolean; onOpen: (id: string) => void };

/** The deliveries that were read so far, with the way to older ones. */
export function DeliveryList({ log, isFiltered, onOpen }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const which = isFiltered ? 'noneFits' : 'none';
  return (
    <PagedList
      query={log}
      fields={deliveryFilters}
      none={
        <EmptyState
          icon={<IconInbox />}
          title={t(`admin.deliveries.${which}.title`)}
          description={t(`admin.deliveries.${which}.text`)}
        />
      }
      more={t('admin.deliveries.older')}
    >
      {(deliveries) => (
        <DataTable
          minWidth={760}
          stickyHeader
          columns={columnsOf(t, format)}
          rows={deliveries}
          rowKey={({ id }) => id}
          onOpen={({ id }) => onOpen(id)}
        />
      )}
    </PagedList>
  );
}

function columnsOf(t: Translate, format: Format): Column<DeliveryView>[] {
  const column = (
    key: 'made' | 'target' | 'event' | 'state' | 'call' | 'attempts' | 'lastAnswer',
    cell: Column<DeliveryView>['cell'],
    look: Omit<Column<DeliveryView>, 'key' | 'title' | 'cell'> = {},
  ) => ({ key, title: t(`admin.deliveries.columns.${key}`), cell, ...look });
  return [
    column('made', ({ created_at: at }) => <Moment at={at} />, { isOneLine: true }),
    column('target', ({ target }) => t(`admin.deliveries.target.${target}`), { isOneLine: true }),
    column('event', ({ event }) => event, { td: { ff: 'monospace' } }),
    column('state', ({ state }) => <DeliveryState state={state} />),
    column('call', callOf, { isOneLine: true, td: ({ call_id: id }) => ({ ff: 'monospace', title: id ?? undefined }) }),
    column('attempts', ({ attempts }) => format.number(attempts), { isAtEnd: true }),
    column('lastAnswer', (delivery) => lastAnswer(t, format, delivery)),
  ];
}

function callOf({ call_id: id, sequence }: DeliveryView): string {
  return id === null ? '–' : [shortId(id), ...(sequence === null ? [] : [`#${String(sequence)}`])].join(' ');
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
