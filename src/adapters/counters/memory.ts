import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Counters } from '../../ports/counters.ts';
import { limiterCounters } from './limiterCounters.ts';

/** Counts of one process, by the machine's clock. A restart forgets them. */
export function createMemoryCounters(): Counters {
  return limiterCounters(new RateLimiterMemory({ points: 1, duration: 1 }));
}
