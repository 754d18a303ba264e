import type { AgentId, CallId, ClaimId, CompanyId, Lease, NodeId, SessionId } from './ids.ts';
import type { PendingState, Presence } from './presence.ts';

/** What can happen to an agent's presence. Commands with a `lease` come from a softphone. */
export type PresenceCommand =
  /** `resumes`: the session goes on if nobody has taken over; otherwise it is a new one, which takes over. */
  | {
      type: 'open_session';
      companyId: CompanyId;
      agentId: AgentId;
      sessionId: SessionId;
      resumes: boolean;
      lease: Lease;
      nodeId: NodeId;
    }
  | { type: 'lose_connection'; lease: Lease }
  /** The gateway still has the connection that other gateways believed lost. */
  | { type: 'keep_connection'; lease: Lease }
  /** `onlyCall`: with `force`, the one call that may be left for it; null: none; absent: whichever it is. */
  | { type: 'ask'; wanted: PendingState; lease: Lease | null; force: boolean; onlyCall?: CallId | null }
  | { type: 'claim'; claimId: ClaimId; callId: CallId }
  | { type: 'ring'; claimId: ClaimId; callId: CallId; lease: Lease }
  | { type: 'confirm'; claimId: ClaimId; sessionId: SessionId }
  | { type: 'answer'; callId: CallId }
  | { type: 'fail_offer'; claimId: ClaimId; reason: 'delivery_failed' | 'rejected' }
  /** The gateway that the softphone is connected to does not answer. */
  | { type: 'offer_unreachable'; claimId: ClaimId }
  | { type: 'miss_ring'; callId: CallId; reason: 'no_answer' | 'rejected' }
  | { type: 'cancel'; callId: CallId }
  | { type: 'dial_by_hand'; callId: CallId; lease: Lease }
  /** It is ruled out, for good, that the call will be recorded. */
  | { type: 'drop_unrecorded'; callId: CallId }
  | { type: 'keep_recorded'; callId: CallId }
  | { type: 'end_call'; callId: CallId; wrapUpMs: number }
  /** The agent is typing. `maxMs`: how long a wrap-up may last in all. */
  | { type: 'extend_wrap_up'; callId: CallId; lease: Lease; maxMs: number }
  | { type: 'finish_wrap_up'; callId: CallId }
  | { type: 'restore_call'; companyId: CompanyId; agentId: AgentId; callId: CallId; lostSince: number }
  /** The agent's name or code has changed: the same state is told anew, under a version of its own. */
  | { type: 'rename' }
  | { type: 'fall_due' };

export type PresenceDecision =
  | { kind: 'changed'; next: Presence }
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: 'illegal_transition' | 'stale_lease' | 'stale_session' | 'other_call' };

/** One kind of command. */
export type CommandOf<T extends PresenceCommand['type']> = Extract<PresenceCommand, { type: T }>;
