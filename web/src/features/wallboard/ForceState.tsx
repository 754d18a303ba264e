import { useState } from 'react';
import { Alert, Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { AgentStateView, ForceStateRequest } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { api } from '../../lib/gateway/api.ts';
import { agentStates } from '../../shared/agentState.tsx';
import { otherEndText } from '../../shared/otherEnd.ts';
import { pendingText } from './CallText.tsx';
import type { Reasons } from './useReasons.ts';

type Props = { agent: AgentStateView; call: LiveCall | null; reasons: Reasons };

/** What an agent is busy with, and what setting the state at once would do to it. */
const busyWith: Partial<Record<AgentStateView['state'], { after: string; now: string }>> = {
  reserved: { after: 'After the call', now: 'Now: takes the call away' },
  on_call: { after: 'After the call', now: 'Now: ends the call' },
  wrap_up: { after: 'After wrap-up', now: 'Now: ends wrap-up' },
};

/** Sets an agent's state: at once, or after what the agent is busy with. */
export function ForceState({ agent, call, reasons }: Props) {
  const [isNow, setNow] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [asked, setAsked] = useState<StateWish | null>(null);
  const busy = busyWith[agent.state] ?? null;
  const [isOutdated, setOutdated] = useState(false);
  if (asked !== null && (agent.state !== 'on_call' || agent.call_id !== asked.call_id)) {
    // Whoever was asked about one call has said nothing of the next.
    setAsked(null);
    setNow(false);
    setOutdated(true);
  }

  async function send(wish: StateWish): Promise<void> {
    setAsked(null);
    setSending(true);
    await forceState(agent, wish, reasons);
    setSending(false);
    setNow(false);
  }

  function wish(state: StateWish['state']): void {
    const force = busy !== null && isNow;
    setOutdated(false);
    const wished = {
      state,
      force,
      // What it may end is what is seen here, and no call that began meanwhile.
      ...(force ? { call_id: agent.call_id } : {}),
      ...(state === 'not_ready' && reason !== null ? { reason } : {}),
    };
    if (force && agent.state === 'on_call') setAsked(wished);
    else void send(wished);
  }

  return (
    <Stack gap="sm">
      {busy !== null && (
        <Radio.Group aria-label="When" value={isNow ? 'now' : 'after'} onChange={(when) => setNow(when === 'now')}>
          <Group gap="md">
            <Radio size="xs" value="after" label={busy.after} />
            <Radio size="xs" value="now" label={busy.now} />
          </Group>
        </Radio.Group>
      )}
      <Group gap="xs" align="end">
        <Select
          size="xs"
          label="Reason for Not Ready"
          placeholder="Set by a supervisor"
          data={reasons.choices.map(({ code, label }) => ({ value: code, label }))}
          value={reason}
          onChange={setReason}
          clearable
          comboboxProps={{ transitionProps: { duration: 0 } }}
        />
        <Button size="xs" variant="default" loading={isSending} onClick={() => wish('not_ready')}>
          Not Ready
        </Button>
      </Group>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={isSending} onClick={() => wish('ready')}>
          Ready
        </Button>
        <Button size="xs" variant="default" loading={isSending} onClick={() => wish('offline')}>
          Log out
        </Button>
      </Group>
      {isOutdated && (
        <Alert variant="light" p="xs">
          {agent.name} is not on that call any more; nothing was changed.
        </Alert>
      )}
      <FreeNowDialog
        agent={agent}
        call={call?.id === agent.call_id ? call : null}
        opened={asked !== null}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) void send(asked);
        }}
      />
    </Stack>
  );
}

type FreeNowDialogProps = { agent: AgentStateView; call: LiveCall | null; opened: boolean; onCancel: () => void; onConfirm: () => void };

/** Asks before a call is ended for an agent. */
function FreeNowDialog({ agent, call, opened, onCancel, onConfirm }: FreeNowDialogProps) {
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

type StateWish = Pick<ForceStateRequest, 'state' | 'force'> & { reason?: string; call_id?: string | null };

/** Sets the state of an agent, and notifies whoever is looking of what came of it. Never throws. */
async function forceState(agent: AgentStateView, wish: StateWish, reasons: Reasons): Promise<void> {
  try {
    const after = await api.put<AgentStateView>(`/api/agents/${agent.agent_id}/state`, wish);
    notifications.show({ message: resultText(after, reasons), autoClose: 5_000 });
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'The gateway gave no reason.';
    notifications.show({ title: `${agent.name} was not changed`, message: detail, color: 'red', autoClose: false });
  }
}

function resultText(after: AgentStateView, reasons: Reasons): string {
  const next = pendingText(after, reasons);
  const now = agentStates[after.state].label;
  return next === null ? `${after.name}: ${now}.` : `${after.name}: ${now}, then ${next}.`;
}
