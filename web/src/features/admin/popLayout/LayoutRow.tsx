import { ActionIcon, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconEyeOff, IconGripVertical, IconPin, IconX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { type PopFormat, popFormats } from '../../../../../src/contract/vocabulary.ts';
import type { PickedUp } from '../../../shared/dragging/usePickedUp.ts';
import { CurrencySelect } from './CurrencySelect.tsx';
import classes from './LayoutList.module.css';
import type { Row } from './layoutRows.ts';

type Props = {
  row: Row;
  /** What the field is called where the row says nothing. */
  usual: string;
  /** Kinds of records that are known. */
  objects: readonly string[];
  /** Other fields of the customer who is looked at, which may name a currency. */
  keys: readonly string[];
  error: string | undefined;
  picked: PickedUp<Row>;
  onChange: (row: Row) => void;
  onRemove: () => void;
};

/** One field: its place, what it is called, how it is written, and whether it is pinned or hidden. */
export function LayoutRow({ row, usual, objects, keys, error, picked, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const field = row.label === undefined || row.label.trim() === '' ? usual : row.label;
  const { held } = picked;
  const isHeld = held?.item.id === row.id;
  const kinds = row.object === undefined || objects.includes(row.object) ? objects : [...objects, row.object];

  const set = (change: Partial<Row>) => onChange({ ...row, ...change });

  return (
    <li
      className={classes.row}
      data-item={row.id}
      data-place={row.id}
      data-held={isHeld || undefined}
      data-over={(held !== null && !isHeld && held.over === row.id) || undefined}
      data-key={row.key}
    >
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.handle ?? ''}
        aria-label={t('popLayout.fields.move', { field })}
        aria-describedby="layout-keys"
        aria-pressed={isHeld}
        data-part="handle"
        {...picked.itemEvents(row)}
        {...picked.handleEvents(row)}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
      <div className={classes.settings}>
        <Group gap="xs" align="flex-start">
          <TextInput
            size="xs"
            className={classes.label ?? ''}
            aria-label={t('popLayout.fields.label', { field: usual })}
            placeholder={usual}
            maxLength={200}
            value={row.label ?? ''}
            error={error}
            onChange={(event) =>
              set({ label: event.currentTarget.value === '' ? undefined : event.currentTarget.value })
            }
          />
          <NativeSelect
            size="xs"
            w={150}
            aria-label={t('popLayout.fields.format', { field })}
            data={popFormats.map((format) => ({ value: format, label: t(`popLayout.formats.${format}`) }))}
            value={row.format ?? 'auto'}
            onChange={(event) => set({ format: event.currentTarget.value as PopFormat })}
          />
          {row.format === 'money' && <CurrencySelect row={row} field={field} keys={keys} onChange={set} />}
          {kinds.length > 0 && (
            <NativeSelect
              size="xs"
              w={180}
              aria-label={t('popLayout.fields.object', { field })}
              data={[
                { value: '', label: t('popLayout.fields.everyObject') },
                ...kinds.map((object) => ({ value: object, label: t('popLayout.fields.ofObject', { object }) })),
              ]}
              value={row.object ?? ''}
              onChange={(event) =>
                set({ object: event.currentTarget.value === '' ? undefined : event.currentTarget.value })
              }
            />
          )}
        </Group>
        <Text size="xs" c="dimmed" ff="monospace" className={classes.key ?? ''}>
          {row.key}
        </Text>
      </div>
      <Group gap={2} wrap="nowrap" align="flex-start">
        <Toggle
          isOn={row.pinned === true}
          name={t('popLayout.fields.pin', { field })}
          icon={IconPin}
          onToggle={(pinned) => set({ pinned, hidden: undefined })}
        />
        <Toggle
          isOn={row.hidden === true}
          name={t('popLayout.fields.hide', { field })}
          icon={IconEyeOff}
          onToggle={(hidden) => set({ hidden, pinned: undefined })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('popLayout.fields.remove', { field })}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}

type ToggleProps = {
  isOn: boolean;
  name: string;
  icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;
  onToggle: (isOn: boolean) => void;
};

function Toggle({ isOn, name, icon: Icon, onToggle }: ToggleProps) {
  const look = isOn ? ({ variant: 'filled' } as const) : ({ variant: 'subtle', color: 'gray' } as const);
  return (
    <ActionIcon {...look} aria-label={name} aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
