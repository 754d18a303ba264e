import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Cluster, Redis } from 'ioredis';
import type { ServerOptions } from 'socket.io';
import type { Subscriber } from './subscriber.ts';

/** The way to the rooms of all gateways. */
export type Broadcast = {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** Resolves when every room that has been joined so far is heard; while Redis is away, when it is back. */
  isHeard(): Promise<void>;
};

/**
 * Makes the adapters by which Socket.IO reaches the rooms of all gateways; a gateway hears only of rooms that one of its
 * connections has joined. While Redis is away broadcasts reach this gateway's own connections only, and rooms may be
 * joined: they are heard as soon as Redis is back.
 */
export function createBroadcast({ redis, subscriber }: { redis: Redis | Cluster; subscriber: Subscriber }): Broadcast {
  const beginning = new Set<Promise<void>>();
  // In the words of the `redis` package, which the adapter speaks too. It does not look at what these return.
  const subscriptions = {
    sSubscribe(channel: string, hear: (message: Buffer, channel: string) => void): void {
      const heard = subscriber.listen(channel, (message) => hear(message, channel));
      beginning.add(heard);
      void heard.finally(() => beginning.delete(heard));
    },
    sUnsubscribe(channel: string): void {
      void subscriber.ignore(channel);
    },
  };
  return {
    adapter: createShardedAdapter(redis, subscriptions, {
      subscriptionMode: 'dynamic',
      channelPrefix: 'readyline:broadcast',
    }),
    async isHeard() {
      await Promise.all(beginning);
    },
  };
}
