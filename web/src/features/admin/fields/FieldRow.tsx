import { Group, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../../src/contract/contactFields.ts';
import { Problem } from '../components/Loaded.tsx';
import { RowActions } from '../components/RowActions.tsx';
import { useUpdateField } from './fieldQueries.ts';

type Props = {
  field: FieldView;
  index: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onEdit: () => void;
  onRemove: () => void;
};

/** One field: what it holds, whether it is shown when the phone rings, and its place. */
export function FieldRow({ field, index, count, onMove, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  const saving = useUpdateField();
  const { label } = field;
  return (
    <Group justify="space-between" gap="xs" py={6} data-field={field.key}>
      <div style={{ flex: '1 1 10rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {[t(`admin.fields.kinds.${field.kind}`), ...(field.choices === null ? [] : [field.choices.join(', ')])].join(
            ': ',
          )}
        </Text>
        <Problem error={saving.error} />
      </div>
      <Group gap="xs" wrap="nowrap">
        <Switch
          size="xs"
          label={t('admin.fields.onPop')}
          aria-label={t('admin.fields.onPopOf', { label })}
          checked={saving.isPending && saving.input?.on_pop !== undefined ? saving.input.on_pop : field.on_pop}
          onChange={(event) => saving.run({ key: field.key, on_pop: event.currentTarget.checked })}
        />
        <RowActions
          actions={[
            { part: 'up', text: t('admin.fields.up', { label }), isOff: index === 0, act: () => onMove(-1) },
            { part: 'down', text: t('admin.fields.down', { label }), isOff: index === count - 1, act: () => onMove(1) },
            { part: 'edit', text: t('admin.fields.editOf', { label }), act: onEdit },
            { part: 'remove', text: t('admin.fields.removeOf', { label }), act: onRemove },
          ]}
        />
      </Group>
    </Group>
  );
}
