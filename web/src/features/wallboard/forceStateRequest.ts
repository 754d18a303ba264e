import { notifications } from '@mantine/notifications';
import type { AgentStateView, ForceStateRequest } from '../../../../src/contract/agents.ts';
import { api } from '../../lib/gateway/api.ts';
import { pendingText } from './pendingText.ts';
import { agentStates } from '../../shared/agentState.tsx';
import type { Reasons } from './useReasons.ts';

export type StateWish = Pick<ForceStateRequest, 'state' | 'force'> & { reason?: string; call_id?: string | null };

/** Sets the state of an agent, and notifies whoever is looking of what came of it. Never throws. */
export async function forceState(agent: AgentStateView, wish: StateWish, reasons: Reasons): Promise<void> {
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
