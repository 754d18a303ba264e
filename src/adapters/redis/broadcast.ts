import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Cluster, Redis } from 'ioredis';

export function createBroadcast({ redis, subscriber }: { redis: Redis | Cluster; subscriber: Redis | Cluster }) {
  return createShardedAdapter(redis, subscriber, { subscriptionMode: 'dynamic', channelPrefix: 'readyline:broadcast' });
}
