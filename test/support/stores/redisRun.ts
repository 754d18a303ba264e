// Started once for the whole test run (vitest's globalSetup).
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';
import { startRedisServer } from '../../../demo/cluster/redisServer.ts';
import { databaseCount, givenAway } from './redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the run's server, without a database number; null: there is none. */
    redisServerUrl: string | null;
    /** TEST_REDIS_URL; null: one is started. */
    givenRedisUrl: string | null;
  }
}

/** Starts a redis-server that keeps nothing, unless there is one at TEST_REDIS_URL. */
export default async function startRedis(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { givenRedisUrl: given } = project.getProvidedContext();
  if (given !== null) {
    await isLargeEnough(given);
    project.provide('redisServerUrl', given);
    return () => empty(given);
  }
  try {
    const server = await startRedisServer({ databases: databaseCount });
    project.provide('redisServerUrl', server.url);
    return () => server.stop();
  } catch (error) {
    if (!String(error).includes('is not installed')) throw error;
    project.provide('redisServerUrl', null);
    return undefined;
  }
}

async function isLargeEnough(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0 });
  try {
    await redis.select(databaseCount - 1);
  } catch (error) {
    throw new Error(
      `The Redis at TEST_REDIS_URL has to be there, with so many databases: redis-server --databases ${databaseCount}`,
      { cause: error },
    );
  } finally {
    redis.disconnect();
  }
}

/** Leaves the databases that the run was given as they were. */
async function empty(url: string): Promise<void> {
  const redis = new Redis(url);
  const count = Number(await redis.getdel(givenAway));
  for (let database = 1; database <= count; database += 1) {
    await redis.select(database);
    await redis.flushdb();
  }
  redis.disconnect();
}
