import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Cluster, Redis } from 'ioredis';
import type { ServerOptions } from 'socket.io';
import type { Subscriber } from './subscriber.ts';

/** Broadcasts to the rooms of all gateways. */
export type Broadcast = {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** Resolves when every room joined so far is subscribed; while Redis is away, when it is back. */
  isHeard(): Promise<void>;
};

/**
 * Makes the adapters by which Socket.IO reaches the rooms of all gateways; a gateway subscribes only to rooms that one of its
 * connections has joined. While Redis is away, broadcasts reach this gateway's own connections only, and rooms joined are
 * subscribed as soon as Redis is back.
 */
export function createBroadcast({ redis, subscriber }: { redis: Redis | Cluster; subscriber: Subscriber }): Broadcast {
  const beginning = new Set<Promise<void>>();
  // The interface of the `redis` package, which the adapter accepts too; it ignores what these return.
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
