import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../../src/contract/contactFields.ts';
import type { ImportPreview, ImportView, RowOutcome } from '../../../../../src/contract/imports.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { TableFrame } from '../../../shared/list/DataTable.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { Reasons } from './Reasons.tsx';
import { outcomeColors } from './rowTexts.ts';

/** The fields of a contact in the order in which they are shown, the company's own after them. */
const order = [
  'name',
  'organisation',
  'phones',
  'emails',
  'owner',
  'tags',
  'tier',
  'language',
  'time_zone',
  'notes',
  'do_not_call',
  'external_id',
] as const;
type Shown = (typeof order)[number];
/** What can become of a row that is only looked at. */
type Judged = Exclude<RowOutcome, 'undone' | 'left'>;

type Props = {
  of: Pick<ImportView, 'columns' | 'has_header'>;
  rows: ImportPreview['rows'];
  fields: readonly FieldView[];
};

/** The first rows of the file: what would become of each, and what its contact would hold then. */
export function PreviewTable({ of, rows, fields }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const there = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  const shown = [...order, ...fields.map(({ key }) => `fields.${key}`)].filter((name) => there.has(name));
  return (
    <section aria-label={t('imports.preview.title')}>
      <TableFrame minWidth={640} isReached>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="end" w={70}>
              {t('imports.rows.row')}
            </Table.Th>
            <Table.Th>{t('imports.rows.outcome')}</Table.Th>
            {shown.length === 0 && <Table.Th>{t('imports.rows.cells')}</Table.Th>}
            {shown.map((name) => (
              <Table.Th key={name}>{valueName(t, name, fields)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ row, outcome, reason, remarks, values, cells }) => (
            <Table.Tr key={row}>
              <Table.Td ta="end">{format.number(row)}</Table.Td>
              <Table.Td>
                <StateBadge color={outcomeColors[outcome]}>{t(`imports.would.${outcome as Judged}`)}</StateBadge>
                <Reasons of={of} reason={reason} remarks={remarks} />
              </Table.Td>
              {outcome === 'refused' ? (
                <Table.Td colSpan={Math.max(shown.length, 1)} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {cells.join(' · ')}
                </Table.Td>
              ) : (
                shown.map((name) => (
                  <Table.Td key={name} maw={240} style={{ overflowWrap: 'break-word' }}>
                    <Text size="sm" lineClamp={3}>
                      {name === 'do_not_call' && values[name] === 'true' ? t('imports.preview.yes') : values[name]}
                    </Text>
                  </Table.Td>
                ))
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </TableFrame>
    </section>
  );
}

function valueName(t: Translate, name: string, fields: readonly FieldView[]): string {
  if (name === 'phones') return t('imports.preview.phones');
  if (name === 'emails') return t('imports.preview.emails');
  return (
    fields.find(({ key }) => `fields.${key}` === name)?.label ??
    t(`imports.fields.${name as Exclude<Shown, 'phones' | 'emails'>}`)
  );
}
