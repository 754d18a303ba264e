import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Counters } from '../../ports/counters.ts';

/** So many in a window that begins with the first. */
export type Rate = { limit: number; windowSeconds: number };

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
