import type { CompanyId } from '../../domain/ids.ts';
import { backgroundLooks } from '../concurrency/backgroundLooks.ts';
import type { Services } from '../services.ts';

/** Contacts that are compared together: some tens of milliseconds. */
const atOnce = 200;
/** How often to look for contacts that were made or changed. Milliseconds. */
const pollMs = 1_000;

export interface DuplicateFinder {
  start(): void;
  /** Looks for contacts to compare at once. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Compares contacts that were made or changed with those that may be the same person,
 * in the background: company after company, some of each.
 */
export function createDuplicateFinder({
  clock,
  duplicates,
  observer,
}: Pick<Services, 'clock' | 'duplicates' | 'observer'>): DuplicateFinder {
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: pollMs,
    failed: (error) => observer.problem('contacts could not be compared', error),
  });
  let latest: CompanyId | null = null;

  async function look(): Promise<void> {
    const busy = new Set<CompanyId>();
    // Until nothing waits, or only what is busy: each of those was met again, and none between them.
    for (let met = 0; met <= busy.size && looks.isRunning();) {
      latest = await duplicates.nextToCompare(latest);
      if (latest === null) return;
      met = busy.has(latest) ? met + 1 : 0;
      if (met === 0 && (await duplicates.compare(latest, atOnce)) === 'busy') busy.add(latest);
    }
  }

  return { start: looks.start, wake: looks.wake, stop: looks.stop };
}
