import type { DialVia } from '../contract/ctiConnections.ts';
import type { AgentState, Connection } from '../contract/vocabulary.ts';
import type { AgentId, CallId, ClaimId, CompanyId, Lease, NodeId, SessionId } from './ids.ts';

/** Back within this time, a softphone finds its state, place in the idle order and call as it left them. */
export const reconnectGraceMs = 30_000;
/** A softphone gone for this long is logged out. 300 s, as Avaya does. Milliseconds. */
export const logoutAfterMs = 300_000;
/** When a claim expires that was neither confirmed nor rescinded; longer than a click may take (5 s). Milliseconds. */
export const claimTtlMs = 8_000;
/** When an inbound ring expires that the softphone did not end. Milliseconds. */
export const ringTtlMs = 120_000;
/**
 * When the reservation for a call that a colleague hands on ends,
 * should nobody have said anything: longer than the colleague's softphone has it ring. Milliseconds.
 */
export const transferRingMs = 60_000;
/** How much wrap-up time is left after a key press, within the company's maximum. Milliseconds. */
export const wrapUpTypingMs = 30_000;
/**
 * After this time a confirmed dial is looked up in the durable record, and ruled out if it is not there.
 * Longer than a record may take (6 s), so that none is ruled out that is only slow.
 */
export const recordCheckMs = 8_000;

/**
 * A telephony platform that says nothing of an agent for this long sets the agent's state no more.
 * 12 h, a long shift. Milliseconds.
 */
export const platformSilenceMs = 43_200_000;

/** What a telephony platform says of an agent whose state it sets. */
export type PlatformOwner = {
  /** Its connector, e.g. `genesys`. */
  connector: string;
  /** What it said last. */
  state: AgentState;
  reason: string | null;
  /** The platform's call that the agent is on, by our id. */
  callId: CallId | null;
  /** Who dials for the agent. */
  dialsBy: DialVia;
  /** When its silence ends the ownership. */
  until: number;
  /**
   * What the agent goes back to, where the platform sets the state for the length of a call only;
   * null: it is the owner until it leaves.
   */
  before: { state: 'ready' | 'not_ready'; reason: string | null } | null;
};

/**
 * A second call at the softphone of an agent who is on a call. `ringsUntil`: when its ring expires that the softphone
 * did not end; null: it was answered. Which of the two is heard, and which is on hold, is in the calls.
 */
export type SecondCall = { callId: CallId; ringsUntil: number | null };

/** A call that ended while the agent went on with another: wrapped up after that one, for so long. Milliseconds. */
export type CallToWrapUp = { callId: CallId; wrapUpMs: number };
/** Who has so many calls to wrap up gets no second call. */
export const mostToWrapUp = 20;

export type PendingState = { state: 'ready' | 'not_ready' | 'offline'; reason: string | null };

/**
 * What the gateways share of one agent. Times are milliseconds of the presence store's clock.
 * `version` rises by one per change and guards every write; absent agents count as version 0.
 */
export type Presence = {
  companyId: CompanyId;
  agentId: AgentId;
  version: number;
  state: AgentState;
  reason: string | null;
  since: number;
  connection: Connection;
  connectionSince: number;
  pending: PendingState | null;
  callId: CallId | null;
  /** Of an agent who is `on_call` alone. */
  second: SecondCall | null;
  /** In the order in which they ended. */
  toWrapUp: readonly CallToWrapUp[];
  claimId: ClaimId | null;
  /**
   * Why a reserved agent is reserved: for an offer, or by an inbound ring at its own softphone,
   * which may be yet to come.
   */
  reservedFor: 'offer' | 'ring' | null;
  sessionId: SessionId | null;
  /** Proof of the connection that owns the session now; writes under another lease change nothing. */
  lease: Lease | null;
  nodeId: NodeId | null;
  /** Since when Ready without a call: the place in the idle order. Null unless Ready. */
  idleSince: number | null;
  /** When the state itself lapses (claim, ring, record check, wrap-up). Null: never. */
  expiresAt: number | null;
  /** Who sets the state in the agent's place; null: the softphone. */
  platform: PlatformOwner | null;
};

/**
 * Whether a claim may take this agent: Ready, with a softphone that is connected. An agent whose state a platform sets
 * only where the company said who dials: where the platform does, no softphone is needed.
 */
export function isClaimable({ state, connection, platform }: Presence): boolean {
  if (state !== 'ready' || platform?.dialsBy === 'nobody') return false;
  return platform?.dialsBy === 'platform' || connection === 'connected';
}

/** Whether the agent is busy with what a softphone has: a claim, a call, its wrap-up; not with a platform's call. */
export function isBusyHere({ callId, claimId, platform }: Presence): boolean {
  return claimId !== null || (callId !== null && callId !== platform?.callId);
}

/** Whether a call is one that the agent is at: the one that it is reserved for, on or wraps up, or the second one. */
export function isAtCall({ callId, second }: Pick<Presence, 'callId' | 'second'>, id: CallId): boolean {
  return callId === id || second?.callId === id;
}

/** The agent's next deadline, or null; the store then lists the agent as due. */
export function nextDeadline(presence: Presence): number | null {
  const { expiresAt, platform, second } = presence;
  const times = [expiresAt, second?.ringsUntil, connectionDeadline(presence), platform?.until].filter(
    (time) => time != null,
  );
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * When the lost connection has its next consequence; null while connected or offline,
 * and where a platform has an agent without softphone, unless a softphone's call waits for one; a claim ends by itself.
 */
export function connectionDeadline(presence: Presence): number | null {
  if (
    presence.state === 'offline' ||
    (presence.platform !== null && presence.sessionId === null && !waitsForSoftphone(presence))
  )
    return null;
  switch (presence.connection) {
    case 'connected':
      return null;
    case 'reconnecting':
      return presence.connectionSince + reconnectGraceMs;
    case 'lost':
      return presence.connectionSince + logoutAfterMs;
  }
}

function waitsForSoftphone(presence: Presence): boolean {
  return isBusyHere(presence) && presence.claimId === null;
}

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
  /** `onlyCalls`: with `force`, the calls that may be left for it; absent: whichever they are. */
  | { type: 'ask'; wanted: PendingState; lease: Lease | null; force: boolean; onlyCalls?: readonly CallId[] }
  | { type: 'claim'; claimId: ClaimId; callId: CallId }
  /** `takesSecond`: also beside a call that the agent is on. */
  | { type: 'ring'; claimId: ClaimId; callId: CallId; lease: Lease; takesSecond: boolean }
  | { type: 'confirm'; claimId: ClaimId; sessionId: SessionId }
  /** A call that a colleague hands on: the softphone has said that it may ring. */
  | { type: 'await_ring'; claimId: ClaimId; sessionId: SessionId }
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
  /**
   * A telephony platform says what its agent does. `onlyForCall`: it says so of calls alone,
   * and the agent goes back to its own state after them.
   */
  | {
      type: 'follow_platform';
      companyId: CompanyId;
      agentId: AgentId;
      said: Omit<PlatformOwner, 'before' | 'until'>;
      onlyForCall: boolean;
    }
  /**
   * A platform has taken the dial that the agent was claimed for: its call, from here on.
   * `onlyForCall`: as in `follow_platform`.
   */
  | { type: 'pass_to_platform'; claimId: ClaimId; connector: string; onlyForCall: boolean }
  /** The platform does not set the agent's state any more. */
  | { type: 'leave_platform'; connector: string }
  /** The agent's name or code has changed: the same state is told anew, under a version of its own. */
  | { type: 'rename' }
  | { type: 'fall_due' };

export type PresenceDecision =
  | { kind: 'changed'; next: Presence }
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: 'illegal_transition' | 'stale_lease' | 'stale_session' | 'other_call' | 'platform_owned' };

/** One kind of command. */
export type CommandOf<T extends PresenceCommand['type']> = Extract<PresenceCommand, { type: T }>;
