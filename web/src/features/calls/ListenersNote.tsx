import { Group, Text } from '@mantine/core';
import { IconEar, IconMicrophone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ShownListener } from '../workplace/workplace.ts';

/** Which supervisors hear the call, and who hears them. */
export function ListenersNote({ listeners }: { listeners: readonly ShownListener[] }) {
  const { t } = useTranslation();
  return (
    <output data-testid="listeners">
      {listeners.map(({ id, name, mode }) => (
        <Group key={id} gap="xs" mt="xs" wrap="nowrap">
          {mode === 'listen' ? <IconEar size={16} aria-hidden /> : <IconMicrophone size={16} aria-hidden />}
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {t(`audio.heardBy.${mode}`, { name })}
          </Text>
        </Group>
      ))}
    </output>
  );
}
