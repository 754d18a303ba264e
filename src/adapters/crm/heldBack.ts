import type { CrmAnswer, CrmPause, CrmTrouble, HeldBack } from '../../ports/crm.ts';
import type { Rate } from '../../providers/provider.ts';
import { failed } from './exchange.ts';

/** What is said of a request that a pause holds back. @param now milliseconds since the epoch */
export function pausedBy(name: string, { why, until }: CrmPause, now: number): HeldBack {
  const reason =
    why === 'told_to_wait'
      ? `${name} has asked to be left alone for a while`
      : `${name} did not answer several times in a row`;
  return {
    kind: 'held_back',
    why,
    message: `${reason}: the gateway asks it again at ${timeOf(until)}.`,
    retryAfterMs: Math.max(0, until - now),
  };
}

/**
 * What is said of a request for which the gateway's own limit leaves no room.
 * @param now milliseconds since the epoch
 */
export function limited(name: string, { waitMs, rate }: { waitMs: number; rate: Rate }, now: number): HeldBack {
  const { count, perMs } = rate;
  const message =
    `The gateway itself keeps within what ${name} allows, ${count} such requests in ${perMs / 1_000} s: ` +
    `it asks again at ${timeOf(now + waitMs)}.`;
  return { kind: 'held_back', why: 'own_limit', allows: rate, message, retryAfterMs: waitMs };
}

/** The failure of a request of which nothing was sent. */
export function unsent(trouble: CrmTrouble): CrmAnswer & { kind: 'failed' } {
  return { ...failed(trouble), isUnsent: true };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
