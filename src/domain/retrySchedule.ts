import { unreachable } from './outcome.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits between attempts, in milliseconds, before jitter: ten attempts within about 76 hours. */
export const retrySteps = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Each wait is spread over ±20 %, so that deliveries that failed together do not come back together. */
const jitter = 0.2;

/**
 * How long to wait before the next attempt, in milliseconds, or null when all are used up.
 * `attemptsMade`: 1 or more. `random`: 0 up to, but not, 1. `retryAfterSeconds`: what the receiver asked for; it
 * counts between one and two times the step, and the attempt never comes sooner than that.
 */
export function nextAttemptDelay(
  attemptsMade: number,
  random: number,
  retryAfterSeconds: number | null = null,
): number | null {
  const step = retrySteps[attemptsMade - 1];
  if (step === undefined) {
    if (Number.isInteger(attemptsMade) && attemptsMade > retrySteps.length) return null;
    throw new Error('attempts are counted from 1');
  }
  const spread = Math.round(step * (1 - jitter + 2 * jitter * random));
  if (retryAfterSeconds === null) return spread;
  const asked = Math.ceil(Math.min(Math.max(retryAfterSeconds * second, step), 2 * step));
  return Math.max(spread, asked);
}

/** The part of an attempt's result that decides what follows. */
export type AttemptOutcome = { kind: 'response'; statusCode: number; retryAfterSeconds?: number } | { kind: 'error' };

export type AttemptVerdict =
  | { kind: 'delivered' }
  /** 410: the receiver says that nobody will ever listen there again. */
  | { kind: 'gone' }
  | { kind: 'failed'; retryAfterSeconds: number | null };

/** 2xx is delivered, 410 is gone, all else has failed (a redirect too: it is not followed). */
export function judgeAttempt(outcome: AttemptOutcome): AttemptVerdict {
  if (outcome.kind === 'error') return { kind: 'failed', retryAfterSeconds: null };
  const { statusCode, retryAfterSeconds } = outcome;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  if (statusCode === 410) return { kind: 'gone' };
  const maySetPace = statusCode === 429 || statusCode === 503;
  return { kind: 'failed', retryAfterSeconds: maySetPace ? (retryAfterSeconds ?? null) : null };
}

/** What becomes of a delivery after an attempt. */
export type DeliveryFate =
  { kind: 'delivered' } | { kind: 'retry'; delayMs: number } | { kind: 'dead'; reason: 'gone' | 'exhausted' };

/** Judges an attempt and looks up the wait. `attemptsMade` counts this one too; `random`: 0 up to, but not, 1. */
export function fateAfterAttempt(outcome: AttemptOutcome, attemptsMade: number, random: number): DeliveryFate {
  const verdict = judgeAttempt(outcome);
  switch (verdict.kind) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'gone':
      return { kind: 'dead', reason: 'gone' };
    case 'failed': {
      const delayMs = nextAttemptDelay(attemptsMade, random, verdict.retryAfterSeconds);
      return delayMs === null ? { kind: 'dead', reason: 'exhausted' } : { kind: 'retry', delayMs };
    }
    default:
      return unreachable(verdict);
  }
}
