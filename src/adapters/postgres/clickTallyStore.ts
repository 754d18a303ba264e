import type { ClickTallies } from '../../ports/clickTallies.ts';
import type { StoreParts } from './prisma.ts';
import { addToTallies, pruneTallies, talliesSince } from './statements/clickTallies.ts';

/** Clicks by company and quarter of an hour, in PostgreSQL. */
export function createClickTallyStore({ pool }: Pick<StoreParts, 'pool'>): ClickTallies {
  return {
    add: (clicks) => addToTallies(pool, clicks),
    list: (companyId, since) => talliesSince(pool, companyId, since),
    prune: (before, limit) => pruneTallies(pool, before, limit),
  };
}
