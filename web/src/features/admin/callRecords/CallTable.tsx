import { Button, Center, EmptyState, Table, UnstyledButton } from '@mantine/core';
import { IconPhoneOff } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallList, CallSummary } from '../../../../../src/contract/calls.ts';
import { CallStateLabel, endText } from '../../../shared/callState.tsx';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { OtherEnd } from '../../../shared/phoneNumbers/OtherEnd.tsx';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { clockText } from '../../../shared/time.ts';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { tagsText } from '../../../shared/tagTexts.ts';
import { Moment } from '../components/Moment.tsx';
import classes from '../components/rows.module.css';
import { callFilters } from './callQueries.ts';

type Props = {
  list: UseInfiniteQueryResult<InfiniteData<CallList>>;
  isFiltered: boolean;
  onOpen: (id: string) => void;
};

/** The calls that were read so far, with the way to older ones. */
export function CallTable({ list, isFiltered, onOpen }: Props) {
  const { t } = useTranslation();
  if (list.isPending) return <Waiting />;
  if (list.data === undefined) return <Problem error={list.error} fields={callFilters} />;
  const calls = list.data.pages.flatMap((page) => page.calls);
  const agents = new Map(list.data.pages.flatMap((page) => page.agents).map((agent) => [agent.id, agent]));
  // Few companies have tags; gateways of before know of none.
  const areTagged = calls.some(({ tags }) => tagsText(tags) !== '');
  const columns = [
    'began',
    'direction',
    'customer',
    'number',
    'agent',
    'result',
    'length',
    'disposition',
    ...(areTagged ? (['tags'] as const) : []),
  ] as const;
  if (calls.length === 0) {
    const which = isFiltered ? 'noneFits' : 'none';
    return (
      <EmptyState icon={<IconPhoneOff />} title={t(`calls.${which}.title`)} description={t(`calls.${which}.text`)} />
    );
  }
  return (
    <>
      <Problem error={list.error} fields={callFilters} />
      <Table.ScrollContainer minWidth={860} type="native">
        <Table highlightOnHover verticalSpacing={4} fz="sm" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              {columns.map((name) => (
                <Table.Th key={name}>{t(`calls.columns.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {calls.map((call) => (
              <Table.Tr key={call.id} className={classes.row ?? ''} onClick={() => onOpen(call.id)}>
                <Table.Td className={classes.nowrap ?? ''}>
                  <UnstyledButton fz="sm" className={classes.open ?? ''} aria-haspopup="dialog">
                    <Moment at={call.created_at} />
                  </UnstyledButton>
                </Table.Td>
                <Table.Td className={classes.nowrap ?? ''}>{t(`calls.direction.${call.direction}`)}</Table.Td>
                <Table.Td>
                  {call.customer_name === null ? (
                    '–'
                  ) : (
                    <OtherEnd name={call.customer_name} phone={call.phone} caller={call.caller} />
                  )}
                </Table.Td>
                <Table.Td className={classes.nowrap ?? ''}>
                  {call.phone === null ? (
                    <bdi>{call.caller ?? t('shared.withheld')}</bdi>
                  ) : (
                    <PhoneNumber number={call.phone} />
                  )}
                </Table.Td>
                <Table.Td>
                  <bdi>{agents.get(call.agent_id)?.name ?? '–'}</bdi>
                </Table.Td>
                <Table.Td>
                  <CallResult call={call} />
                </Table.Td>
                <Table.Td className={classes.nowrap ?? ''}>
                  {call.duration_seconds === null ? '–' : clockText(call.duration_seconds * 1_000)}
                </Table.Td>
                <Table.Td>{call.disposition === null ? '–' : dispositionLabel(t, call.disposition)}</Table.Td>
                {areTagged && <Table.Td>{tagsText(call.tags)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {list.hasNextPage && (
        <Center>
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('calls.older')}
          </Button>
        </Center>
      )}
    </>
  );
}

/** How a call ended, or how far it is. */
export function CallResult({ call }: { call: Pick<CallSummary, 'state' | 'end_reason' | 'answered_at'> }) {
  const { t } = useTranslation();
  return call.state === 'ended' ? endText(t, call) : <CallStateLabel state={call.state} />;
}
