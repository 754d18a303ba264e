import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import type { Counters } from '../../ports/counters.ts';

type TakePlace = Counters['takePlace'];

/** Sliding windows of one process, by the machine's clock. */
export function createMemoryWindows(): TakePlace {
  /** When each of the last places was taken, the oldest first; the key that was used last stands last. */
  const windows = new Map<string, { taken: number[]; emptyAt: number }>();

  return async (key, { count, perMs, below }) => {
    const now = Date.now();
    for (const [other, { emptyAt }] of windows) {
      if (emptyAt > now) break;
      windows.delete(other);
    }
    const taken = windows.get(key)?.taken ?? [];
    const last = taken.at(-below);
    if (last !== undefined && now - last <= perMs) return Math.min(last + perMs + 1 - now, perMs + 1);
    windows.delete(key);
    windows.set(key, { taken: [...taken, now].slice(-count), emptyAt: now + perMs + 1 });
    return 0;
  };
}

/**
 * Sliding windows of all gateways, by the Redis server's clock. Rejects when Redis cannot be reached.
 * @param keyOf the key in Redis of a window
 */
export function createRedisWindows({
  redis,
  keyOf,
}: {
  redis: Redis | Cluster;
  keyOf: (key: string) => string;
}): TakePlace {
  const script = readFileSync(new URL('./scripts/takePlace.lua', import.meta.url), 'utf8');
  return async (key, { count, perMs, below }) => Number(await redis.eval(script, 1, keyOf(key), perMs, below, count));
}
