import { EmptyState } from '@mantine/core';
import { IconPhoneOff } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../../src/contract/calls.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { CallStateLabel, endText } from '../../../shared/callState.tsx';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { OtherEnd } from '../../../shared/phoneNumbers/OtherEnd.tsx';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { tagsText } from '../../../shared/tagTexts.ts';
import { clockText } from '../../../shared/time.ts';
import { Moment } from '../components/Moment.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { callFilters, type ListedCall } from './callQueries.ts';

type Props = { list: UseInfiniteQueryResult<ListedCall[]>; isFiltered: boolean; onOpen: (id: string) => void };

/** The calls that were read so far, with the way to older ones. */
export function CallTable({ list, isFiltered, onOpen }: Props) {
  const { t } = useTranslation();
  const which = isFiltered ? 'noneFits' : 'none';
  return (
    <PagedList
      query={list}
      fields={callFilters}
      none={
        <EmptyState icon={<IconPhoneOff />} title={t(`calls.${which}.title`)} description={t(`calls.${which}.text`)} />
      }
      more={t('calls.older')}
    >
      {(calls) => (
        <DataTable
          minWidth={860}
          stickyHeader
          // Few companies have tags; gateways of before know of none.
          columns={columnsOf(t, { areTagged: calls.some(({ tags }) => tagsText(tags) !== '') })}
          rows={calls}
          rowKey={({ id }) => id}
          onOpen={({ id }) => onOpen(id)}
        />
      )}
    </PagedList>
  );
}

function columnsOf(t: Translate, { areTagged }: { areTagged: boolean }): Column<ListedCall>[] {
  const column = (
    key: 'began' | 'direction' | 'customer' | 'number' | 'agent' | 'result' | 'length' | 'disposition' | 'tags',
    cell: Column<ListedCall>['cell'],
    isOneLine = false,
  ) => ({ key, title: t(`calls.columns.${key}`), cell, isOneLine });
  return [
    column('began', ({ created_at: at }) => <Moment at={at} />, true),
    column('direction', ({ direction }) => t(`calls.direction.${direction}`), true),
    column('customer', ({ customer_name: name, phone, caller }) =>
      name === null ? '–' : <OtherEnd name={name} phone={phone} caller={caller} />,
    ),
    column(
      'number',
      ({ phone, caller }) =>
        phone === null ? <bdi>{caller ?? t('shared.withheld')}</bdi> : <PhoneNumber number={phone} />,
      true,
    ),
    column('agent', ({ agent }) => <bdi>{agent ?? '–'}</bdi>),
    column('result', (call) => <CallResult call={call} />),
    column('length', ({ duration_seconds: length }) => (length === null ? '–' : clockText(length * 1_000)), true),
    column('disposition', ({ disposition }) => (disposition === null ? '–' : dispositionLabel(t, disposition))),
    ...(areTagged ? [column('tags', ({ tags }) => tagsText(tags))] : []),
  ];
}

/** How a call ended, or how far it is. */
export function CallResult({ call }: { call: Pick<CallSummary, 'state' | 'end_reason' | 'answered_at'> }) {
  const { t } = useTranslation();
  return call.state === 'ended' ? endText(t, call) : <CallStateLabel state={call.state} />;
}
