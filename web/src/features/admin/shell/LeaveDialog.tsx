import { useState } from 'react';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { answerLeave, useAskedToLeave } from './leaveGuard.ts';

/** Asks before something is lost. */
export function LeaveDialog() {
  const asked = useAskedToLeave();
  // The dialog keeps its words while it fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== null && asked !== shown) setShown(asked);
  const reason = shown?.reason;
  return (
    <Modal opened={asked !== null} onClose={() => answerLeave(false)} title={reason?.title} centered zIndex={600}>
      <Stack>
        <Text>{reason?.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerLeave(true)}>
            {reason?.leave}
          </Button>
          <Button data-autofocus onClick={() => answerLeave(false)}>
            {reason?.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
