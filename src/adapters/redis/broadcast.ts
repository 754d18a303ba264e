import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Cluster, Redis } from 'ioredis';
import type { ServerOptions } from 'socket.io';

/** The way to the rooms of other gateways. */
export function createBroadcast({
  redis,
  subscriber,
}: {
  redis: Redis | Cluster;
  subscriber: Redis | Cluster;
}): NonNullable<ServerOptions['adapter']> {
  return createShardedAdapter(redis, subscriber, { subscriptionMode: 'dynamic', channelPrefix: 'readyline:broadcast' });
}
