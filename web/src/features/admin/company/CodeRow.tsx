import { ActionIcon, Checkbox, Group, SimpleGrid, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { codeFor, type EditedCode } from './codeRows.ts';

type Props = {
  row: EditedCode;
  index: number;
  count: number;
  noun: string;
  fault: string | null;
  onChange: (row: EditedCode) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** One code with its label. */
export function CodeRow({ row, index, count, noun, fault, onChange, onMove, onRemove }: Props) {
  const place = `${noun} ${String(index + 1)}`;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" data-row={index}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4} flex={1}>
        <TextInput
          aria-label={`Label of ${place}`}
          placeholder="Label"
          value={row.label}
          onChange={(event) => onChange({ ...row, label: event.currentTarget.value })}
          onBlur={() => {
            if (row.code === '' && row.label !== '') onChange({ ...row, code: codeFor(row.label) });
          }}
          error={fault}
          data-part="label"
        />
        <TextInput
          aria-label={`Code of ${place}`}
          placeholder="code"
          value={row.code}
          onChange={(event) => onChange({ ...row, code: event.currentTarget.value })}
          error={fault !== null}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          spellCheck={false}
          autoComplete="off"
        />
        {row.requires_callback_at !== undefined && (
          <Checkbox
            size="xs"
            label="Needs a time to call back"
            aria-label={`${place} needs a time to call back`}
            checked={row.requires_callback_at}
            onChange={(event) => onChange({ ...row, requires_callback_at: event.currentTarget.checked })}
          />
        )}
      </SimpleGrid>
      <Group gap={2} wrap="nowrap" mt={4}>
        <ActionIcon variant="subtle" color="gray" aria-label={`Move ${place} up`} disabled={index === 0} onClick={() => onMove(-1)} data-part="up">
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${place} down`}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
          data-part="down"
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${place}`} onClick={onRemove} data-part="remove">
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
