import { spawn, type ChildProcess } from 'node:child_process';
import { Cluster, type Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPresence } from '../../src/adapters/memory/presence.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { createNodeTable, type RedisNodeTable } from '../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { toId, type NodeId } from '../../src/domain/ids.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { startRedisCluster } from '../support/stores/redisCluster.ts';

export type OwnRedis = { url: string; port: number; process: ChildProcess; stop(): Promise<void> };

/** Starts a redis-server of the test's own on a free port, without persistence; `cluster`: as a cluster of one. */
export async function startOwnRedis({ cluster = false, port = 0 } = {}): Promise<OwnRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'presence-redis-'));
  const usedPort = port || (await freePort());
  const options = {
    port: usedPort,
    bind: '127.0.0.1',
    'cluster-announce-ip': '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: 'no',
  };
  const args = Object.entries({ ...options, 'cluster-enabled': cluster ? 'yes' : 'no' });
  const server = spawn('redis-server', args.flatMap(([name, value]) => [`--${name}`, String(value)]));
  server.once('error', (error) => {
    throw new Error('redis-server cannot be started: install Redis 6.2 or later', { cause: error });
  });
  let output = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes('Ready to accept connections')) break;
  }
  server.stdout.resume();
  if (!output.includes('Ready to accept connections')) throw new Error(`redis-server does not start: ${output}`);
  const scheme = cluster ? 'redis-cluster' : 'redis';
  if (cluster) await joinAllSlots(usedPort);
  return {
    url: `${scheme}://127.0.0.1:${usedPort}`,
    port: usedPort,
    process: server,
    async stop() {
      if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

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
      server = await (cluster ? startRedisCluster() : startOwnRedis());
      const { url } = server;
      connections = await Promise.all([1, 2, 3].map(() => connectRedis(url, { onError: throwIt })));
    },
    async open(now) {
      await Promise.all(connections.slice(0, 1).flatMap(primariesOf).map((primary) => primary.flushall()));
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

async function joinAllSlots(port: number): Promise<void> {
  const node = await connectRedis(`redis://127.0.0.1:${port}`, { onError: throwIt });
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  node.disconnect();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
