import { Text, VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ghost } from '../../../shared/dragging/Ghost.tsx';
import { usePickedUp } from '../../../shared/dragging/usePickedUp.ts';
import classes from './LayoutList.module.css';
import { LayoutRow } from './LayoutRow.tsx';
import { moveTo, type Row } from './layoutRows.ts';

type Props = {
  rows: readonly Row[];
  /** What a field is called where its row says nothing. */
  usualOf: (row: Row) => string;
  /** Kinds of records that are known. */
  objects: readonly string[];
  /** Fields of the customer who is looked at. */
  keys: readonly string[];
  /** What the gateway has against fields, by their paths. */
  faults: Readonly<Record<string, string>>;
  onChange: (rows: Row[]) => void;
};

/** The fields that are arranged, in their order: moved by drag, by touch at the handle, or by keyboard there. */
export function LayoutList({ rows, usualOf, objects, keys, faults, onChange }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [said, say] = useState('');
  const count = rows.length;
  const nameOf = (row: Row) => row.label ?? usualOf(row);
  const positionOf = (place: string) => rows.findIndex(({ id }) => id === place) + 1;
  const picked = usePickedUp<Row>({
    area: list,
    places: rows.map(({ id }) => id),
    axis: 'y',
    idOf: ({ id }) => id,
    placeOf: ({ id }) => id,
    onDrop: (row, place) => {
      onChange(moveTo(rows, row.id, place));
      say(t('popLayout.fields.moved', { field: nameOf(row), position: positionOf(place), count }));
    },
    onPickedUp: (row) =>
      say(t('popLayout.fields.pickedUp', { field: nameOf(row), position: positionOf(row.id), count })),
    onOver: (_row, _place, position) => say(t('popLayout.fields.over', { position, count })),
    onLeft: (row) => say(t('popLayout.fields.left', { field: nameOf(row) })),
  });

  function remove(row: Row): void {
    onChange(rows.filter(({ id }) => id !== row.id));
    say(t('popLayout.fields.removed', { field: nameOf(row) }));
  }

  return (
    <>
      {count === 0 && <Text size="sm">{t('popLayout.fields.none')}</Text>}
      <VisuallyHidden>
        <div aria-live="assertive" data-testid="layout-announcement">
          {said}
        </div>
        <p id="layout-keys">{t('popLayout.fields.keys')}</p>
      </VisuallyHidden>
      <ul
        ref={list}
        className={classes.list}
        aria-label={t('popLayout.fields.title')}
        data-dragging={picked.ghost !== null || undefined}
      >
        {rows.map((row, index) => (
          <LayoutRow
            key={row.id}
            row={row}
            usual={usualOf(row)}
            objects={objects}
            keys={keys}
            error={faults[`fields.${String(index)}.label`]}
            picked={picked}
            onChange={(changed) => onChange(rows.with(index, changed))}
            onRemove={() => remove(row)}
          />
        ))}
      </ul>
      <Ghost at={picked.ghost}>{picked.held !== null && nameOf(picked.held.item)}</Ghost>
    </>
  );
}
