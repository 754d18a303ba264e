import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Cluster, Redis } from 'ioredis';
import type { Counters } from '../../ports/counters.ts';
import { createMemoryPutOffs, createRedisPutOffs } from './putOffs.ts';
import { createMemoryWindows, createRedisWindows } from './slidingWindows.ts';

/** Counters on top of the library's limiter, whose own limit is not used. */
function limiterCounters(
  limiter: RateLimiterAbstract,
  others: Pick<Counters, 'putOff' | 'putOffUntil' | 'takePlace'>,
): Counters {
  return {
    async add(key, points, windowSeconds) {
      const options = { customDuration: windowSeconds };
      const counted = await (points < 0
        ? limiter.reward(hashed(key), -points, options)
        : limiter.penalty(hashed(key), points, options));
      return { points: counted.consumedPoints, endsInMs: counted.msBeforeNext };
    },
    async read(key) {
      const counted = await limiter.get(hashed(key));
      // An expired count may not have been removed yet.
      return counted === null || counted.msBeforeNext <= 0
        ? null
        : { points: counted.consumedPoints, endsInMs: counted.msBeforeNext };
    },
    async clear(key) {
      await limiter.delete(hashed(key));
    },
    ...others,
  };
}

/** Hashes a name into a short key that does not reveal it. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Counts of one process, by the machine's clock. A restart forgets them. */
export function createMemoryCounters(): Counters {
  return limiterCounters(new RateLimiterMemory({ points: 1, duration: 1 }), {
    takePlace: createMemoryWindows(),
    ...createMemoryPutOffs(),
  });
}

/** What stands before the keys of counts. */
const keyPrefix = 'readyline:count';
/** And before those of sliding windows. */
const windowPrefix = 'readyline:window';
/** And before those of what is put off. */
const putOffPrefix = 'readyline:put-off';

/** Counts of all gateways, by the Redis server's clock. Rejects when Redis cannot be reached. */
export function createRedisCounters({ redis }: { redis: Redis | Cluster }): Counters {
  return limiterCounters(new RateLimiterRedis({ storeClient: redis, keyPrefix, points: 1, duration: 1 }), {
    takePlace: createRedisWindows({ redis, keyOf: (key) => `${windowPrefix}:${hashed(key)}` }),
    ...createRedisPutOffs({ redis, keyOf: (key) => `${putOffPrefix}:${hashed(key)}` }),
  });
}
