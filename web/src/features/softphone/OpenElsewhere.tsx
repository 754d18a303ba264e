import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = { title: string; text: string; action: string; onAction: () => void; children?: ReactNode };

/** In place of the work of a tab that is not the softphone. */
export function OpenElsewhere({ title, text, action, onAction, children }: Props) {
  return (
    <Paper component="main" withBorder p="lg" mt="sm">
      <Stack align="center" gap="sm" ta="center">
        <IconDevices size={32} aria-hidden />
        <Title order={2}>{title}</Title>
        <Text size="sm">{text}</Text>
        <Button onClick={onAction}>{action}</Button>
        {children}
      </Stack>
    </Paper>
  );
}
