import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { isHeldByGateway } from './StatusLine.tsx';

/** Says who is Not Ready without having asked for it, and why, with the way back; until it is dismissed or over. */
export function SetAside() {
  const { view, workplace, run } = useWorkplace();
  const { agent } = view;
  const before = useStateBefore(agent);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (agent === null || !isHeldByGateway(view) || agent.since === dismissed) return null;
  const text = setAsideText(agent, before);
  if (text === null) return null;
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color="orange"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => setDismissed(agent.since)}
      data-testid="set-aside"
    >
      <Group gap="xs">
        <Text size="sm" flex="1 1 12rem">
          {text}
        </Text>
        <Button size="compact-sm" color="green" variant="light" onClick={() => run(() => workplace.setReady())}>
          Go Ready
        </Button>
      </Group>
    </Alert>
  );
}

/** What the agent was before this state; null: this page does not know. */
function useStateBefore(agent: AgentStateView | null): AgentStateView | null {
  const [seen, setSeen] = useState<{ now: AgentStateView | null; before: AgentStateView | null }>({ now: null, before: null });
  const isSame = seen.now === agent || (seen.now !== null && agent !== null && seen.now.since === agent.since);
  if (isSame) return seen.before;
  setSeen({ now: agent, before: seen.now });
  return seen.now;
}

/** Why the agent is Not Ready without having asked for it, by the reason that the gateway gives. */
const causes: Readonly<Record<string, string>> = {
  connection_lost: 'You were set to Not Ready because the connection was lost.',
  delivery_failed: 'You were set to Not Ready because a call did not reach this page.',
  rejected: 'You were set to Not Ready because you declined a call.',
  no_answer: 'You were set to Not Ready because you did not answer a call.',
  supervisor: 'A supervisor set you to Not Ready.',
};

const loggedOut = 'You were logged out because the connection was lost for too long. You are Not Ready.';

/**
 * What to tell an agent whom somebody else, or the time, has made Not Ready; null: nothing.
 * @param before what this page knew of the agent before this state; null: nothing
 */
function setAsideText(agent: AgentStateView, before: AgentStateView | null): string | null {
  if (agent.state !== 'not_ready' || agent.reason === null) return null;
  if (agent.reason === 'login') return before === null || before.state === 'offline' ? null : loggedOut;
  return causes[agent.reason] ?? null;
}
