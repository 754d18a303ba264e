import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { otherEndText } from '../../shared/otherEnd.ts';

type Props = { agent: AgentStateView; call: LiveCall | null; opened: boolean; onCancel: () => void; onConfirm: () => void };

/** Asks before a call is ended for an agent. */
export function FreeNowDialog({ agent, call, opened, onCancel, onConfirm }: Props) {
  const who = call === null ? '' : ` with ${call.name ?? otherEndText(call)}`;
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title={`Free ${agent.name} now?`}
      centered
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text>The call{who} ends at once, and is recorded as failed: freed by a supervisor.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            Leave the call
          </Button>
          <Button color="red" onClick={onConfirm}>
            End the call
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
