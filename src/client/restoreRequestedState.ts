import type { AgentStateView } from '../contract/agents.ts';
import { systemReasons } from '../contract/vocabulary.ts';

export type RequestedState = { state: 'ready' } | { state: 'not_ready'; reason?: string };

/**
 * The state an agent had asked for that the gateway has lost (it crashed, or its store lost data),
 * to be requested again. Null: nothing was lost, or only the agent may ask for it.
 * @param before what the softphone knew last
 * @param now what the gateway says after reconnecting
 */
export function requestedStateToRestore(before: AgentStateView, now: AgentStateView): RequestedState | null {
  // The platform has lost nothing.
  if (now.platform?.sets_state === true) return null;
  const isSignedInAnew = now.state === 'not_ready' && now.reason === 'login';
  const busy = before.call_id !== null;
  const hasSameCall = busy && now.call_id === before.call_id && now.pending_state === null;
  if (!isSignedInAnew && !hasSameCall) return null;
  if (!busy) {
    return before.state === 'not_ready' && isSystemReason(before.reason)
      ? null
      : requestFor(before.state, before.reason);
  }
  // The agent was signed in anew, so the call is over: the state chosen for after it, else Ready.
  return requestFor(before.pending_state ?? (isSignedInAnew ? 'ready' : null), before.pending_reason);
}

function requestFor(state: AgentStateView['state'] | null, reason: string | null): RequestedState | null {
  if (state === 'ready') return { state };
  if (state !== 'not_ready') return null;
  return reason === null || isSystemReason(reason) ? { state } : { state, reason };
}

/** Only the gateway gives these; agents may not ask for them. */
function isSystemReason(reason: string | null): boolean {
  const given: readonly string[] = systemReasons;
  return reason !== null && given.includes(reason);
}
