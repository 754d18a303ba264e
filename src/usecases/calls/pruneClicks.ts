import type { Services } from '../services.ts';

/** So many are deleted at once, so that no statement lasts. */
const batch = 5_000;
/** A record that was sent so long ago has failed long since. Milliseconds. */
const keepDecidedMs = 3_600_000;

/**
 * Forgets Idempotency-Keys that have expired, and how calls of more than an hour ago were decided.
 * @param signal ends it after the batch under way; what is left is for the next time
 */
export async function pruneClicks(
  { calls, clock, idempotency }: Pick<Services, 'calls' | 'clock' | 'idempotency'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  while (!signal.aborted && (await idempotency.prune(new Date(now), batch)) > 0);
  while (!signal.aborted && (await calls.pruneDecided(new Date(now - keepDecidedMs), batch)) > 0);
}
