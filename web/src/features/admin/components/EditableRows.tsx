import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../lib/gateway/useAction.ts';
import { Confirm } from './Confirm.tsx';
import { RowActions } from './RowActions.tsx';
import { useAsked } from './useAsked.ts';

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
  const removal = useAsked<T | null>(null, removing);
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
          <RowActions
            actions={[
              { part: 'edit', text: t(`${area}.editOf`, { name: item.name }), act: () => onEdit(item) },
              { part: 'remove', text: t(`${area}.removeOf`, { name: item.name }), act: () => removal.ask(item) },
            ]}
          />
        </Group>
      ))}
      <Confirm
        isOpen={removal.isOpen}
        title={t(`${area}.remove.title`, { name: removal.about?.name ?? '' })}
        action={t(`${area}.remove.action`)}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removal.about !== null && removing.run(removal.about.id, { onSuccess: removal.close })}
        onClose={removal.close}
      >
        {t(`${area}.remove.text`)}
      </Confirm>
    </>
  );
}
