import type { AgentState } from '../contract/vocabulary.ts';
import { type AgentTrigger, mayMove } from './agentTransitions.ts';
import { isBusyHere, type Presence, type PresenceDecision } from './presence.ts';

// The steps that decisions about a presence are made of.

export const noClaim = { claimId: null, reservedFor: null } as const;
export const noCall = { callId: null, second: null, toWrapUp: [], ...noClaim } as const;

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
export function change(
  presence: Presence,
  fields: Partial<Presence>,
  from: number = presence.version,
): PresenceDecision {
  return { kind: 'changed', next: { ...presence, ...fields, version: from + 1 } };
}

/**
 * What an agent goes on with whose call or wrap-up is over: its second call, else the first call that waits to be
 * wrapped up. Null: neither.
 */
function goOn(presence: Presence, trigger: AgentTrigger, now: number): PresenceDecision | null {
  const { second } = presence;
  if (second !== null) {
    const rings = second.ringsUntil !== null;
    return move(presence, trigger, rings ? 'reserved' : 'on_call', now, {
      ...noClaim,
      callId: second.callId,
      second: null,
      reservedFor: rings ? 'ring' : null,
      expiresAt: second.ringsUntil,
    });
  }
  const [next, ...toWrapUp] = presence.toWrapUp;
  if (next === undefined) return null;
  const expiresAt = now + next.wrapUpMs;
  return move(presence, trigger, 'wrap_up', now, { ...noClaim, callId: next.callId, toWrapUp, expiresAt });
}

/**
 * Where an agent goes after a call or wrap-up: on with what else it has, to what its platform says, or what was asked
 * for meanwhile, else Ready.
 */
export function proceed(presence: Presence, trigger: AgentTrigger, now: number): PresenceDecision {
  const further = goOn(presence, trigger, now);
  if (further !== null) return further;
  const pending = presence.pending ?? { state: 'ready', reason: null };
  if (pending.state === 'offline') return signOut(presence, now);
  if (presence.platform !== null) return showPlatform(presence, now);
  if (pending.state === 'ready' && presence.connection === 'lost') {
    return move(presence, trigger, 'not_ready', now, { reason: 'connection_lost', pending: null, ...noCall });
  }
  return move(presence, trigger, pending.state, now, { reason: pending.reason, pending: null, ...noCall });
}

/**
 * A reserved agent who did not take the call: not Ready, unless it asked to sign out meanwhile. Where a platform sets
 * the state, the agent could not leave Not Ready: it does what the platform says, last in the idle order.
 */
export function withdraw(
  presence: Presence,
  trigger: 'offer_failed' | 'ring_unanswered',
  reason: 'delivery_failed' | 'rejected' | 'no_answer',
  now: number,
): PresenceDecision {
  const isLeaving = presence.pending?.state === 'offline';
  const pending = isLeaving ? presence.pending : ({ state: 'not_ready', reason } as const);
  const further = goOn({ ...presence, pending }, trigger, now);
  if (further !== null) return further;
  if (isLeaving) return signOut(presence, now);
  if (presence.platform !== null) return showPlatform({ ...presence, idleSince: null }, now);
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

/** Offline: every other field is cleared. An agent who is at work at a platform stays there, without a softphone. */
export function signOut(presence: Presence, now: number): PresenceDecision {
  const gone = {
    pending: null,
    sessionId: null,
    lease: null,
    nodeId: null,
    connection: 'lost',
    connectionSince: now,
  } as const;
  const { platform } = presence;
  if (platform === null || platform.state === 'offline')
    return move(presence, 'signed_out', 'offline', now, { ...noCall, ...gone, platform: null });
  const without = { ...presence, ...gone, platform: { ...platform, before: null } };
  return isShown(without) ? change(presence, { ...gone, platform: without.platform }) : showPlatform(without, now);
}

/** The agent does what its platform says; offline there, and with a softphone here, it is not Ready. */
export function showPlatform(presence: Presence, now: number): PresenceDecision {
  const { platform } = presence;
  if (platform === null) throw new Error('there is no platform');
  if (platform.state !== 'offline') {
    return move(presence, 'platform_said', platform.state, now, {
      reason: platform.reason,
      pending: null,
      ...noCall,
      callId: platform.callId,
    });
  }
  if (presence.sessionId === null)
    return move(presence, 'platform_said', 'offline', now, { pending: null, ...noCall, platform: null });
  return move(presence, 'platform_said', 'not_ready', now, { reason: 'platform_offline', pending: null, ...noCall });
}

/** Whether the agent does what its platform says already; offline there is Not Ready beside a softphone. */
export function isShown({ state, reason, callId, platform, sessionId }: Presence): boolean {
  if (platform?.state === 'offline')
    return sessionId !== null && state === 'not_ready' && reason === 'platform_offline' && callId === null;
  return platform !== null && state === platform.state && reason === platform.reason && callId === platform.callId;
}

/** What an agent with a softphone does whose platform does not set its state any more. */
const leftByPlatform = { state: 'not_ready', reason: 'platform_offline' } as const;

/**
 * No platform sets the agent's state any more: the softphone does, or the agent is gone.
 * What a softphone has goes on until it is over.
 */
export function endOwnership(presence: Presence, now: number): PresenceDecision {
  const before = presence.platform?.before ?? null;
  const own = { ...presence, platform: null };
  // A platform that told of calls alone leaves what the agent asked for;
  // one that set the state must not leave it Ready.
  if (isBusyHere(presence))
    return change(presence, { platform: null, pending: presence.pending ?? (before === null ? leftByPlatform : null) });
  if (presence.sessionId === null) return signOut(own, now);
  const back = before ?? leftByPlatform;
  const isReady = back.state === 'ready' && presence.connection !== 'lost';
  const to = isReady
    ? back
    : { state: 'not_ready' as const, reason: back.state === 'ready' ? 'connection_lost' : back.reason };
  return move(own, 'platform_said', to.state, now, { reason: to.reason, pending: null, ...noCall });
}
