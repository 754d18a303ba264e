import type { AgentStateView } from '../contract/agents.ts';
import { systemReasons } from '../contract/vocabulary.ts';

export type Wish = { state: 'ready' } | { state: 'not_ready'; reason?: string };

/**
 * What an agent had asked for that a gateway without memory (after a crash, after a loss in its store) has forgotten.
 * Null: nothing, or nothing that the softphone should ask for without its agent.
 * @param before what the softphone knew last
 * @param now what the gateway says after the connection
 */
export function forgottenWish(before: AgentStateView, now: AgentStateView): Wish | null {
  const isSignedInAnew = now.state === 'not_ready' && now.reason === 'login';
  const busy = before.call_id !== null;
  const hasSameCall = busy && now.call_id === before.call_id && now.pending_state === null;
  if (!isSignedInAnew && !hasSameCall) return null;
  if (!busy) return before.state === 'not_ready' && isSystemReason(before.reason) ? null : wishFor(before.state, before.reason);
  // The call of a signed-in agent is over: what was chosen for after it holds, else Ready.
  return wishFor(before.pending_state ?? (isSignedInAnew ? 'ready' : null), before.pending_reason);
}

function wishFor(state: AgentStateView['state'] | null, reason: string | null): Wish | null {
  if (state === 'ready') return { state };
  if (state !== 'not_ready') return null;
  return reason === null || isSystemReason(reason) ? { state } : { state, reason };
}

/** Only the gateway gives these; agents may not ask for them. */
function isSystemReason(reason: string | null): boolean {
  const given: readonly string[] = systemReasons;
  return reason !== null && given.includes(reason);
}
