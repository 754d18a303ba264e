import { useState } from 'react';
import { Alert, Button, Group, Radio, Select, Stack } from '@mantine/core';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { FreeNowDialog } from './FreeNowDialog.tsx';
import { forceState, type StateWish } from './forceStateRequest.ts';
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
