import { Button, Group } from '@mantine/core';

type Props = { isChanged: boolean; isSaving: boolean; onReset: () => void; label?: string };

/** Saves a form, or goes back to what is saved. */
export function SaveBar({ isChanged, isSaving, onReset, label = 'Save' }: Props) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={isSaving} disabled={!isChanged}>
        {label}
      </Button>
      {isChanged && !isSaving && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          Discard changes
        </Button>
      )}
    </Group>
  );
}
