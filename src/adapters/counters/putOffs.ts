import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import type { Counters } from '../../ports/counters.ts';

type PutOffs = Pick<Counters, 'putOff' | 'putOffUntil'>;

/** Times of one process. */
export function createMemoryPutOffs(): PutOffs {
  /** Until when something is put off, and when that is forgotten by the machine's clock. */
  const kept = new Map<string, { until: number; forgottenAt: number }>();

  const read = (key: string) => {
    const found = kept.get(key);
    return found === undefined || found.forgottenAt <= Date.now() ? null : found.until;
  };
  return {
    async putOff(key, until, forMs) {
      for (const [other, { forgottenAt }] of kept) if (forgottenAt <= Date.now()) kept.delete(other);
      if (until > (read(key) ?? 0)) kept.set(key, { until, forgottenAt: Date.now() + forMs });
    },
    putOffUntil: async (key) => read(key),
  };
}

/**
 * Times of all gateways. Rejects when Redis cannot be reached.
 * @param keyOf the key in Redis of a time
 */
export function createRedisPutOffs({
  redis,
  keyOf,
}: {
  redis: Redis | Cluster;
  keyOf: (key: string) => string;
}): PutOffs {
  const script = readFileSync(new URL('./scripts/putOff.lua', import.meta.url), 'utf8');
  return {
    async putOff(key, until, forMs) {
      await redis.eval(script, 1, keyOf(key), Math.round(until), Math.ceil(forMs));
    },
    async putOffUntil(key) {
      const found = await redis.get(keyOf(key));
      return found === null ? null : Number(found);
    },
  };
}
