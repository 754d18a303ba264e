import type { IdempotencyStore } from '../../ports/idempotency.ts';
import { answerText } from './answerRows.ts';
import type { StoreParts } from './prisma.ts';
import { claimKey } from './statements/beginIdempotency.ts';

/** Idempotency-Keys in PostgreSQL. The call store writes the answers. */
export function createIdempotencyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): IdempotencyStore {
  return {
    begin(companyId, key, requestHash, now, lapsesAt) {
      return claimKey(pool, companyId, key, requestHash, now, lapsesAt);
    },

    async abandon(companyId, { key, claimedUntil }) {
      await prisma.idempotencyKey.deleteMany({ where: { companyId, key, status: null, expiresAt: claimedUntil } });
    },

    async forgetAnswer(companyId, key, answer) {
      const response = { equals: answerText(answer) };
      await prisma.idempotencyKey.deleteMany({ where: { companyId, key, status: { not: null }, response } });
    },

    async prune(now) {
      await prisma.idempotencyKey.deleteMany({ where: { expiresAt: { lt: now } } });
    },
  };
}
