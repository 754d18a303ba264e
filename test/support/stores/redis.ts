import { Redis } from 'ioredis';
import { inject } from 'vitest';

/** More than a run ever asks for. */
export const databaseCount = 10_000;

/** Key of the number of databases that the run was given so far. */
export const givenAway = 'test databases given away';

/**
 * The URL of an empty logical database that no other caller gets. Only keys are apart: channels, scripts and
 * `FLUSHALL` concern the whole server, which other test files use at the same time.
 */
export async function redisUrl(): Promise<string> {
  const url = inject('redisServerUrl');
  if (url === null) throw new Error('redis-server is not installed');
  const redis = new Redis(url);
  try {
    return `${url}/${await redis.incr(givenAway)}`;
  } finally {
    redis.disconnect();
  }
}
