import type { AgentState } from '../contract/vocabulary.ts';
import { mayMove, type AgentTrigger } from './agentTransitions.ts';
import type { AgentId, CallId, ClaimId, CompanyId, Lease, NodeId, SessionId } from './ids.ts';
import {
  claimTtlMs,
  connectionDeadline,
  isClaimable,
  recordCheckMs,
  ringTtlMs,
  type PendingState,
  type Presence,
} from './presence.ts';
import { unreachable } from './unreachable.ts';

/** What can happen to an agent's presence. Commands with a `lease` come from a softphone. */
export type PresenceCommand =
  | { type: 'open_session'; companyId: CompanyId; agentId: AgentId; sessionId: SessionId; lease: Lease; nodeId: NodeId }
  | { type: 'lose_connection'; lease: Lease }
  | { type: 'ask'; wanted: PendingState; lease: Lease | null; force: boolean }
  | { type: 'claim'; claimId: ClaimId; callId: CallId }
  | { type: 'ring'; claimId: ClaimId; callId: CallId; lease: Lease }
  | { type: 'confirm'; claimId: ClaimId; sessionId: SessionId }
  | { type: 'answer'; callId: CallId }
  | { type: 'fail_offer'; claimId: ClaimId; reason: 'delivery_failed' | 'rejected' }
  | { type: 'miss_ring'; callId: CallId; reason: 'no_answer' | 'rejected' }
  | { type: 'cancel'; callId: CallId }
  | { type: 'dial_by_hand'; callId: CallId; lease: Lease }
  | { type: 'drop_unrecorded'; callId: CallId }
  | { type: 'keep_recorded'; callId: CallId }
  | { type: 'end_call'; callId: CallId; wrapUpMs: number }
  | { type: 'finish_wrap_up'; callId: CallId }
  | { type: 'restore_call'; companyId: CompanyId; agentId: AgentId; callId: CallId; lostSince: number }
  | { type: 'fall_due' };

export type PresenceDecision =
  | { kind: 'changed'; next: Presence }
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: 'illegal_transition' | 'stale_lease' };

const unchanged: PresenceDecision = { kind: 'unchanged' };
const illegal: PresenceDecision = { kind: 'refused', code: 'illegal_transition' };
const stale: PresenceDecision = { kind: 'refused', code: 'stale_lease' };

/**
 * Decides what a command makes of an agent's presence: pure, so that every adapter and test obeys the same rules.
 * The caller writes `next` only if the stored version is still the one decided upon.
 * @param now milliseconds of the presence store's clock
 */
export function decidePresence(presence: Presence | null, command: PresenceCommand, now: number): PresenceDecision {
  if (command.type === 'open_session') return openSession(presence, command, now);
  if (command.type === 'restore_call') return restoreCall(presence, command, now);
  if (presence === null || presence.state === 'offline') return illegal;
  if ('lease' in command && command.lease !== null && command.lease !== presence.lease) return stale;
  switch (command.type) {
    case 'lose_connection':
      return presence.connection === 'connected'
        ? change(presence, { connection: 'reconnecting', connectionSince: now })
        : unchanged;
    case 'ask':
      return ask(presence, command, now);
    case 'claim':
      return isClaimable(presence) ? reserve(presence, 'claimed', command, now) : illegal;
    case 'ring':
      return presence.state === 'ready' || presence.state === 'not_ready'
        ? reserve(presence, 'ring', command, now)
        : illegal;
    case 'confirm':
      return holdsClaim(presence, command.claimId) && presence.sessionId === command.sessionId
        ? move(presence, 'confirmed', 'on_call', now, { ...noClaim, expiresAt: now + recordCheckMs })
        : illegal;
    case 'answer':
      return isRinging(presence, command.callId) ? move(presence, 'answered', 'on_call', now, noClaim) : illegal;
    case 'fail_offer':
      return holdsClaim(presence, command.claimId)
        ? withdraw(presence, 'offer_failed', command.reason, now)
        : unchanged;
    case 'miss_ring':
      return isRinging(presence, command.callId)
        ? withdraw(presence, 'ring_unanswered', command.reason, now)
        : unchanged;
    case 'cancel':
      return presence.state === 'reserved' && presence.callId === command.callId
        ? proceed(presence, 'canceled', now)
        : unchanged;
    case 'dial_by_hand':
      return presence.state === 'ready' || presence.state === 'not_ready'
        ? move(presence, 'manual_dial', 'on_call', now, {
            callId: command.callId,
            pending: stateToReturnTo(presence),
            expiresAt: now + recordCheckMs,
          })
        : illegal;
    case 'drop_unrecorded':
      return isOnCall(presence, command.callId) ? proceed(presence, 'dial_not_recorded', now) : unchanged;
    case 'keep_recorded':
      return isOnCall(presence, command.callId) && presence.expiresAt !== null
        ? change(presence, { expiresAt: null })
        : unchanged;
    case 'end_call':
      return endCall(presence, command, now);
    case 'finish_wrap_up':
      return presence.state === 'wrap_up' && presence.callId === command.callId
        ? proceed(presence, 'wrap_up_over', now)
        : unchanged;
    case 'fall_due':
      return fallDue(presence, now);
    default:
      return unreachable(command);
  }
}

const noClaim = { claimId: null, reservedFor: null } as const;
const noCall = { callId: null, ...noClaim } as const;

function openSession(
  presence: Presence | null,
  command: Extract<PresenceCommand, { type: 'open_session' }>,
  now: number,
): PresenceDecision {
  const owner = {
    sessionId: command.sessionId,
    lease: command.lease,
    nodeId: command.nodeId,
    connection: 'connected',
    connectionSince: now,
  } as const;
  const { companyId, agentId } = command;
  const stored = presence ?? absent(companyId, agentId);
  const settled = settle(stored, now);
  if (settled.state !== 'offline') return change(settled, owner, stored.version);
  const login = { reason: 'login', pending: null, ...noCall, ...owner };
  return move({ ...settled, version: stored.version }, 'session_opened', 'not_ready', now, login);
}

/** A gateway that restarted without presence finds a call in the durable record: its softphone may come back. */
function restoreCall(
  presence: Presence | null,
  command: Extract<PresenceCommand, { type: 'restore_call' }>,
  now: number,
): PresenceDecision {
  const before = presence ?? absent(command.companyId, command.agentId);
  if (before.state !== 'offline') return illegal;
  return move(before, 'call_found', 'on_call', now, {
    callId: command.callId,
    connection: 'lost',
    connectionSince: command.lostSince,
    sessionId: null,
    lease: null,
    nodeId: null,
  });
}

/** An agent the store knows nothing of. */
function absent(companyId: CompanyId, agentId: AgentId): Presence {
  return {
    companyId,
    agentId,
    version: 0,
    state: 'offline',
    reason: null,
    since: 0,
    connection: 'lost',
    connectionSince: 0,
    pending: null,
    ...noCall,
    sessionId: null,
    lease: null,
    nodeId: null,
    idleSince: null,
    expiresAt: null,
  };
}

function ask(presence: Presence, command: Extract<PresenceCommand, { type: 'ask' }>, now: number): PresenceDecision {
  const { wanted, force } = command;
  switch (presence.state) {
    case 'ready':
    case 'not_ready':
      if (wanted.state === 'offline') return signOut(presence, now);
      if (presence.state === wanted.state && presence.reason === wanted.reason) return unchanged;
      if (wanted.state === 'ready' && presence.connection === 'lost') return illegal;
      return move(presence, 'asked', wanted.state, now, { reason: wanted.reason });
    case 'wrap_up':
      if (wanted.state === 'offline') return signOut(presence, now);
      return force ? proceed({ ...presence, pending: wanted }, 'asked', now) : change(presence, { pending: wanted });
    case 'reserved':
    case 'on_call':
      if (!force) return change(presence, { pending: wanted });
      // The caller ends the call itself; see forceState.
      return presence.state === 'on_call'
        ? proceed({ ...presence, pending: wanted }, 'call_ended', now)
        : proceed({ ...presence, pending: wanted }, 'canceled', now);
    case 'offline':
      return illegal;
    default:
      return unreachable(presence.state);
  }
}

function reserve(
  presence: Presence,
  trigger: 'claimed' | 'ring',
  { claimId, callId }: { claimId: ClaimId; callId: CallId },
  now: number,
): PresenceDecision {
  return move(presence, trigger, 'reserved', now, {
    claimId,
    callId,
    reservedFor: trigger === 'ring' ? 'ring' : 'offer',
    pending: trigger === 'ring' ? stateToReturnTo(presence) : null,
    expiresAt: now + (trigger === 'ring' ? ringTtlMs : claimTtlMs),
  });
}

function endCall(
  presence: Presence,
  command: Extract<PresenceCommand, { type: 'end_call' }>,
  now: number,
): PresenceDecision {
  if (!isOnCall(presence, command.callId)) return unchanged;
  if (command.wrapUpMs === 0) return proceed(presence, 'call_ended', now);
  return move(presence, 'call_ended', 'wrap_up', now, {
    callId: command.callId,
    pending: presence.pending,
    expiresAt: now + command.wrapUpMs,
  });
}

/** Where an agent goes after a call or wrap-up: what was asked for meanwhile, else Ready. */
function proceed(presence: Presence, trigger: AgentTrigger, now: number): PresenceDecision {
  const pending = presence.pending ?? { state: 'ready', reason: null };
  if (pending.state === 'offline') return signOut(presence, now);
  if (pending.state === 'ready' && presence.connection === 'lost') {
    return move(presence, trigger, 'not_ready', now, { reason: 'connection_lost', pending: null, ...noCall });
  }
  return move(presence, trigger, pending.state, now, { reason: pending.reason, pending: null, ...noCall });
}

/** A reserved agent who did not take the call: not Ready, unless it asked to sign out meanwhile. */
function withdraw(
  presence: Presence,
  trigger: 'offer_failed' | 'ring_unanswered',
  reason: 'delivery_failed' | 'rejected' | 'no_answer',
  now: number,
): PresenceDecision {
  if (presence.pending?.state === 'offline') return signOut(presence, now);
  return move(presence, trigger, 'not_ready', now, { reason, pending: null, ...noCall });
}

function signOut(presence: Presence, now: number): PresenceDecision {
  return move(presence, 'signed_out', 'offline', now, {
    pending: null,
    ...noCall,
    sessionId: null,
    lease: null,
    nodeId: null,
    connection: 'lost',
    connectionSince: now,
  });
}

/** The consequences of time alone. */
function fallDue(presence: Presence, now: number): PresenceDecision {
  const next = settle(presence, now);
  return next === presence ? unchanged : change(next, {}, presence.version);
}

/** Applies every lapse that is due; the same object when none is. */
function settle(presence: Presence, now: number): Presence {
  const next = lapsed(presence, now);
  return next === presence ? presence : settle(next, now);
}

function lapsed(presence: Presence, now: number): Presence {
  if (presence.expiresAt !== null && presence.expiresAt <= now) {
    const step = stateLapsed(presence, now);
    if (step.kind === 'changed') return step.next;
  }
  const deadline = connectionDeadline(presence);
  if (deadline === null || deadline > now) return presence;
  if (presence.connection === 'lost') return nextOf(signOut(presence, now));
  const lost = { connection: 'lost' } as const;
  return presence.state === 'ready' || presence.state === 'not_ready'
    ? nextOf(move(presence, 'connection_lost', 'not_ready', now, { reason: 'connection_lost', ...lost }))
    : nextOf(change(presence, lost));
}

function stateLapsed(presence: Presence, now: number): PresenceDecision {
  switch (presence.state) {
    case 'reserved':
      return presence.reservedFor === 'ring'
        ? withdraw(presence, 'ring_unanswered', 'no_answer', now)
        : withdraw(presence, 'offer_failed', 'delivery_failed', now);
    case 'wrap_up':
      return proceed(presence, 'wrap_up_over', now);
    default:
      // The record check of an on_call agent needs the durable record: the use case answers with
      // keep_recorded or drop_unrecorded.
      return unchanged;
  }
}

function stateToReturnTo(presence: Presence): PendingState | null {
  return presence.state === 'not_ready' ? { state: 'not_ready', reason: presence.reason } : null;
}

function holdsClaim(presence: Presence, claimId: ClaimId): boolean {
  return presence.state === 'reserved' && presence.reservedFor === 'offer' && presence.claimId === claimId;
}

function isRinging(presence: Presence, callId: CallId): boolean {
  return presence.state === 'reserved' && presence.reservedFor === 'ring' && presence.callId === callId;
}

function isOnCall(presence: Presence, callId: CallId): boolean {
  return presence.state === 'on_call' && presence.callId === callId;
}

/** Moves to another state by the table; what the new state does not keep is cleared. */
function move(
  presence: Presence,
  trigger: AgentTrigger,
  to: AgentState,
  now: number,
  fields: Partial<Presence> = {},
): PresenceDecision {
  if (!mayMove(presence.state, trigger, to)) {
    throw new Error(`no transition from ${presence.state} to ${to} by ${trigger}`);
  }
  return change(presence, {
    state: to,
    reason: null,
    since: now,
    idleSince: idleSinceIn(to, presence, now),
    expiresAt: null,
    ...fields,
  });
}

/** A reservation keeps the place in the idle order, so that a canceled call does not cost it. */
function idleSinceIn(to: AgentState, presence: Presence, now: number): number | null {
  if (to === 'ready') return presence.idleSince ?? now;
  return to === 'reserved' ? presence.idleSince : null;
}

function change(presence: Presence, fields: Partial<Presence>, from: number = presence.version): PresenceDecision {
  return { kind: 'changed', next: { ...presence, ...fields, version: from + 1 } };
}

function nextOf(decision: PresenceDecision): Presence {
  if (decision.kind !== 'changed') throw new Error('a lapse must change the presence');
  return decision.next;
}
