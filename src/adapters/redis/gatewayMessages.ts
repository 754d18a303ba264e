import { Cluster, type Redis } from 'ioredis';
import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { ServerOptions } from 'socket.io';
import type { NodeId } from '../../domain/ids.ts';
import type { NodeChannel, RoomHearers } from '../../ports/nodes.ts';
import { onReconnect } from './connection.ts';
import type { Subscriber } from './subscriber.ts';
import { createUnheardChannels } from './unheardChannels.ts';

const channelOf = (nodeId: NodeId): string => `readyline:node:${nodeId}`;

/**
 * Each gateway subscribes to one sharded channel of its own, at the server that others publish to; so that server knows
 * whether it listens. Resolves when this gateway is subscribed.
 * @param receive is given each message to this gateway; what it throws goes to `onProblem`
 */
export async function createRedisNodeChannel({
  redis,
  subscriber,
  nodeId,
  receive,
  onProblem,
}: {
  redis: Redis | Cluster;
  subscriber: Subscriber;
  nodeId: NodeId;
  receive: (message: string) => void;
  onProblem: (message: string, error: unknown) => void;
}): Promise<NodeChannel> {
  const channel = channelOf(nodeId);
  await subscriber.listen(channel, (message) => {
    try {
      receive(message.toString());
    } catch (error) {
      onProblem('a message of another gateway could not be taken', error);
    }
  });
  return {
    send: async (to, message) => Number(await redis.spublish(channelOf(to), message)) > 0,
    close: () => subscriber.ignore(channel),
  };
}

/** Broadcasts to the rooms of all gateways. */
export type Broadcast = RoomHearers & { adapter: NonNullable<ServerOptions['adapter']> };

const prefix = 'readyline:broadcast';
/** As the adapter names the channel of all gateways, and those of rooms. */
const everybody = `${prefix}#/#`;
const channelOfRoom = (room: string): string => `${everybody}${room}#`;
/** An answer to PUBSUB SHARDNUMSUB with more gateways than there are: those that answer are never all. */
const notCounted = [everybody, 1_000_000];

/**
 * Makes the adapters by which Socket.IO reaches the rooms of all gateways; a gateway subscribes only to rooms that one
 * of its connections has joined. While Redis is away, broadcasts reach this gateway's own connections only, and rooms
 * joined are subscribed as soon as Redis is back.
 */
export function createBroadcast({
  redis,
  subscriber,
  now,
}: {
  redis: Redis | Cluster;
  subscriber: Subscriber;
  now?: () => number;
}): Broadcast {
  const beginning = new Set<Promise<void>>();
  const unheard = createUnheardChannels(now);
  // Others may have been told meanwhile, and not this gateway.
  subscriber.on('ready', () => unheard.forget(null));
  // A former primary says that it has sent to nobody.
  onReconnect(redis, () => unheard.forget(null));
  // Whoever is not counted itself counts wrongly.
  const countingAt = (server: Redis) => ({
    send_command: (name: string, args: string[]): Promise<unknown> =>
      subscriber.hears(everybody) ? server.call(name, ...args).catch(() => notCounted) : Promise.resolve(notCounted),
  });
  // What the adapter uses of a client of ioredis; with `isCluster` it adds up what all of `nodes` say, and it does not
  // catch a rejection.
  const publications = {
    isCluster: true,
    nodes: () => (redis instanceof Cluster ? redis.nodes('master') : [redis]).map(countingAt),
    async spublish(channel: string, message: string | Buffer): Promise<void> {
      const sent = unheard.sending(channel);
      sent(Number(await redis.spublish(channel, message)));
    },
  };
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
    adapter: createShardedAdapter(publications, subscriptions, { subscriptionMode: 'dynamic', channelPrefix: prefix }),
    async isHeard() {
      await Promise.all(beginning);
    },
    // Who cannot be told of others believes nothing.
    mayBeHeard: (room) => !subscriber.hears(everybody) || !unheard.has(channelOfRoom(room)),
    noteHearers: (room) => unheard.forget(room === null ? null : channelOfRoom(room)),
  };
}
