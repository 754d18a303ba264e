import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Counters } from '../../ports/counters.ts';

/** At most `limit` in a window that begins with the first. */
type Rate = { limit: number; windowSeconds: number };

/**
 * How often a company may test its webhook or change the URL. Tests and the delivery log say exactly why nothing arrived; at
 * this rate nobody can map a network with them. See docs/decisions/0023.
 */
export const webhookLimits = {
  tests: { limit: 20, windowSeconds: 10 * 60 },
  urlChanges: { limit: 20, windowSeconds: 10 * 60 },
} as const;

/**
 * Counts an action that is limited in rate; the refusal (which is not counted) where the limit is reached.
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
