import { useId, type ReactNode } from 'react';
import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';

type Props = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of a page with a heading. */
export function Section({ title, note, actions, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Box flex="1 1 240px">
            <Title order={2} id={id}>
              {title}
            </Title>
            {note !== undefined && (
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
