import type { Phase } from './callState.ts';

/** An offer that was accepted becomes a dial by then, or never. Milliseconds. */
export const offerLastsMs = 15_000;
/**
 * A queue that goes on hunting has come back to this agent by then, or has found somebody else; a phone that is not ready
 * will not fetch a call any more: the other side has hung up. Milliseconds.
 */
export const comesBackMs = 15_000;
/** Whoever has taken over asks for the audio by then. Milliseconds. */
export const askedWithinMs = 5_000;
/** Whoever has asked has started its phone and taken the call over by then, or has failed. Milliseconds. */
export const handoverMs = 45_000;

const recovery = { ms: comesBackMs };

/** How long a phase lasts before `timeout`. Phases that share an object share the time. */
const deadlines: Partial<Record<Phase, { ms: number }>> = {
  offered: { ms: offerLastsMs },
  awaiting_ring: { ms: comesBackMs },
  recovering: recovery,
  searching: recovery,
  awaiting_phone: recovery,
  standing_by: { ms: askedWithinMs },
  handed_over: { ms: handoverMs },
};

/** @returns what is to be set when a call goes from one phase to another, null: none any more; undefined: what was set stays */
export function deadlineBetween(from: Phase, to: Phase): number | null | undefined {
  return deadlines[from] === deadlines[to] ? undefined : (deadlines[to]?.ms ?? null);
}
