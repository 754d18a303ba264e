import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { loginLimits, secondsToWait } from '../../domain/loginLimits.ts';
import type { LoginThrottle } from '../../ports/loginThrottle.ts';
import { throttlePrefixes } from './keys.ts';

/** Counts failed log-ins over all gateways, by the Redis server's clock. Rejects when Redis cannot be reached. */
export function createRedisLoginThrottle({ redis }: { redis: Redis | Cluster }): LoginThrottle {
  const shared = { storeClient: redis, duration: loginLimits.windowSeconds };
  const accounts = new RateLimiterRedis({
    ...shared,
    points: loginLimits.perAccount,
    keyPrefix: throttlePrefixes.account,
  });
  const addresses = new RateLimiterRedis({
    ...shared,
    points: loginLimits.perAddress,
    keyPrefix: throttlePrefixes.address,
  });
  return {
    async blockedFor(account, address) {
      const counted = [accounts.get(hashed(account)), addresses.get(address)] as const;
      return secondsToWait(...(await Promise.all(counted)));
    },
    async failed(account, address) {
      await Promise.all([accounts.penalty(hashed(account)), addresses.penalty(address)]);
    },
    async succeeded(account) {
      await accounts.delete(hashed(account));
    },
  };
}

/** A name of any length and content as a short key that tells nobody whose it is. */
function hashed(account: string): string {
  return createHash('sha256').update(account).digest('base64url');
}
