import { performance } from 'node:perf_hooks';
import type { Cluster, Redis } from 'ioredis';
import { measureEveryMs, syncWithServer } from '../../domain/clockSync.ts';
import { companiesKey } from './keys.ts';
import { loadScript, runScript } from './scripts.ts';

export type ServerClock = {
  /** The Redis server's time in whole milliseconds since the epoch. */
  now(): number;
  /** Measures no more; `now` goes on by the last measurement. */
  stop(): void;
};

/** Follows the Redis server's clock, so that all gateways date presence alike. Rejects when Redis cannot be reached. */
export async function startServerClock(redis: Redis | Cluster): Promise<ServerClock> {
  const script = loadScript('time');
  const readTime = async () => milliseconds(await runScript(redis, script, [companiesKey], []));
  const clock = await syncWithServer(readTime, () => performance.now());
  const timer = setInterval(() => clock.look(), measureEveryMs);
  timer.unref();
  return { now: () => clock.now(), stop: () => clearInterval(timer) };
}

function milliseconds(time: unknown): number {
  const [seconds, microseconds] = Array.isArray(time) ? time.map(Number) : [];
  const result = Number(seconds) * 1000 + Number(microseconds) / 1000;
  if (!Number.isFinite(result)) throw new Error('Redis told no time');
  return result;
}
