import { type ReactNode, useRef } from 'react';
import { Button, Stack, Text } from '@mantine/core';
import { flushSync } from 'react-dom';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { type CodeList, CodeRow, type EditedCode, emptyRow, rowErrors, type RowsForm } from './CodeRow.tsx';
import { useUpdateCompany } from './companyQueries.ts';

type Props = {
  field: CodeList;
  note: ReactNode;
  stored: EditedCode[];
};

/** A list of codes with labels, saved as a whole. */
export function CodeListForm({ field, note, stored }: Props) {
  const { t } = useTranslation();
  const action = useUpdateCompany();
  const record = useRecordForm(
    { rows: stored },
    {
      action,
      body: (_changes, { rows }) => ({ [field]: rows }),
      validate: ({ rows }) => rowErrors(t, rows),
      fieldOf: (path) => path.replace(field, 'rows').replace(/\.code$/, '.label'),
      onSaved: () => toast(t(`admin.company.${field}.saved`)),
    },
  );
  const { form, reset } = record;
  const fields = form.values.rows.map((_row, index) => `${field}.${String(index)}`);

  function discard(): void {
    action.reset();
    reset();
  }

  return (
    <Section title={t(`admin.company.${field}.title`)} note={note}>
      <RecordPanel record={{ ...record, reset: discard }} fields={fields}>
        <CodeListEditor form={form} field={field} />
      </RecordPanel>
    </Section>
  );
}

type CodeListEditorProps = {
  form: RowsForm;
  field: CodeList;
};

/** Adds, removes and orders rows; the focus goes along, so that the keyboard alone will do. */
function CodeListEditor({ form, field }: CodeListEditorProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const { rows } = form.values;

  /** Draws the rows, then puts the focus to one of them. */
  function changeAndFocus(change: () => void, index: number, part: string): void {
    flushSync(() => {
      // What was said of the former rows would stand beside others.
      form.clearErrors();
      change();
    });
    const inRow = (name: string) =>
      list.current?.querySelector<HTMLElement>(`[data-row="${String(index)}"] [data-part="${name}"]:not(:disabled)`);
    (inRow(part) ?? inRow('label') ?? list.current?.querySelector<HTMLElement>('[data-part="add"]'))?.focus();
  }

  return (
    <Stack gap="xs" ref={list}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('admin.common.noneYet')}
        </Text>
      )}
      {rows.map((_row, index) => (
        <CodeRow
          // A row is known by its place: its code is what is being typed.
          key={index}
          form={form}
          index={index}
          field={field}
          onMove={(by) =>
            changeAndFocus(
              () => form.reorderListItem('rows', { from: index, to: index + by }),
              index + by,
              by === -1 ? 'up' : 'down',
            )
          }
          onRemove={() =>
            changeAndFocus(() => form.removeListItem('rows', index), Math.min(index, rows.length - 2), 'remove')
          }
        />
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          data-part="add"
          onClick={() => changeAndFocus(() => form.insertListItem('rows', emptyRow(field)), rows.length, 'label')}
        >
          {t(`admin.company.${field}.add`)}
        </Button>
      </div>
    </Stack>
  );
}
