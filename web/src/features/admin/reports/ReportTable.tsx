import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReport } from '../../../../../src/contract/reports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { TableFrame } from '../../../shared/list/DataTable.tsx';
import { clockText } from '../../../shared/time.ts';
import { rowName, type ReportRow, shareText } from './reportWords.ts';

const columns = [
  'calls',
  'conversations',
  'outbound',
  'inbound',
  'answered',
  'missed',
  'transferred',
  'talk_seconds',
  'hold_seconds',
  'mos',
  'mos_median',
  'mos_worst',
  'answer_seconds',
] as const;
/** What agents did: not to be told by how calls were wrapped up. */
const timeColumns = ['signed_in_seconds', 'wrap_up_seconds', 'occupancy'] as const;
/** What is of nobody. */
const clickColumns = ['clicks_refused'] as const;
type Column = (typeof columns)[number] | (typeof timeColumns)[number] | (typeof clickColumns)[number];
type Sort = { by: Column; isDown: boolean } | null;

/** The rows of a report; a press on a heading sorts by it, a third one as they were. */
export function ReportTable({ report }: { report: CallReport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [sort, setSort] = useState<Sort>(null);
  const by = report.group_by;
  const shown: readonly Column[] = [
    ...columns,
    ...(by === 'disposition' ? [] : timeColumns),
    ...(by === 'day' || by === 'hour' ? clickColumns : []),
  ];
  if (report.rows.length === 0) return <Text size="sm">{t('reports.none')}</Text>;
  const rows =
    sort === null
      ? report.rows
      : report.rows.toSorted((one, other) => ((one[sort.by] ?? -1) - (other[sort.by] ?? -1)) * (sort.isDown ? -1 : 1));
  return (
    <TableFrame minWidth={900} aria-label={t('admin.pages.reports')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t(`reports.group.${by}`)}</Table.Th>
          {shown.map((column) => (
            <Heading key={column} column={column} sort={sort} onSort={setSort} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.key ?? ''}>
            <Table.Th scope="row" fw={400}>
              <bdi>{rowName(t, format, by, row)}</bdi>
            </Table.Th>
            <Cells row={row} shown={shown} />
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th scope="row">{t('reports.total')}</Table.Th>
          <Cells row={report.total} shown={shown} />
        </Table.Tr>
      </Table.Tfoot>
    </TableFrame>
  );
}

function Heading({ column, sort, onSort }: { column: Column; sort: Sort; onSort: (sort: Sort) => void }) {
  const { t } = useTranslation();
  const isBy = sort?.by === column;
  const Icon = sort?.isDown === true ? IconArrowDown : IconArrowUp;
  const next = !isBy ? { by: column, isDown: true } : sort.isDown ? { by: column, isDown: false } : null;
  return (
    <Table.Th ta="end" aria-sort={!isBy ? undefined : sort.isDown ? 'descending' : 'ascending'}>
      <UnstyledButton fz="sm" fw={600} ta="end" onClick={() => onSort(next)}>
        {t(`reports.figure.${column}`)} {isBy && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

function Cells({ row, shown }: { row: Pick<ReportRow, Column>; shown: readonly Column[] }) {
  const { i18n } = useTranslation();
  const format = useFormat();
  const text = (column: Column) => {
    const value = row[column];
    if (value === null) return '–';
    if (column === 'occupancy') return shareText(i18n.language, value);
    return column.endsWith('_seconds') ? clockText(value * 1_000) : format.number(value);
  };
  return shown.map((column) => (
    <Table.Td key={column} ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {text(column)}
    </Table.Td>
  ));
}
