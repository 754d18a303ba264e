import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createMemoryPresence } from '../../src/adapters/memory/presence.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { redisUrl } from '../support/redis.ts';

describe('the epoch of a presence store', () => {
  it('stays the same while the store keeps what it holds', async () => {
    const presence = createMemoryPresence({ now: Date.now });
    expect(await presence.epoch()).toBe(await presence.epoch());
    expect(await createMemoryPresence({ now: Date.now }).epoch()).not.toBe(await presence.epoch());
  });

  it('is the same for every gateway on one Redis, and another after its data are gone', async () => {
    const redis = new Redis(await redisUrl());
    const [one, two] = await Promise.all([createRedisPresence({ redis }), createRedisPresence({ redis })]);
    const [first, second] = await Promise.all([one.epoch(), two.epoch()]);
    expect(first).toBe(second);
    await redis.flushdb();
    expect(await two.epoch()).not.toBe(first);
    await Promise.all([one.close(), two.close()]);
    redis.disconnect();
  });
});
