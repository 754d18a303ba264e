import { Text } from '@mantine/core';
import { useId } from 'react';

type Props = {
  label: string;
  /** 0 to 100. */
  value: number;
  onChange: (value: number) => void;
};

/** How loud something is. The browser's own, which weighs nothing. */
export function VolumeSlider({ label, value, onChange }: Props) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>
        <Text size="sm">{label}</Text>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={5}
        value={value}
        style={{ accentColor: 'var(--mantine-primary-color-filled)' }}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </>
  );
}
