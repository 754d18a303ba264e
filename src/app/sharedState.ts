import { createMemoryCounters, createRedisCounters } from '../adapters/counters/counters.ts';
import { createMemoryPresence, createSingleNode } from '../adapters/memory/presence.ts';
import { connectRedis, onReconnect } from '../adapters/redis/connection.ts';
import { createBroadcast, createRedisNodeChannel } from '../adapters/redis/gatewayMessages.ts';
import { checkRedis } from '../adapters/redis/needs.ts';
import { createNodeTable } from '../adapters/redis/nodes.ts';
import { createRedisPresence } from '../adapters/redis/presence.ts';
import { connectSubscriber } from '../adapters/redis/subscriber.ts';
import type { Config } from '../config.ts';
import type { NodeId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeChannel, RoomHearers } from '../ports/nodes.ts';
import type { IoAdapter } from '../realtime/io.ts';
import type { Services } from '../usecases/services.ts';
import type { Cleanup } from './cleanup.ts';
import { StartError } from './startError.ts';

type Needs = {
  nodeId: NodeId;
  clock: Clock;
  cleanup: Cleanup;
  onProblem: (message: string, error: unknown) => void;
  /** Ends the start: what it waits for at Redis is given up. */
  signal: AbortSignal;
};

/** For so long a start waits until Redis has confirmed that other gateways can reach this one. Milliseconds. */
const joinPatienceMs = 10_000;

/** State that gateways share and that is not durable. */
export type SharedState = Pick<Services, 'presence' | 'counters' | 'nodes'> & {
  /** How the other gateways are reached; null: there are none. */
  others:
    | (RoomHearers & {
        adapter: IoAdapter;
        /** Listens for messages of other gateways. `onGap`: some may have been missed. */
        listen(receive: (message: string) => void, onGap: () => void): Promise<NodeChannel>;
      })
    | null;
};

/** In this process's memory, or in Redis if the configuration names one. */
export function openSharedState(config: Config, needs: Needs): Promise<SharedState> {
  return config.redisUrl === null ? openMemory(needs) : openRedis(config.redisUrl, needs);
}

async function openMemory({ clock }: Needs): Promise<SharedState> {
  return {
    presence: createMemoryPresence({ now: () => clock.now() }),
    counters: createMemoryCounters(),
    nodes: createSingleNode(),
    others: null,
  };
}

async function openRedis(url: string, { nodeId, cleanup, onProblem, signal }: Needs): Promise<SharedState> {
  const onError = (error: Error) => onProblem('the Redis connection broke', error);
  const redis = await connected(connectRedis(url, { onError, signal }));
  cleanup.add('the connection to Redis', () => redis.disconnect());
  const subscriber = await connected(connectSubscriber(url, { onError, signal }));
  cleanup.add('the subscriptions at Redis', () => subscriber.disconnect());
  await connected(checkRedis(url, { redis, subscriber, signal }));
  const nodes = createNodeTable({ redis, nodeId });
  const presence = await createRedisPresence({ redis, nodes, onReconnect: (listener) => onReconnect(redis, listener) });
  cleanup.add('the clock of the presence store', () => presence.close());
  return {
    presence,
    nodes,
    counters: createRedisCounters({ redis }),
    others: {
      ...createBroadcast({ redis, subscriber }),
      async listen(receive, onGap) {
        subscriber.on('ready', onGap);
        const channel = await inTime(createRedisNodeChannel({ redis, subscriber, nodeId, receive, onProblem }), signal);
        cleanup.add('the channel to the other gateways', () => channel.close());
        return channel;
      },
    },
  };
}

/** A subscription is tried for ever, a start is not. */
async function inTime<T>(joining: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  signal.throwIfAborted();
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    timer = setTimeout(
      () => reject(new StartError('Redis does not confirm the channel of this gateway (SSUBSCRIBE)')),
      joinPatienceMs,
    );
  });
  try {
    return await Promise.race([joining, late]);
  } finally {
    clearTimeout(timer);
  }
}

function connected<T>(connecting: Promise<T>): Promise<T> {
  return connecting.catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error });
  });
}
