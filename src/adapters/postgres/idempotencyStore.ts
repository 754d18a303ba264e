import type { IdempotencyStore } from '../../ports/idempotency.ts';
import type { StoreParts } from './prisma.ts';
import { claimKey } from './statements/beginIdempotency.ts';
import { pruneKeys } from './statements/pruneIdempotency.ts';

/** Idempotency-Keys in PostgreSQL. The call store writes the answers. */
export function createIdempotencyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): IdempotencyStore {
  return {
    begin(companyId, key, requestHash, now, lapsesAt) {
      return claimKey(pool, companyId, key, requestHash, now, lapsesAt);
    },

    async abandon(companyId, { key, heldUntil }) {
      await prisma.idempotencyKey.deleteMany({ where: { companyId, key, status: null, expiresAt: heldUntil } });
    },

    prune: (before, limit) => pruneKeys(pool, before, limit),
  };
}
