import { ActionIcon, Box, Button, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpeedDial } from '../../../../src/contract/dialing.ts';
import { ApiProblem, fieldText, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { pastedNumber } from '../../shared/phoneNumbers/pastedNumber.ts';
import classes from './SpeedDials.module.css';

/** `key`: keeps a row the same while it is moved. */
type Row<E> = { entry: E; key: number };

/** Of a list whose entries have nothing else. */
export const blankDial: SpeedDial = { name: '', phone_number: '' };

type Props<E extends SpeedDial> = {
  label: string;
  /** As they are stored. */
  entries: readonly E[];
  /** What a new one begins as. */
  blank: E;
  /** What else an entry has, below its name and number. */
  more?: (entry: E, set: (part: Partial<E>) => void, name: string) => ReactNode;
  /** The list's field in the request that saves it: so the gateway says where what is wrong. */
  field: 'entries' | 'lines' | 'outgoing_numbers' | 'speed_dials';
  max: number;
  save: (entries: E[]) => Promise<unknown>;
  onSaved: () => void;
  /** Absent: the list stays open. */
  onCancel?: () => void;
  /** Whether something is not saved yet. */
  onEdited?: (isEdited: boolean) => void;
};

/** A list of names and numbers, their order by drag or by the buttons of a row. */
export function SpeedDialEditor<E extends SpeedDial>(props: Props<E>) {
  const { label, entries, blank, more, field, max, save, onSaved, onCancel, onEdited } = props;
  const { t } = useTranslation();
  const [rows, setRows] = useState<Row<E>[]>(() => rowsOf(entries, blank));
  const [dragged, setDragged] = useState<number | null>(null);
  const [moved, setMoved] = useState('');
  const saving = useAction(save);
  const isFull = rows.length >= max;

  function change(next: Row<E>[]): void {
    saving.reset();
    setRows(next);
    onEdited?.(true);
  }

  function move(from: number, to: number): void {
    const row = rows[from];
    if (row === undefined || to < 0 || to >= rows.length || from === to) return;
    change(rows.toSpliced(from, 1).toSpliced(to, 0, row));
    setMoved(t('dialing.speed.moved', { name: nameOf(row, from), place: to + 1 }));
  }

  /** A row without a name yet, by its place. */
  function nameOf({ entry: { name } }: Row<E>, index: number): string {
    return name.trim() === '' ? t('dialing.speed.unnamed', { place: index + 1 }) : name;
  }

  function dragOver(event: DragEvent, index: number): void {
    if (dragged === null) return;
    event.preventDefault();
    if (dragged === index) return;
    move(dragged, index);
    setDragged(index);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const given = rows
      .filter(isGiven)
      .map(({ entry }) => ({ ...entry, name: entry.name.trim(), phone_number: entry.phone_number.trim() }));
    saving.run(given, {
      onSuccess: () => {
        onEdited?.(false);
        onSaved();
      },
    });
  }

  return (
    <form onSubmit={submit} aria-label={label}>
      <VisuallyHidden component="output">{moved}</VisuallyHidden>
      <ol className={classes.entries}>
        {rows.map((row, index) => {
          const { entry, key } = row;
          const set = (part: Partial<E>) => change(rows.with(index, { key, entry: { ...entry, ...part } }));
          // Of a name and a number an entry may have any; the types do not know it of `E`.
          const setText = (part: Partial<SpeedDial>) => set(part as Partial<E>);
          const name = nameOf(row, index);
          return (
            <Box
              component="li"
              key={key}
              className={classes.entry}
              data-dragged={dragged === index ? '' : undefined}
              onDragOver={(event) => dragOver(event, index)}
              onDrop={(event) => event.preventDefault()}
            >
              <span
                className={classes.handle}
                draggable
                title={t('dialing.speed.drag')}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  setDragged(index);
                }}
                onDragEnd={() => setDragged(null)}
              >
                <IconGripVertical size={14} aria-hidden />
              </span>
              <TextInput
                size="xs"
                aria-label={t('dialing.speed.nameAt', { place: index + 1 })}
                placeholder={t('dialing.speed.name')}
                maxLength={80}
                value={entry.name}
                error={faultOf(row, 'name')}
                onChange={(event) => setText({ name: event.currentTarget.value })}
              />
              <TextInput
                size="xs"
                type="tel"
                aria-label={t('dialing.speed.numberAt', { place: index + 1 })}
                placeholder={t('dialing.speed.number')}
                maxLength={64}
                value={entry.phone_number}
                error={faultOf(row, 'phone_number')}
                onChange={(event) => setText({ phone_number: event.currentTarget.value })}
                onPaste={(event) => {
                  const found = pastedNumber(event.clipboardData.getData('text'));
                  if (found === null || entry.phone_number !== '') return;
                  event.preventDefault();
                  setText({ phone_number: found });
                }}
              />
              <Group gap={0} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === 0}
                  bg="transparent"
                  aria-label={t('dialing.speed.up', { name })}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === rows.length - 1}
                  bg="transparent"
                  aria-label={t('dialing.speed.down', { name })}
                  onClick={() => move(index, index + 1)}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('dialing.speed.remove', { name })}
                  onClick={() => change(rows.toSpliced(index, 1))}
                >
                  <IconTrash size={14} />
                </ActionIcon>
              </Group>
              {more !== undefined && <div className={classes.more}>{more(entry, set, name)}</div>}
            </Box>
          );
        })}
      </ol>
      {saving.error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {messageOf(t, saving.error)}
        </Text>
      )}
      {isFull && <Text size="xs">{t('dialing.speed.full', { max })}</Text>}
      <Group gap="xs" mt="xs">
        <Button
          size="compact-sm"
          variant="default"
          disabled={isFull}
          onClick={() => change([...rows, { entry: blank, key: nextKey(rows) }])}
        >
          {t('dialing.speed.add')}
        </Button>
        <Button size="compact-sm" type="submit" loading={saving.isPending}>
          {t('dialing.speed.save')}
        </Button>
        {onCancel !== undefined && (
          <Button size="compact-sm" variant="subtle" onClick={onCancel}>
            {t('dialing.speed.cancel')}
          </Button>
        )}
      </Group>
    </form>
  );

  /** What is wrong with a field of a row; rows that are empty were not sent. */
  function faultOf(row: Row<E>, part: keyof SpeedDial): string | undefined {
    if (!(saving.error instanceof ApiProblem)) return undefined;
    const place = rows.filter(isGiven).indexOf(row);
    const fault = saving.error.errors.find(({ path }) => path === `${field}[${String(place)}].${part}`);
    return fault === undefined ? undefined : fieldText(t, fault);
  }
}

/** Of an empty list a row to begin with. */
function rowsOf<E>(entries: readonly E[], blank: E): Row<E>[] {
  return (entries.length === 0 ? [blank] : entries).map((entry, key) => ({ entry, key }));
}

function isGiven({ entry: { name, phone_number: phone } }: Row<SpeedDial>): boolean {
  return name.trim() !== '' || phone.trim() !== '';
}

function nextKey(rows: readonly Row<unknown>[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}
