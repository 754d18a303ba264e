import { useState, type FormEvent, type ReactNode } from 'react';
import { Stack } from '@mantine/core';
import { useUpdateCompany } from './companyQueries.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { Problem } from '../components/Problem.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { CodeListEditor } from './CodeListEditor.tsx';
import { rowFaults, type EditedCode } from './codeRows.ts';

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
