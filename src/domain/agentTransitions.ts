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
  | 'signed_out';

/**
 * Every move that exists: from → trigger → to. The code refuses any other, the tests walk it, the documentation
 * prints it.
 */
export const agentTransitions = {
  offline: { session_opened: ['not_ready'], call_found: ['on_call'] },
  not_ready: {
    asked: ['ready', 'not_ready'],
    ring: ['reserved'],
    manual_dial: ['on_call'],
    connection_lost: ['not_ready'],
    signed_out: ['offline'],
  },
  ready: {
    asked: ['not_ready', 'ready'],
    claimed: ['reserved'],
    ring: ['reserved'],
    manual_dial: ['on_call'],
    connection_lost: ['not_ready'],
    signed_out: ['offline'],
  },
  reserved: {
    confirmed: ['on_call'],
    answered: ['on_call'],
    offer_failed: ['not_ready'],
    ring_unanswered: ['not_ready'],
    canceled: ['ready', 'not_ready'],
    signed_out: ['offline'],
  },
  on_call: {
    call_ended: ['wrap_up', 'ready', 'not_ready', 'offline'],
    dial_not_recorded: ['ready', 'not_ready', 'offline'],
    signed_out: ['offline'],
  },
  wrap_up: {
    wrap_up_over: ['ready', 'not_ready', 'offline'],
    asked: ['ready', 'not_ready'],
    signed_out: ['offline'],
  },
} as const satisfies Record<AgentState, Partial<Record<AgentTrigger, readonly AgentState[]>>>;

/** Whether the table has this move. */
export function mayMove(from: AgentState, trigger: AgentTrigger, to: AgentState): boolean {
  const moves: Partial<Record<AgentTrigger, readonly AgentState[]>> = agentTransitions[from];
  return moves[trigger]?.includes(to) ?? false;
}
