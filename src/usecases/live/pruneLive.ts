import type { Services } from '../services.ts';

/** How long clicks and what the agents did are kept. */
export const keepLiveMs = 30 * 24 * 3_600_000;
/** So many are deleted at once, so that no statement lasts. */
const batch = 5_000;

/**
 * Forgets the clicks and the agents' past that have been kept long enough.
 * @param signal ends it after the batch under way; what is left is for the next time
 */
export async function pruneLive(
  { agentHistory, clickTallies, clock }: Pick<Services, 'agentHistory' | 'clickTallies' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepLiveMs);
  for (const kept of [agentHistory, clickTallies]) {
    while (!signal.aborted && (await kept.prune(before, batch)) > 0);
  }
}
