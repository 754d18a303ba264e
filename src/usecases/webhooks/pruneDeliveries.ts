import type { Services } from '../services.ts';

/** How long the log has a delivery, from its event on. */
export const keepDeliveriesMs = 30 * 24 * 3_600_000;
/** So many are deleted at once, so that no statement lasts. */
const batch = 1_000;

/**
 * Deletes the finished deliveries that have been kept long enough, with their attempts; what still waits stays.
 * @param signal ends it after the batch under way; what is left is for the next time
 */
export async function pruneDeliveries(
  { outbox, clock }: Pick<Services, 'outbox' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepDeliveriesMs);
  while (!signal.aborted && (await outbox.prune(before, batch)) > 0);
}
