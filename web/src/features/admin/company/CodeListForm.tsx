import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button, Stack, Text } from '@mantine/core';
import { flushSync } from 'react-dom';
import { IconPlus } from '@tabler/icons-react';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { CodeRow, type EditedCode, emptyRow, moved, rowFaults } from './CodeRow.tsx';
import { useUpdateCompany } from './companyQueries.ts';

type Props = {
  field: 'dispositions' | 'not_ready_reasons';
  title: string;
  note: ReactNode;
  stored: EditedCode[];
  /** What one row is called. */
  noun: string;
};

/** A list of codes with labels, saved as a whole. */
export function CodeListForm({ field, title, note, stored, noun }: Props) {
  const { values, changes, isChanged, set, reset, saved } = useEditForm({ rows: stored });
  const [isTried, setTried] = useState(false);
  const save = useUpdateCompany();
  const ownFaults = rowFaults(values.rows);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (ownFaults.some((fault) => fault !== null)) return;
    save.mutate({ [field]: values.rows }, {
      onSuccess: () => {
        saved(changes);
        toast(`${title} are saved; softphones have them at once.`);
      },
    });
  }

  function change(rows: EditedCode[]): void {
    // What was said of the former rows would stand beside others.
    if (save.isError) save.reset();
    setTried(false);
    set({ rows });
  }

  return (
    <Section title={title} note={note}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <CodeListEditor
            rows={values.rows}
            noun={noun}
            field={field}
            error={save.error}
            ownFaults={isTried ? ownFaults : []}
            onChange={change}
          />
          <Problem error={save.error} fields={values.rows.map((_row, index) => `${field}.${String(index)}`)} />
          <SaveBar
            isChanged={isChanged}
            isSaving={save.isPending}
            onReset={() => {
              save.reset();
              reset();
            }}
          />
        </Stack>
      </form>
    </Section>
  );
}

type CodeListEditorProps = {
  rows: readonly EditedCode[];
  noun: string;
  /** Where the gateway names faults of the rows. */
  field: string;
  error: unknown;
  ownFaults: readonly (string | null)[];
  onChange: (rows: EditedCode[]) => void;
};

/** Adds, removes and orders rows; the focus goes along, so that the keyboard alone will do. */
function CodeListEditor({ rows, noun, field, error, ownFaults, onChange }: CodeListEditorProps) {
  const list = useRef<HTMLDivElement>(null);

  /** Draws the rows, then puts the focus to one of them. */
  function changeAndFocus(next: EditedCode[], index: number, part: string): void {
    flushSync(() => onChange(next));
    const inRow = (name: string) => list.current?.querySelector<HTMLElement>(`[data-row="${String(index)}"] [data-part="${name}"]:not(:disabled)`);
    (inRow(part) ?? inRow('label') ?? list.current?.querySelector<HTMLElement>('[data-part="add"]'))?.focus();
  }

  return (
    <Stack gap="xs" ref={list}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      {rows.map((row, index) => (
        <CodeRow
          // A row is known by its place: its code is what is being typed.
          key={index}
          row={row}
          index={index}
          count={rows.length}
          noun={noun}
          fault={ownFaults[index] ?? fieldError(error, `${field}.${String(index)}.code`) ?? fieldError(error, `${field}.${String(index)}.label`)}
          onChange={(changed) => onChange(rows.map((other, place) => (place === index ? changed : other)))}
          onMove={(by) => changeAndFocus(moved(rows, index, by), index + by, by === -1 ? 'up' : 'down')}
          onRemove={() => changeAndFocus(rows.filter((_other, place) => place !== index), Math.min(index, rows.length - 2), 'remove')}
        />
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          data-part="add"
          onClick={() => changeAndFocus([...rows, emptyRow(field === 'dispositions')], rows.length, 'label')}
        >
          Add a {noun}
        </Button>
      </div>
    </Stack>
  );
}
