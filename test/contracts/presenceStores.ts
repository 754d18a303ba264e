import { Cluster, type Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { createMemoryPresence } from '../../src/adapters/memory/presence.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { createNodeTable, type RedisNodeTable } from '../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { toId, type NodeId } from '../../src/domain/ids.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { startRedisCluster } from '../support/stores/redisCluster.ts';

/** One kind of presence store: every gateway of `open` shares what the others write. */
export type PresenceBackend = {
  name: string;
  /** Starts what the stores need. */
  start(): Promise<void>;
  /** Stores over the same, empty presence, each as a gateway of its own would have it. */
  open(now: () => number): Promise<PresenceStore[]>;
  stop(): Promise<void>;
};

/** All kinds of presence store that there are. */
export function presenceBackends(): PresenceBackend[] {
  return [memoryBackend(), redisBackend('redis', false), redisBackend('redis cluster', true)];
}

/** The presence of a single process. */
export function memoryBackend(): PresenceBackend {
  return {
    name: 'memory',
    start: async () => undefined,
    open: async (now) => [createMemoryPresence({ now })],
    stop: async () => undefined,
  };
}

/** Three gateways, each with a connection of its own; `cluster`: to three servers. */
export function redisBackend(name: string, cluster: boolean): PresenceBackend {
  let server: { url: string; stop(): Promise<void> } | undefined;
  let connections: (Redis | Cluster)[] = [];
  return {
    name,
    async start() {
      server = await (cluster ? startRedisCluster() : startRedisServer());
      const { url } = server;
      connections = await Promise.all([1, 2, 3].map(() => connectRedis(url, { onError: throwIt })));
    },
    async open(now) {
      await Promise.all(
        connections
          .slice(0, 1)
          .flatMap(primariesOf)
          .map((primary) => primary.flushall()),
      );
      return await Promise.all(connections.map((redis) => createRedisPresence({ redis, nodes: newNode(redis), now })));
    },
    async stop() {
      connections.forEach((redis) => redis.disconnect());
      await server?.stop();
    },
  };
}

/** The servers that each hold a share of the keys. */
export function primariesOf(redis: Redis | Cluster): Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** A gateway of its own in the table of gateways. */
export function newNode(redis: Redis | Cluster): RedisNodeTable {
  return createNodeTable({ redis, nodeId: toId<NodeId>(randomUUID()) });
}

function throwIt(error: Error): never {
  throw error;
}
