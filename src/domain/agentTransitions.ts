import type { AgentState } from '../contract/vocabulary.ts';

/** What may move an agent from one state to another. */
export type AgentTrigger =
  | 'session_opened'
  | 'asked'
  | 'claimed'
  | 'ring'
  | 'confirmed'
  | 'answered'
  | 'offer_failed'
  | 'ring_unanswered'
  | 'canceled'
  | 'manual_dial'
  | 'dial_not_recorded'
  | 'call_ended'
  | 'wrap_up_over'
  | 'connection_lost'
  | 'call_found'
  | 'signed_out'
  | 'platform_said';

/**
 * Every move that exists: from → trigger → to. The code refuses any other, the tests walk it, and
 * docs/integrating/reference.md sums it up by state.
 */
export const agentTransitions = {
  // `call_found`: a gateway that restarts finds the agent's call on record.
  offline: {
    session_opened: ['not_ready'],
    call_found: ['on_call'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up'],
  },
  not_ready: {
    asked: ['ready', 'not_ready'],
    // A phone also rings for an agent who is Not Ready. Claims take Ready agents alone.
    ring: ['reserved'],
    manual_dial: ['on_call'],
    connection_lost: ['not_ready'],
    signed_out: ['offline'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'],
    call_found: ['on_call'],
  },
  ready: {
    asked: ['not_ready', 'ready'],
    claimed: ['reserved'],
    ring: ['reserved'],
    manual_dial: ['on_call'],
    connection_lost: ['not_ready'],
    signed_out: ['offline'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'],
    call_found: ['on_call'],
  },
  reserved: {
    confirmed: ['on_call'],
    answered: ['on_call'],
    offer_failed: ['not_ready'],
    // To wrap up: a call that ended while this one rang beside it.
    ring_unanswered: ['not_ready', 'wrap_up'],
    canceled: ['ready', 'not_ready', 'wrap_up'],
    signed_out: ['offline'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'],
    call_found: ['on_call'],
  },
  on_call: {
    // On with the second call, which rings or was answered.
    call_ended: ['wrap_up', 'ready', 'not_ready', 'offline', 'on_call', 'reserved'],
    // The dial was never made, so there is nothing of it to wrap up.
    dial_not_recorded: ['ready', 'not_ready', 'offline', 'on_call', 'reserved', 'wrap_up'],
    signed_out: ['offline'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'],
    call_found: ['on_call'],
  },
  wrap_up: {
    // To wrap up: the next of several.
    wrap_up_over: ['ready', 'not_ready', 'offline', 'wrap_up'],
    asked: ['ready', 'not_ready'],
    signed_out: ['offline'],
    platform_said: ['ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'],
    call_found: ['on_call'],
  },
} as const satisfies Record<AgentState, Partial<Record<AgentTrigger, readonly AgentState[]>>>;

/** Whether the table has this move. */
export function mayMove(from: AgentState, trigger: AgentTrigger, to: AgentState): boolean {
  const moves: Partial<Record<AgentTrigger, readonly AgentState[]>> = agentTransitions[from];
  return moves[trigger]?.includes(to) ?? false;
}
