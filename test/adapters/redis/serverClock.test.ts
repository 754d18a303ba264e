import type { Cluster, Redis } from 'ioredis';
// oxlint-disable-next-line no-restricted-imports -- an answer is under way for that long
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectRedis } from '../../../src/adapters/redis/connection.ts';
import { startServerClock } from '../../../src/adapters/redis/serverClock.ts';
import { openBreakableLine, type BreakableLine } from '../../support/gateway/breakableLine.ts';
import { redisUrl } from '../../support/stores/redis.ts';

describe('the Redis clock', () => {
  let line: BreakableLine;
  let redis: Redis | Cluster;
  let direct: Redis;

  beforeEach(async () => {
    const url = await redisUrl();
    line = await openBreakableLine(url);
    redis = await connectRedis(line.url.replace('http:', 'redis:') + new URL(url).pathname, {
      onError: () => undefined,
    });
    direct = (await connectRedis(url, { onError: () => undefined })) as Redis;
  });
  afterEach(async () => {
    vi.useRealTimers();
    redis.disconnect();
    direct.disconnect();
    await line.close();
  });

  const serverTime = async (): Promise<number> => {
    const [seconds, microseconds] = await direct.time();
    return Number(seconds) * 1000 + Number(microseconds) / 1000;
  };

  it('is not moved by an answer that was under way for so long as a command may take', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const clock = await startServerClock(redis);
    line.holdAnswers();
    await vi.advanceTimersByTimeAsync(10_000);
    // A little less than the time-out of a command.
    await pause(1_600);
    line.release();
    // In its turn after the answer that was held.
    await redis.get('anything');
    const before = await serverTime();
    const told = clock.now();
    const after = await serverTime();
    clock.stop();
    // It would be wrong by half of that time, if the answer were believed.
    expect(told).toBeGreaterThan(before - 400);
    expect(told).toBeLessThan(after + 400);
  });
});
