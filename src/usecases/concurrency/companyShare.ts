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

/**
 * @param what such as `reports`, for whoever is refused
 * @param atOnce of one company
 * @param waiting for one of these to end, of one company
 * @param among who else is there: a company that is alone does as much at once as it wants; missing: not even then
 */
export function createCompanyShare(
  what: string,
  { atOnce, waiting, among }: { atOnce: number; waiting: number; among?: Neighbours },
): CompanyShare {
  const under = new Map<CompanyId, { limit: LimitFunction; count: number }>();
  return {
    async use(companyId, work) {
      if (among?.has(companyId) === false) return work();
      const own = under.get(companyId) ?? { limit: pLimit(atOnce), count: 0 };
      if (own.count >= atOnce + waiting) return tooMany(what, atOnce);
      own.count += 1;
      under.set(companyId, own);
      return new Promise((resolve, reject) => {
        void own.limit(async () => {
          const before = performance.eventLoopUtilization();
          await work().then(resolve, reject);
          // The place is free again when the others have had as much time as this took.
          await idleFor(performance.eventLoopUtilization(before).active);
          own.count -= 1;
          if (own.count === 0) under.delete(companyId);
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
