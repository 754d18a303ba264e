import type { AgentState } from '../contract/vocabulary.ts';
import { mayMove, type AgentTrigger } from './agentTransitions.ts';
import type { Presence } from './presence.ts';
import type { PresenceDecision } from './presenceCommands.ts';

// The steps that decisions about a presence are made of.

export const noClaim = { claimId: null, reservedFor: null } as const;
export const noCall = { callId: null, ...noClaim } as const;

/** Moves to another state by the table; what the new state does not keep is cleared. */
export function move(
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

/** A change that stays in the state. `from`: the stored version, where the presence is already a step ahead of it. */
export function change(presence: Presence, fields: Partial<Presence>, from: number = presence.version): PresenceDecision {
  return { kind: 'changed', next: { ...presence, ...fields, version: from + 1 } };
}

/** Where an agent goes after a call or wrap-up: what was asked for meanwhile, else Ready. */
export function proceed(presence: Presence, trigger: AgentTrigger, now: number): PresenceDecision {
  const pending = presence.pending ?? { state: 'ready', reason: null };
  if (pending.state === 'offline') return signOut(presence, now);
  if (pending.state === 'ready' && presence.connection === 'lost') {
    return move(presence, trigger, 'not_ready', now, { reason: 'connection_lost', pending: null, ...noCall });
  }
  return move(presence, trigger, pending.state, now, { reason: pending.reason, pending: null, ...noCall });
}

/** A reserved agent who did not take the call: not Ready, unless it asked to sign out meanwhile. */
export function withdraw(
  presence: Presence,
  trigger: 'offer_failed' | 'ring_unanswered',
  reason: 'delivery_failed' | 'rejected' | 'no_answer',
  now: number,
): PresenceDecision {
  if (presence.pending?.state === 'offline') return signOut(presence, now);
  return move(presence, trigger, 'not_ready', now, { reason, pending: null, ...noCall });
}

/**
 * A reserved agent whose gateway does not answer: the claim is given back, place in the idle order and all, and the
 * connection counts as lost until it proves otherwise.
 */
export function suspendConnection(presence: Presence, now: number): PresenceDecision {
  const freed = proceed(presence, 'canceled', now);
  if (freed.kind !== 'changed' || freed.next.state === 'offline') return freed;
  return change(freed.next, { connection: 'reconnecting', connectionSince: now }, presence.version);
}

/** Offline: every other field is cleared. */
export function signOut(presence: Presence, now: number): PresenceDecision {
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

