import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Counters } from '../../ports/counters.ts';
import { limiterCounters } from './limiterCounters.ts';

/** What stands before the keys of counts. */
const keyPrefix = 'readyline:count';

/** Counts of all gateways, by the Redis server's clock. Rejects when Redis cannot be reached. */
export function createRedisCounters({ redis }: { redis: Redis | Cluster }): Counters {
  return limiterCounters(new RateLimiterRedis({ storeClient: redis, keyPrefix, points: 1, duration: 1 }));
}
