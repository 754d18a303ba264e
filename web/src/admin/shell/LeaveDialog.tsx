import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { answerLeave, useAskedToLeave } from './leaveGuard.ts';

/** Asks before something is lost. */
export function LeaveDialog() {
  const asked = useAskedToLeave();
  return (
    <Modal opened={asked !== null} onClose={() => answerLeave(false)} title={asked?.reason.title} centered zIndex={600}>
      <Stack>
        <Text>{asked?.reason.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerLeave(true)}>
            {asked?.reason.leave}
          </Button>
          <Button data-autofocus onClick={() => answerLeave(false)}>
            {asked?.reason.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
