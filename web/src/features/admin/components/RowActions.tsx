import { ActionIcon, Group, type GroupProps } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react';

const icons = { up: IconArrowUp, down: IconArrowDown, edit: IconPencil, remove: IconTrash };

type RowAction = { part: keyof typeof icons; text: string; isOff?: boolean; act: () => void };

/** What can be done with a row of a list. */
export function RowActions({ actions, ...look }: GroupProps & { actions: readonly RowAction[] }) {
  return (
    <Group gap={2} wrap="nowrap" {...look}>
      {actions.map(({ part, text, isOff = false, act }) => {
        const Icon = icons[part];
        return (
          <ActionIcon
            key={part}
            variant="subtle"
            color="gray"
            aria-label={text}
            disabled={isOff}
            onClick={act}
            data-part={part}
          >
            <Icon size={16} />
          </ActionIcon>
        );
      })}
    </Group>
  );
}
