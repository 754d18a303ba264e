import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportRowView, ImportView } from '../../../../../src/contract/imports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
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
  const rows = list.data ?? [];
  const columns: Column<ImportRowView>[] = [
    { key: 'row', title: t('imports.rows.row'), cell: ({ row }) => format.number(row), isAtEnd: true, width: 70 },
    {
      key: 'why',
      title: t('imports.rows.why'),
      cell: ({ reason, remarks }) => <Reasons of={one} reason={reason} remarks={remarks} />,
      td: { maw: 320 },
    },
    {
      key: 'cells',
      title: t('imports.rows.cells'),
      cell: ({ cells }) => (
        <Text size="sm" lineClamp={2}>
          {cells.filter((cell) => cell !== '').join(' · ')}
        </Text>
      ),
      td: { maw: 480, c: 'dimmed', style: { overflowWrap: 'anywhere' } },
    },
  ];
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
          <DataTable minWidth={520} isReached columns={columns} rows={rows} rowKey={({ row }) => row} />
        </section>
      )}
      <MoreButton query={list} text={t('imports.rows.more')} />
    </Stack>
  );
}
