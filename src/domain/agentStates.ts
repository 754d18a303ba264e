import { change, move, noClaim, proceed, signOut, suspendConnection, withdraw } from './agentSteps.ts';
import type { CallId, ClaimId } from './ids.ts';
import { unreachable } from './outcome.ts';
import {
  claimTtlMs,
  type CommandOf,
  isBusyHere,
  isClaimable,
  type PendingState,
  type Presence,
  type PresenceCommand,
  type PresenceDecision,
  recordCheckMs,
  ringTtlMs,
  transferRingMs,
  wrapUpTypingMs,
} from './presence.ts';
import { answerSecond, endSecond, missSecond, ringSecond, withToWrapUp, wrapUpBefore } from './secondCall.ts';
import { askOwned, followPlatform, leavePlatform, passToPlatform } from './platformStates.ts';
import { fallDue } from './presenceLapse.ts';
import { keepConnection, openSession, restoreCall } from './presenceSessions.ts';

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
  if (command.type === 'follow_platform') return followPlatform(presence, command, now);
  if (command.type === 'leave_platform')
    return presence === null ? unchanged : leavePlatform(presence, command.connector, now);
  if (presence === null || presence.state === 'offline') return illegal;
  if ('lease' in command && command.lease !== null && command.lease !== presence.lease) return stale;
  switch (command.type) {
    case 'lose_connection':
      return presence.connection === 'connected'
        ? change(presence, { connection: 'reconnecting', connectionSince: now })
        : unchanged;
    case 'keep_connection':
      return keepConnection(presence, now);
    case 'ask':
      return ask(presence, command, now);
    case 'claim':
      return isClaimable(presence) ? reserve(presence, 'claimed', command, now) : illegal;
    case 'ring':
      if (presence.state === 'ready' || presence.state === 'not_ready') return reserve(presence, 'ring', command, now);
      return command.takesSecond ? ringSecond(presence, command.callId, now) : illegal;
    case 'confirm':
      return holdsClaim(presence, command.claimId) && presence.sessionId === command.sessionId
        ? move(presence, 'confirmed', 'on_call', now, { ...noClaim, expiresAt: now + recordCheckMs })
        : illegal;
    case 'await_ring':
      return holdsClaim(presence, command.claimId) && presence.sessionId === command.sessionId
        ? change(presence, { reservedFor: 'ring', expiresAt: now + transferRingMs })
        : illegal;
    case 'answer':
      return isRinging(presence, command.callId)
        ? move(presence, 'answered', 'on_call', now, noClaim)
        : answerSecond(presence, command.callId);
    case 'pass_to_platform':
      return holdsClaim(presence, command.claimId) ? passToPlatform(presence, command, now) : illegal;
    case 'fail_offer':
      return holdsClaim(presence, command.claimId)
        ? withdraw(presence, 'offer_failed', command.reason, now)
        : unchanged;
    case 'offer_unreachable':
      return holdsClaim(presence, command.claimId) ? suspendConnection(presence, now) : unchanged;
    case 'miss_ring':
      return isRinging(presence, command.callId)
        ? withdraw(presence, 'ring_unanswered', command.reason, now)
        : missSecond(presence, command.callId);
    case 'cancel':
      return presence.state === 'reserved' && presence.callId === command.callId && isBusyHere(presence)
        ? proceed(presence, 'canceled', now)
        : missSecond(presence, command.callId);
    case 'dial_by_hand':
      return presence.state === 'ready' || presence.state === 'not_ready'
        ? move(presence, 'manual_dial', 'on_call', now, {
            callId: command.callId,
            pending: stateToReturnTo(presence),
            expiresAt: now + recordCheckMs,
          })
        : illegal;
    case 'drop_unrecorded':
      return isOnCall(presence, command.callId)
        ? proceed(presence, 'dial_not_recorded', now)
        : endSecond(presence, { callId: command.callId, wrapUpMs: 0 });
    case 'keep_recorded':
      return awaitsRecord(presence, command.callId) ? change(presence, { expiresAt: null }) : unchanged;
    case 'end_call':
      return endCall(presence, command, now);
    case 'extend_wrap_up':
      return extendWrapUp(presence, command, now);
    case 'finish_wrap_up':
      return presence.state === 'wrap_up' && presence.callId === command.callId
        ? proceed(presence, 'wrap_up_over', now)
        : wrapUpBefore(presence, command.callId);
    case 'rename':
      return change(presence, {});
    case 'fall_due':
      return fallDue(presence, now);
    default:
      return unreachable(command);
  }
}

function ask(presence: Presence, command: CommandOf<'ask'>, now: number): PresenceDecision {
  const { wanted, force, onlyCalls } = command;
  if (force && onlyCalls !== undefined && hasOther(presence, onlyCalls)) return { kind: 'refused', code: 'other_call' };
  const owned = askOwned(presence, command, now);
  if (owned !== null) return owned;
  switch (presence.state) {
    case 'ready':
    case 'not_ready':
      if (wanted.state === 'offline') return signOut(presence, now);
      if (presence.state === wanted.state && presence.reason === wanted.reason) return unchanged;
      if (wanted.state === 'ready' && presence.connection === 'lost') return illegal;
      return move(presence, 'asked', wanted.state, now, { reason: wanted.reason });
    case 'wrap_up':
      if (wanted.state === 'offline') return signOut(presence, now);
      return force ? proceed(freed(presence, wanted), 'asked', now) : change(presence, { pending: wanted });
    case 'reserved':
    case 'on_call':
      if (!force) return change(presence, { pending: wanted });
      // The caller ends the calls themselves; see forceState.
      return proceed(freed(presence, wanted), presence.state === 'on_call' ? 'call_ended' : 'canceled', now);
    case 'offline':
      return illegal;
    default:
      return unreachable(presence.state);
  }
}

/** Whether the agent has another call than these. */
function hasOther({ callId, second }: Presence, only: readonly CallId[]): boolean {
  return [callId, second?.callId].some((id) => id != null && !only.includes(id));
}

/** Without what else it has: a second call, calls to wrap up. */
function freed(presence: Presence, wanted: PendingState): Presence {
  return { ...presence, pending: wanted, second: null, toWrapUp: [] };
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

function endCall(presence: Presence, command: CommandOf<'end_call'>, now: number): PresenceDecision {
  const ended = { callId: command.callId, wrapUpMs: command.wrapUpMs };
  if (!isOnCall(presence, command.callId)) return endSecond(presence, ended);
  if (presence.second !== null)
    return proceed({ ...presence, toWrapUp: withToWrapUp(presence, ended) }, 'call_ended', now);
  if (command.wrapUpMs === 0) return proceed(presence, 'call_ended', now);
  return move(presence, 'call_ended', 'wrap_up', now, {
    callId: command.callId,
    pending: presence.pending,
    expiresAt: now + command.wrapUpMs,
  });
}

/** A shorter extension is not worth a message to all who watch. Milliseconds. */
const leastExtensionMs = 1_000;

function extendWrapUp(
  presence: Presence,
  { callId, maxMs }: CommandOf<'extend_wrap_up'>,
  now: number,
): PresenceDecision {
  if (presence.state !== 'wrap_up' || presence.callId !== callId || presence.expiresAt === null) return illegal;
  const expiresAt = Math.min(now + wrapUpTypingMs, presence.since + maxMs);
  return expiresAt - presence.expiresAt < leastExtensionMs ? unchanged : change(presence, { expiresAt });
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

/** On a call that is not known yet to be recorded. */
function awaitsRecord(presence: Presence, callId: CallId): boolean {
  return isOnCall(presence, callId) && presence.expiresAt !== null;
}

/** On a call of its own softphone. */
function isOnCall(presence: Presence, callId: CallId): boolean {
  return presence.state === 'on_call' && presence.callId === callId && isBusyHere(presence);
}
