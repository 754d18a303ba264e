import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Counters } from '../../ports/counters.ts';

/** So many in a window that begins with the first. */
type Rate = { limit: number; windowSeconds: number };

/**
 * How often a company may aim its webhooks anew. Tests and the delivery log say exactly why nothing arrived, which an admin
 * needs to know; at this rate nobody maps a network by it. See docs/decisions/0023.
 */
export const webhookLimits = {
  tests: { limit: 20, windowSeconds: 10 * 60 },
  urlChanges: { limit: 20, windowSeconds: 10 * 60 },
} as const;

/**
 * Counts something that may be done only so often; the refusal where that was often enough, which counts nothing.
 * @param what for a person: "Too many <what>; …"
 */
export async function limitRate(counters: Counters, key: string, what: string, { limit, windowSeconds }: Rate): Promise<Refused | null> {
  const counted = await counters.add(key, 1, windowSeconds);
  if (counted.points <= limit) return null;
  await counters.add(key, -1, windowSeconds);
  return refuse('rate_limited', `Too many ${what}; wait before the next.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(counted.endsInMs / 1_000)),
    limit,
  });
}
