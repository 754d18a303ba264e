import { Button, Group } from '@mantine/core';

type Props = { isChanged: boolean; isSaving: boolean; onReset: () => void };

/** Saves a form, or goes back to what is saved. */
export function SaveBar({ isChanged, isSaving, onReset }: Props) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={isSaving} disabled={!isChanged}>
        Save
      </Button>
      {isChanged && !isSaving && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          Discard changes
        </Button>
      )}
    </Group>
  );
}
