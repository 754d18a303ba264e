import { performance } from 'node:perf_hooks';
import pLimit, { type LimitFunction } from 'p-limit';
import type { CompanyId } from '../../domain/ids.ts';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Neighbours } from './neighbours.ts';
import { idleFor } from './slices.ts';

/** What a company may have this process do at once, so that the others have the rest. */
export interface CompanyShare {
  /**
   * Does the work when the company's turn has come; refuses with `rate_limited`, and does nothing,
   * where too much of the company's waits already.
   */
  use<T>(companyId: CompanyId, work: () => Promise<T>): Promise<T | Refused>;
}

type Share = {
  /** Of one company while others are there. */
  atOnce: number;
  /** Of a company that is alone; missing: the same. */
  alone?: number;
  /** So many wait for one of these to end. */
  waiting: number;
  /** For so long at most; missing: until their turn comes. Milliseconds. */
  patienceMs?: number;
  /** Whether others then have as much time as the process was busy meanwhile: not after what only the database does. */
  rests: boolean;
};

/**
 * @param what such as `reports`, for whoever is refused
 * @param neighbours who else is there
 */
export function createCompanyShare(
  what: string,
  { atOnce, alone = atOnce, waiting, patienceMs, rests }: Share,
  neighbours: Neighbours,
): CompanyShare {
  const under = new Map<CompanyId, { limit: LimitFunction; count: number }>();
  return {
    async use(companyId, work) {
      const most = neighbours.has(companyId) ? atOnce : alone;
      const own = under.get(companyId) ?? { limit: pLimit(most), count: 0 };
      if (own.count >= most + waiting) return tooMany(what, most);
      own.limit.concurrency = most;
      own.count += 1;
      under.set(companyId, own);
      const leave = () => {
        own.count -= 1;
        if (own.count === 0) under.delete(companyId);
      };
      return new Promise((resolve, reject) => {
        let isTooLate = false;
        const giveUp = () => {
          isTooLate = true;
          leave();
          resolve(tooMany(what, most));
        };
        const patience = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
        void own.limit(async () => {
          if (isTooLate) return;
          clearTimeout(patience);
          const before = performance.eventLoopUtilization();
          await work().then(resolve, reject);
          // The place is free again when the others have had their time.
          if (rests) await idleFor(performance.eventLoopUtilization(before).active);
          leave();
        });
      });
    },
  };
}

function tooMany(what: string, atOnce: number) {
  return refuse(
    'rate_limited',
    `The company has too many ${what} under way; ${atOnce} are made at once. Ask for them one after the other.`,
    { retryAfterSeconds: 1, limit: atOnce },
  );
}
