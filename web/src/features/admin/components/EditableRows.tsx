import { ActionIcon, Group, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../lib/gateway/useAction.ts';
import { Confirm } from './Confirm.tsx';

type Named = { id: string; name: string };

type Props<T extends Named> = {
  items: readonly T[];
  /** Which texts: `{area}.editOf`, `{area}.removeOf` and those of `{area}.remove`. */
  area: 'teams' | 'admin.pipelines';
  /** Behind the name. */
  mark?: (item: T) => ReactNode;
  /** Below the name. */
  detail: (item: T) => ReactNode;
  removing: Action<string, unknown>;
  onEdit: (item: T) => void;
};

/** What an admin has named, a line each, to be edited, or removed once that is confirmed. */
export function EditableRows<T extends Named>({ items, area, mark, detail, removing, onEdit }: Props<T>) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<T | null>(null);

  function ask(item: T): void {
    removing.reset();
    setAsked(item);
  }

  return (
    <>
      {items.map((item) => (
        <Group key={item.id} justify="space-between" gap="xs" py={6} wrap="nowrap" data-item={item.id}>
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              <bdi>{item.name}</bdi> {mark?.(item)}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {detail(item)}
            </Text>
          </div>
          <Group gap={2} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t(`${area}.editOf`, { name: item.name })}
              onClick={() => onEdit(item)}
            >
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t(`${area}.removeOf`, { name: item.name })}
              onClick={() => ask(item)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Confirm
        isOpen={asked !== null}
        title={t(`${area}.remove.title`, { name: asked?.name ?? '' })}
        action={t(`${area}.remove.action`)}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => asked !== null && removing.run(asked.id, { onSuccess: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        {t(`${area}.remove.text`)}
      </Confirm>
    </>
  );
}
