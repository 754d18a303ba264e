import { Checkbox, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../../src/contract/values.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { foldText } from '../../../shared/foldText.ts';
import type { Form } from '../../../shared/form/useRecordForm.ts';
import { RowActions } from '../components/RowActions.tsx';
import { AgainSelect } from './AgainSelect.tsx';

/**
 * A row: of a disposition with the flag, of a reason for skipping with when the call is due again,
 * of a Not Ready reason with neither.
 */
export type EditedCode = CodeWithLabel & { requires_callback_at?: boolean; again_minutes?: number | null };

/** Which list of the company. */
export type CodeList = 'dispositions' | 'tags' | 'not_ready_reasons' | 'skip_reasons';

/** The form of a list. */
export type RowsForm = Form<{ rows: EditedCode[] }>;

type Props = { form: RowsForm; index: number; field: CodeList; onMove: (by: -1 | 1) => void; onRemove: () => void };

/** One code with its label. */
export function CodeRow({ form, index, field, onMove, onRemove }: Props) {
  const { t } = useTranslation();
  const row = form.values.rows[index] ?? emptyRow('not_ready_reasons');
  const count = form.values.rows.length;
  const path = `rows.${String(index)}` as const;
  const place = { row: String(index + 1) };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" data-row={index}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4} flex={1}>
        <TextInput
          aria-label={t(`admin.company.${field}.labelOf`, place)}
          placeholder={t('admin.company.row.label')}
          {...form.getInputProps(`${path}.label`)}
          onBlur={() => {
            if (row.code === '' && row.label !== '') form.setFieldValue(`${path}.code`, codeFor(row.label));
          }}
          data-part="label"
        />
        <TextInput
          aria-label={t(`admin.company.${field}.codeOf`, place)}
          placeholder={t('admin.company.row.code')}
          {...form.getInputProps(`${path}.code`)}
          onChange={(event) => {
            form.clearFieldError(`${path}.label`);
            form.setFieldValue(`${path}.code`, event.currentTarget.value);
          }}
          // What is wrong with either is said at the label.
          error={form.errors[`${path}.label`] !== undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          spellCheck={false}
          autoComplete="off"
        />
        {row.requires_callback_at !== undefined && (
          <Checkbox
            size="xs"
            label={t('admin.company.row.needsTime')}
            aria-label={t('admin.company.dispositions.needsTimeOf', place)}
            {...form.getInputProps(`${path}.requires_callback_at`, { type: 'checkbox' })}
          />
        )}
        {row.again_minutes !== undefined && (
          <AgainSelect
            label={t('admin.company.againOf', place)}
            minutes={row.again_minutes}
            onChange={(minutes) => form.setFieldValue(`${path}.again_minutes`, minutes)}
          />
        )}
      </SimpleGrid>
      <RowActions
        mt={4}
        actions={[
          { part: 'up', text: t(`admin.company.${field}.up`, place), isOff: index === 0, act: () => onMove(-1) },
          {
            part: 'down',
            text: t(`admin.company.${field}.down`, place),
            isOff: index === count - 1,
            act: () => onMove(1),
          },
          { part: 'remove', text: t(`admin.company.${field}.remove`, place), act: onRemove },
        ]}
      />
    </Group>
  );
}

/** What is wrong with the rows that can be seen from here, by the field that shows it. */
export function rowErrors(t: Translate, rows: readonly CodeWithLabel[]): Record<string, string> {
  const faults = rowFaults(t, rows);
  return Object.fromEntries(
    faults.flatMap((fault, index) => (fault === null ? [] : [[`rows.${String(index)}.label`, fault]])),
  );
}

function rowFaults(t: Translate, rows: readonly CodeWithLabel[]): (string | null)[] {
  return rows.map(({ code, label }, index) => {
    if (label.trim() === '') return t('admin.company.fault.noLabel');
    if (code === '') return t('admin.company.fault.noCode');
    if (!/^[a-z0-9][a-z0-9_]{0,39}$/.test(code)) return t('admin.company.fault.badCode');
    const first = rows.findIndex((row) => row.code === code);
    return first === index ? null : t('admin.company.fault.taken', { row: String(first + 1) });
  });
}

/** A code that goes with a label: `Sent an offer` is `sent_an_offer`. */
export function codeFor(label: string): string {
  return foldText(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
}

/** A new row of a list. */
export function emptyRow(field: CodeList): EditedCode {
  const empty = { code: '', label: '' };
  if (field === 'dispositions') return { ...empty, requires_callback_at: false };
  return field === 'skip_reasons' ? { ...empty, again_minutes: 60 } : empty;
}
