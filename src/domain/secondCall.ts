import { change } from './agentSteps.ts';
import type { CallId } from './ids.ts';
import {
  type CallToWrapUp,
  isBusyHere,
  mostToWrapUp,
  type Presence,
  type PresenceDecision,
  ringTtlMs,
} from './presence.ts';

// A second call at the softphone of an agent who is on one: it rings, is answered, and ends without a change of the
// agent's state. When the first one ends before it, it takes its place (see `proceed`).

const unchanged: PresenceDecision = { kind: 'unchanged' };

/** Another call rings. Refused to who is not on a call of its own softphone, or has another one besides. */
export function ringSecond(presence: Presence, callId: CallId, now: number): PresenceDecision {
  const { second, state, toWrapUp } = presence;
  return state === 'on_call' && isBusyHere(presence) && second === null && toWrapUp.length < mostToWrapUp
    ? change(presence, { second: { callId, ringsUntil: now + ringTtlMs } })
    : { kind: 'refused', code: 'illegal_transition' };
}

export function answerSecond(presence: Presence, callId: CallId): PresenceDecision {
  return ringsSecond(presence, callId)
    ? change(presence, { second: { callId, ringsUntil: null } })
    : { kind: 'refused', code: 'illegal_transition' };
}

/** It rings no more, and was not answered: whoever is on a call goes on with that. */
export function missSecond(presence: Presence, callId: CallId): PresenceDecision {
  return ringsSecond(presence, callId) ? change(presence, { second: null }) : unchanged;
}

/** Its ring has expired. */
export function lapseSecond(presence: Presence, now: number): PresenceDecision {
  const { second } = presence;
  return second?.ringsUntil != null && second.ringsUntil <= now ? change(presence, { second: null }) : unchanged;
}

/** It is over, or ruled out: what is to be wrapped up of it waits for the end of the first call. */
export function endSecond(presence: Presence, ended: CallToWrapUp): PresenceDecision {
  return presence.second?.callId === ended.callId
    ? change(presence, { second: null, toWrapUp: withToWrapUp(presence, ended) })
    : unchanged;
}

/** What waits to be wrapped up once a call has ended. */
export function withToWrapUp({ toWrapUp }: Presence, ended: CallToWrapUp): readonly CallToWrapUp[] {
  return ended.wrapUpMs === 0 ? toWrapUp : [...toWrapUp, ended];
}

/** A call that waits to be wrapped up was, meanwhile. */
export function wrapUpBefore(presence: Presence, callId: CallId): PresenceDecision {
  const toWrapUp = presence.toWrapUp.filter((waiting) => waiting.callId !== callId);
  return toWrapUp.length < presence.toWrapUp.length ? change(presence, { toWrapUp }) : unchanged;
}

function ringsSecond({ second }: Presence, callId: CallId): boolean {
  return second?.callId === callId && second.ringsUntil !== null;
}
