import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { isHeldByGateway } from '../workplace/lineWords.ts';
import { setAsideText } from './setAside.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

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
