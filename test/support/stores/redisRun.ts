// Started once for the whole test run (vitest's globalSetup).
import type { TestProject } from 'vitest/node';
import { startRedisServer } from '../../../demo/cluster/redisServer.ts';
import { databaseCount } from './redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the run's server, without a database number. */
    redisServerUrl: string;
  }
}

/** Starts a redis-server that keeps nothing. */
export default async function startRedis(project: TestProject): Promise<() => Promise<void>> {
  const server = await startRedisServer({ databases: databaseCount });
  project.provide('redisServerUrl', server.url);
  return () => server.stop();
}
