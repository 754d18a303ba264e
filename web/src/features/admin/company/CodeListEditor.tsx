import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { fieldError } from '../form/fieldErrors.ts';
import { CodeRow } from './CodeRow.tsx';
import { emptyRow, moved, type EditedCode } from './codeRows.ts';

type Props = {
  rows: readonly EditedCode[];
  noun: string;
  /** Where the gateway names faults of the rows. */
  field: string;
  error: unknown;
  ownFaults: readonly (string | null)[];
  onChange: (rows: EditedCode[]) => void;
};

/** Adds, removes and orders rows; the focus goes along, so that the keyboard alone will do. */
export function CodeListEditor({ rows, noun, field, error, ownFaults, onChange }: Props) {
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
