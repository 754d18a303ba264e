import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import { useDesk } from './workplaceContext.ts';

/** Shown while another tab or device of the same agent is the softphone. */
export function ReplacedScreen() {
  const { workplace } = useDesk();
  return (
    <Paper component="main" withBorder p="lg" mt="sm">
      <Stack align="center" gap="sm" ta="center">
        <IconDevices size={32} aria-hidden />
        <Title order={2}>Your softphone is open somewhere else</Title>
        <Text size="sm">Another tab or device has taken over. Calls and customers are shown there; this page does nothing.</Text>
        <Button onClick={() => workplace.takeOver()}>Take it back to this page</Button>
      </Stack>
    </Paper>
  );
}
