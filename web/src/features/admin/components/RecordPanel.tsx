import { type MantineSpacing, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordForm } from '../../../shared/form/useRecordForm.ts';
import { Problem } from './Loaded.tsx';
import { SaveBar } from './SaveBar.tsx';

type Props = {
  record: Pick<RecordForm<object>, 'submit' | 'error' | 'isChanged' | 'isSaving' | 'reset'>;
  /** The gateway's fields that show their own faults. */
  fields: readonly string[];
  label?: string;
  gap?: MantineSpacing;
  /** As wide at most. Pixels. */
  maw?: number;
  /** Whether the browser looks at the fields before they are sent. */
  isChecked?: boolean;
  /** In place of the button that saves and the one that discards. */
  end?: ReactNode;
  children: ReactNode;
};

/** The form of a record: its inputs, what went wrong, and the way to save it. */
export function RecordPanel({ record, fields, label, gap = 'sm', maw, isChecked = false, end, children }: Props) {
  const { submit, error, isChanged, isSaving, reset } = record;
  return (
    <form onSubmit={submit} noValidate={!isChecked} aria-label={label}>
      <Stack gap={gap} maw={maw}>
        {children}
        <Problem error={error} fields={fields} />
        {end ?? <SaveBar isChanged={isChanged} isSaving={isSaving} onReset={reset} />}
      </Stack>
    </form>
  );
}
