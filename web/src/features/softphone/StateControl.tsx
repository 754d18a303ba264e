import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { agentStates } from '../../shared/agentState.tsx';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import type { RequestableState } from '../../../../src/contract/vocabulary.ts';
import { reasonChoices } from '../../shared/reasonWords.ts';
import { isHeldByGateway } from '../workplace/lineWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Ready, and Not Ready with a reason. During a call it is a wish for after it. */
export function StateControl() {
  const { view, workplace, run } = useWorkplace();
  const { agent } = view;
  if (agent === null) return null;
  if (agent.state === 'offline') {
    return (
      <Button size="compact-sm" onClick={() => workplace.takeOver()}>
        Log in again
      </Button>
    );
  }
  const isBusy = agent.state !== 'ready' && agent.state !== 'not_ready';
  const isConnected = view.line === 'connected';
  const wished = isBusy ? agent.pending_state : agent.state;
  const chosen = isHeldByGateway(view) ? wished : null;
  return (
    <Group gap="xs">
      <Button.Group>
        <Button
          size="compact-sm"
          color="green"
          variant={chosen === 'ready' ? 'light' : 'default'}
          aria-pressed={chosen === 'ready'}
          disabled={!isConnected}
          onClick={() => run(() => workplace.setReady())}
        >
          Ready
        </Button>
        <NotReadyMenu isChosen={chosen === 'not_ready'} isDisabled={!isConnected} />
      </Button.Group>
      {isBusy && agent.pending_state !== null && (
        <Text size="sm" data-testid="pending-state">
          {pendingText(agent.pending_state, agent.pending_reason, view.settings?.not_ready_reasons ?? [])}
        </Text>
      )}
    </Group>
  );
}

/** The reason only where somebody chose it: why the agent was Not Ready before does not matter here. */
function pendingText(state: RequestableState, reason: string | null, choices: readonly CodeWithLabel[]): string {
  const chosen = reasonChoices(choices).find(({ code }) => code === reason);
  return `${agentStates[state].label}${chosen === undefined ? '' : ` (${chosen.label})`} after this call`;
}

function NotReadyMenu({ isChosen, isDisabled }: { isChosen: boolean; isDisabled: boolean }) {
  const { view, workplace, run } = useWorkplace();
  return (
    <Menu position="bottom-end" withinPortal shadow="sm">
      <Menu.Target>
        <Button
          size="compact-sm"
          color="red"
          variant={isChosen ? 'light' : 'default'}
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Not Ready
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reasonChoices(view.settings?.not_ready_reasons ?? []).map(({ code, label }) => (
          <Menu.Item key={code} onClick={() => run(() => workplace.setNotReady(code))}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => run(() => workplace.setNotReady())}>No reason</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
