import { performance } from 'node:perf_hooks';
import type { Cluster, Redis } from 'ioredis';
import { companiesKey } from './keys.ts';
import { loadScript, runScript } from './scripts.ts';

/** How often the Redis server's time is asked again. */
const measureEveryMs = 10_000;

export type ServerClock = {
  /** The Redis server's time in whole milliseconds, exact to half the round trip of the last measurement. */
  now(): number;
  stop(): void;
};

/**
 * Follows the Redis server's clock, so that all gateways date presence alike. Between two measurements it runs by
 * the process's monotonic clock: a correction of the machine's own time does not show. Rejects when Redis cannot be
 * reached; a later failure keeps the last measurement.
 */
export async function startServerClock(redis: Redis | Cluster): Promise<ServerClock> {
  const script = loadScript('time');

  async function measure(): Promise<number> {
    const asked = performance.now();
    const serverTime = milliseconds(await runScript(redis, script, [companiesKey], []));
    return serverTime - (asked + performance.now()) / 2;
  }

  let offset = await measure();
  const timer = setInterval(() => {
    measure().then(
      (measured) => {
        offset = measured;
      },
      // The connection tells of its own errors.
      () => undefined,
    );
  }, measureEveryMs);
  timer.unref();
  return { now: () => Math.round(offset + performance.now()), stop: () => clearInterval(timer) };
}

function milliseconds(time: unknown): number {
  const [seconds, microseconds] = Array.isArray(time) ? time.map(Number) : [];
  const result = Number(seconds) * 1000 + Number(microseconds) / 1000;
  if (!Number.isFinite(result)) throw new Error('Redis told no time');
  return result;
}
