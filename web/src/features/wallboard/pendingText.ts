import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { agentStates } from '../../shared/agentState.tsx';
import type { Reasons } from './useReasons.ts';

/** What comes after the call or wrap-up, where something was asked for: `Not Ready (Meal)`. Null: nothing was. */
export function pendingText(
  { pending_state, pending_reason }: Pick<AgentStateView, 'pending_state' | 'pending_reason'>,
  reasons: Reasons,
): string | null {
  if (pending_state === null) return null;
  const { label } = agentStates[pending_state];
  return pending_reason === null ? label : `${label} (${reasons.text(pending_reason)})`;
}
