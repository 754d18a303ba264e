import { change, endOwnership, move, proceed, signOut, withdraw } from './agentSteps.ts';
import { lapseSecond } from './secondCall.ts';
import { connectionDeadline, type Presence, type PresenceDecision } from './presence.ts';

/** Applies the deadlines that have passed, as a decision. */
export function fallDue(presence: Presence, now: number): PresenceDecision {
  const next = lapseUntil(presence, now);
  return next === presence ? { kind: 'unchanged' } : change(next, {}, presence.version);
}

/** Applies every lapse that is due; the same object when none is. */
export function lapseUntil(presence: Presence, now: number): Presence {
  const next = lapsed(presence, now);
  return next === presence ? presence : lapseUntil(next, now);
}

function lapsed(presence: Presence, now: number): Presence {
  if (presence.expiresAt !== null && presence.expiresAt <= now) {
    const step = stateLapsed(presence, now);
    if (step.kind === 'changed') return step.next;
  }
  const alone = lapseSecond(presence, now);
  if (alone.kind === 'changed') return alone.next;
  if (presence.platform !== null && presence.platform.until <= now) return nextOf(endOwnership(presence, now));
  const deadline = connectionDeadline(presence);
  if (deadline === null || deadline > now) return presence;
  if (presence.connection === 'lost') return nextOf(signOut(presence, now));
  const lost = { connection: 'lost' } as const;
  return presence.platform === null && (presence.state === 'ready' || presence.state === 'not_ready')
    ? nextOf(move(presence, 'connection_lost', 'not_ready', now, { reason: 'connection_lost', ...lost }))
    : nextOf(change(presence, lost));
}

function stateLapsed(presence: Presence, now: number): PresenceDecision {
  switch (presence.state) {
    case 'reserved':
      // An offer lapses when the gateway of the click died or lost the store: not for anything that the agent did.
      return presence.reservedFor === 'ring'
        ? withdraw(presence, 'ring_unanswered', 'no_answer', now)
        : proceed(presence, 'canceled', now);
    case 'wrap_up':
      return proceed(presence, 'wrap_up_over', now);
    default:
      // The record check of an on_call agent needs the durable record: the use case answers with
      // keep_recorded or drop_unrecorded.
      return { kind: 'unchanged' };
  }
}

function nextOf(decision: PresenceDecision): Presence {
  if (decision.kind !== 'changed') throw new Error('a lapse must change the presence');
  return decision.next;
}
