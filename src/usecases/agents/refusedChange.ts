import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import type { PresenceChange } from './changePresence.ts';

/** Why a softphone's or a supervisor's wish changed nothing, with the agent's current state. */
export function refusedChange(change: Exclude<PresenceChange, { kind: 'changed' }>, wish: string): Refused {
  if (change.kind === 'refused' && (change.code === 'stale_lease' || change.code === 'stale_session')) {
    return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  }
  const agentState = currentState(change.current);
  if (change.kind === 'refused' && change.code === 'other_call') {
    return refuse('conflict', 'The agent is busy with another call by now; nothing was changed.', { agentState });
  }
  return refuse('conflict', `An agent who is ${agentState.state} cannot ${wish}.`, { agentState });
}

function currentState(presence: Presence | null) {
  if (presence === null) return { state: 'offline' as const, reason: null, since: null };
  return { state: presence.state, reason: presence.reason, since: new Date(presence.since) };
}
