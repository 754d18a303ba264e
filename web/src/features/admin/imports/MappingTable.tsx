import { NativeSelect, Select, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../../src/contract/contactFields.ts';
import { importFields, type ImportMode, importModes, type ImportView } from '../../../../../src/contract/imports.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { columnName } from './rowTexts.ts';

export type Mapping = ImportView['mapping'];
type Mapped = Mapping[number];
type FileColumn = { column: number; name: string; mapped: Mapped | undefined };

/** What several columns may be. */
const several: ReadonlySet<string> = new Set(['phone', 'phone_label', 'email', 'email_label', 'tags', 'notes']);
const labeled: ReadonlySet<string> = new Set(['phone', 'email']);
const sampleCount = 3;

type Props = {
  of: Pick<ImportView, 'columns' | 'has_header'>;
  mapping: Mapping;
  fields: readonly FieldView[];
  /** Cells of the first rows. */
  samples: readonly (readonly string[])[];
  onChange: (mapping: Mapping) => void;
};

/** Which column of the file is which field of a contact, beside what stands in it. */
export function MappingTable({ of, mapping, fields, samples, onChange }: Props) {
  const { t } = useTranslation();
  const options = fieldOptions(t, fields);

  /** A field that can be once leaves the column that had it. */
  function change(column: number, to: Mapped | null): void {
    const others = mapping.filter(
      (each) => each.column !== column && (to === null || several.has(to.field) || each.field !== to.field),
    );
    onChange([...others, ...(to === null ? [] : [to])].toSorted((a, b) => a.column - b.column));
  }

  const columns: Column<FileColumn>[] = [
    {
      key: 'inFile',
      title: t('imports.mapping.inFile'),
      cell: ({ name }) => name,
      td: { fw: 600, maw: 200, style: { overflowWrap: 'anywhere' } },
    },
    {
      key: 'samples',
      title: t('imports.mapping.samples'),
      cell: ({ column }) => (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {samples
            .map((cells) => (cells[column] ?? '').trim())
            .filter((text) => text !== '')
            .slice(0, sampleCount)
            .join(' · ') || '–'}
        </Text>
      ),
      td: { maw: 220 },
    },
    {
      key: 'field',
      title: t('imports.mapping.field'),
      cell: ({ column, name, mapped }) => (
        <Select
          size="xs"
          aria-label={t('imports.mapping.fieldOf', { column: name })}
          placeholder={t('imports.mapping.none')}
          data={options}
          value={mapped?.field ?? null}
          onChange={(field) => change(column, field === null ? null : mappedTo(column, field, mapped))}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('imports.mapping.clear', { column: name }) }}
        />
      ),
      td: { miw: 190 },
    },
    {
      key: 'mode',
      title: t('imports.mapping.mode'),
      cell: ({ column, name, mapped }) =>
        mapped !== undefined && (
          <NativeSelect
            size="xs"
            aria-label={t('imports.mapping.modeOf', { column: name })}
            data={importModes.map((value) => ({ value, label: t(`imports.mapping.modes.${value}`) }))}
            value={mapped.mode}
            onChange={({ currentTarget }) => change(column, { ...mapped, mode: currentTarget.value as ImportMode })}
          />
        ),
      td: { miw: 150 },
    },
    {
      key: 'label',
      title: t('imports.mapping.label'),
      cell: ({ column, name, mapped }) =>
        mapped !== undefined &&
        labeled.has(mapped.field) && (
          <TextInput
            key={mapped.label}
            size="xs"
            aria-label={t('imports.mapping.labelOf', { column: name })}
            maxLength={40}
            defaultValue={mapped.label ?? ''}
            onBlur={({ currentTarget }) => {
              const label = currentTarget.value.trim() || null;
              if (label !== mapped.label) change(column, { ...mapped, label });
            }}
          />
        ),
      td: { miw: 110 },
    },
  ];
  const rows = of.columns.map((_text, column) => ({
    column,
    name: columnName(t, of, column),
    mapped: mapping.find((each) => each.column === column),
  }));
  // A column is its place.
  return <DataTable minWidth={760} columns={columns} rows={rows} rowKey={({ column }) => column} />;
}

/** What a column is now that it is that field. */
function mappedTo(column: number, field: string, before: Mapped | undefined): Mapped {
  return {
    column,
    field,
    mode: before?.mode ?? 'fill',
    label: labeled.has(field) ? (before?.label ?? null) : null,
  };
}

function fieldOptions(t: Translate, fields: readonly FieldView[]) {
  const own = fields.map(({ key, label }) => ({ value: `fields.${key}`, label }));
  return [
    {
      group: t('imports.mapping.standard'),
      items: importFields.map((value) => ({ value, label: t(`imports.fields.${value}`) })),
    },
    ...(own.length === 0 ? [] : [{ group: t('imports.mapping.own'), items: own }]),
  ];
}
