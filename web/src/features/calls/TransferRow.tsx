import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Those of one kind whom a call can be handed on to. */
export function TransferList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack component="ul" aria-label={label} gap={4} mt="xs" mb={0} p={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

type Props = {
  name: string;
  /** What else tells who it is, or what they are doing. */
  aside: ReactNode;
  /** Why nothing can be handed on to them; null: it can. */
  blocker: string | null;
  isBusy: boolean;
  /** Whether they can be called first. */
  asksFirst: boolean;
  onChoose: (isAskedFirst: boolean) => void;
};

/** Somebody whom a call can be handed on to: a press does it, or calls them first. */
export function TransferRow({ name, aside, blocker, isBusy, asksFirst, onChoose }: Props) {
  const { t } = useTranslation();
  const isDisabled = isBusy || blocker !== null;
  return (
    <Group component="li" gap={4} wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        fullWidth
        justify="space-between"
        disabled={isDisabled}
        title={blocker ?? undefined}
        rightSection={aside}
        onClick={() => onChoose(false)}
      >
        <Text component="bdi" size="sm" truncate>
          {name}
        </Text>
      </Button>
      {asksFirst && (
        <ActionIcon
          size={30}
          variant="default"
          aria-label={t('transfer.askFirstOf', { name })}
          title={t('transfer.askFirstOf', { name })}
          disabled={isDisabled}
          onClick={() => onChoose(true)}
        >
          <IconPhone size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
