import { Button, Center, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportView } from '../../../../../src/contract/imports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { rowsQuery, type WhichRows } from './importQueries.ts';
import { Reasons } from './Reasons.tsx';

/** @param outcomes of which somebody may want to see the rows, those that matter most first */
type Props = { one: ImportView; outcomes: readonly WhichRows[] };

/** Rows that were not written, or not wholly, each with why. */
export function RowList({ one, outcomes }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [outcome, setOutcome] = useState(outcomes[0] ?? 'refused');
  const list = useInfiniteQuery(rowsQuery(one, outcome));
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="xs">
      {outcomes.length === 1 ? (
        <Text fw={600} size="sm">
          {t(`imports.outcome.${outcome}`)}
        </Text>
      ) : (
        <SegmentedControl
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('imports.rows.which')}
          data={outcomes.map((value) => ({ value, label: t(`imports.outcome.${value}`) }))}
          value={outcome}
          onChange={setOutcome}
        />
      )}
      {list.isPending && <Waiting />}
      <Problem error={list.error} />
      {rows.length > 0 && (
        <section aria-label={t(`imports.outcome.${outcome}`)}>
          <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
            <Table verticalSpacing={4} fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th ta="end" w={70}>
                    {t('imports.rows.row')}
                  </Table.Th>
                  <Table.Th>{t('imports.rows.why')}</Table.Th>
                  <Table.Th>{t('imports.rows.cells')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ row, reason, remarks, cells }) => (
                  <Table.Tr key={row}>
                    <Table.Td ta="end">{format.number(row)}</Table.Td>
                    <Table.Td maw={320}>
                      <Reasons of={one} reason={reason} remarks={remarks} />
                    </Table.Td>
                    <Table.Td maw={480} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      <Text size="sm" lineClamp={2}>
                        {cells.filter((cell) => cell !== '').join(' · ')}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </section>
      )}
      {list.hasNextPage && (
        <Center>
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('imports.rows.more')}
          </Button>
        </Center>
      )}
    </Stack>
  );
}
