import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Cluster, Redis } from 'ioredis';
import type { ServerOptions } from 'socket.io';
import type { Subscriber } from './subscriber.ts';

/**
 * Makes the adapters by which Socket.IO reaches the rooms of all gateways; a gateway hears only of rooms that one of its
 * connections has joined. While Redis is away broadcasts reach this gateway's own connections only, and rooms may be
 * joined: they are heard as soon as Redis is back.
 */
export function createBroadcast({
  redis,
  subscriber,
}: {
  redis: Redis | Cluster;
  subscriber: Subscriber;
}): NonNullable<ServerOptions['adapter']> {
  // In the words of the `redis` package, which the adapter speaks too. It does not look at what these return.
  const subscriptions = {
    sSubscribe(channel: string, hear: (message: Buffer, channel: string) => void): void {
      void subscriber.listen(channel, (message) => hear(message, channel));
    },
    sUnsubscribe(channel: string): void {
      void subscriber.ignore(channel);
    },
  };
  return createShardedAdapter(redis, subscriptions, {
    subscriptionMode: 'dynamic',
    channelPrefix: 'readyline:broadcast',
  });
}
