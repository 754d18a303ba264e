import type { Services } from './services.ts';

// What is deleted when it has been kept long enough. Each takes a signal that ends it after the batch under way: what is
// left is for the next time.

/** So many are deleted at once, so that no statement lasts. */
const batch = 5_000;
/** A delivery has its attempts with it. */
const deliveryBatch = 1_000;
/** A record that was sent so long ago has failed long since. Milliseconds. */
const keepDecidedMs = 3_600_000;
/** How long the log has a delivery, from its event on. */
export const keepDeliveriesMs = 30 * 24 * 3_600_000;
/** How long clicks and what the agents did are kept. */
const keepLiveMs = 30 * 24 * 3_600_000;

/** Forgets Idempotency-Keys that have expired, and how calls of more than an hour ago were decided. */
export async function pruneClicks(
  { calls, clock, idempotency }: Pick<Services, 'calls' | 'clock' | 'idempotency'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  while (!signal.aborted && (await idempotency.prune(new Date(now), batch)) > 0);
  while (!signal.aborted && (await calls.pruneDecided(new Date(now - keepDecidedMs), batch)) > 0);
}

/** Deletes the finished deliveries that have been kept long enough, with their attempts; what still waits stays. */
export async function pruneDeliveries(
  { outbox, clock }: Pick<Services, 'outbox' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepDeliveriesMs);
  while (!signal.aborted && (await outbox.prune(before, deliveryBatch)) > 0);
}

/** Forgets the clicks and the agents' past that have been kept long enough. */
export async function pruneLive(
  { agentHistory, clickTallies, clock }: Pick<Services, 'agentHistory' | 'clickTallies' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepLiveMs);
  for (const kept of [agentHistory, clickTallies]) {
    while (!signal.aborted && (await kept.prune(before, batch)) > 0);
  }
}
