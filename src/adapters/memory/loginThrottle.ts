import { createHash } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { loginLimits, secondsToWait } from '../../domain/loginLimits.ts';
import type { LoginThrottle } from '../../ports/loginThrottle.ts';

/** Counts failed log-ins of one process, by the machine's clock. A restart forgets them. */
export function createMemoryLoginThrottle(): LoginThrottle {
  const duration = loginLimits.windowSeconds;
  const accounts = new RateLimiterMemory({ points: loginLimits.perAccount, duration });
  const addresses = new RateLimiterMemory({ points: loginLimits.perAddress, duration });
  return {
    async blockedFor(account, address) {
      return secondsToWait(await accounts.get(hashed(account)), await addresses.get(address));
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
