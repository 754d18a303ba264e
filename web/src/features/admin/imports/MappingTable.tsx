import { NativeSelect, Select, Table, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../../src/contract/contactFields.ts';
import { importFields, type ImportMode, importModes, type ImportView } from '../../../../../src/contract/imports.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { columnName } from './rowTexts.ts';

export type Mapping = ImportView['mapping'];
type Mapped = Mapping[number];

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

  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('imports.mapping.inFile')}</Table.Th>
            <Table.Th>{t('imports.mapping.samples')}</Table.Th>
            <Table.Th>{t('imports.mapping.field')}</Table.Th>
            <Table.Th>{t('imports.mapping.mode')}</Table.Th>
            <Table.Th>{t('imports.mapping.label')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.columns.map((_text, column) => {
            const name = columnName(t, of, column);
            const mapped = mapping.find((each) => each.column === column);
            return (
              // A column is its place.
              <Table.Tr key={String(column)}>
                <Table.Td fw={600} maw={200} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Td>
                <Table.Td maw={220}>
                  <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                    {samples
                      .map((cells) => (cells[column] ?? '').trim())
                      .filter((text) => text !== '')
                      .slice(0, sampleCount)
                      .join(' · ') || '–'}
                  </Text>
                </Table.Td>
                <Table.Td miw={190}>
                  <Select
                    size="xs"
                    aria-label={t('imports.mapping.fieldOf', { column: name })}
                    placeholder={t('imports.mapping.none')}
                    data={options}
                    value={mapped?.field ?? null}
                    onChange={(field) =>
                      change(
                        column,
                        field === null
                          ? null
                          : {
                              column,
                              field,
                              mode: mapped?.mode ?? 'fill',
                              label: labeled.has(field) ? (mapped?.label ?? null) : null,
                            },
                      )
                    }
                    searchable
                    clearable
                    clearButtonProps={{ 'aria-label': t('imports.mapping.clear', { column: name }) }}
                  />
                </Table.Td>
                <Table.Td miw={150}>
                  {mapped !== undefined && (
                    <NativeSelect
                      size="xs"
                      aria-label={t('imports.mapping.modeOf', { column: name })}
                      data={importModes.map((value) => ({ value, label: t(`imports.mapping.modes.${value}`) }))}
                      value={mapped.mode}
                      onChange={({ currentTarget }) =>
                        change(column, { ...mapped, mode: currentTarget.value as ImportMode })
                      }
                    />
                  )}
                </Table.Td>
                <Table.Td miw={110}>
                  {mapped !== undefined && labeled.has(mapped.field) && (
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
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
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
