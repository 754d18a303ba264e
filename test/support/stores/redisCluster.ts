import { Redis } from 'ioredis';
import { freePort } from '../../../demo/cluster/freePort.ts';
import { startRedisServer, type RedisServer } from '../../../demo/cluster/redisServer.ts';
import { eventually } from '../time/waiting.ts';

const slotCount = 16_384;

/** A real Redis Cluster on 127.0.0.1 that keeps nothing on disk but its own topology. */
export interface RedisCluster {
  /** As `connectRedis` takes it. */
  url: string;
  /** Each serves a share of the slots, in their order; primaries at the start. */
  primaries: RedisServer[];
  /** One for each primary, in the same order; empty unless asked for. */
  replicas: RedisServer[];
  /** The server that a key or channel belonged to at the start. */
  serverOf(key: string): Promise<RedisServer>;
  /** Resolves when the replica of that server serves the key or channel. */
  failedOver(key: string): Promise<void>;
  /** The replica takes the place of the primary that serves the key or channel; both live on. */
  handOver(key: string): Promise<void>;
  /** Resolves when every server that runs says that all slots are served. */
  isUp(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts three primaries, and a replica for each if asked for. Takes one to three seconds.
 * @param nodeTimeoutMs after which a silent server counts as failed
 */
export async function startRedisCluster({ withReplicas = false, nodeTimeoutMs = 2_000 } = {}): Promise<RedisCluster> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': String(nodeTimeoutMs),
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
  };
  const start = () => startMember(settings);
  const primaries = await Promise.all([start(), start(), start()]);
  const replicas = withReplicas ? await Promise.all([start(), start(), start()]) : [];
  const servers = [...primaries, ...replicas];
  const first = present(primaries[0]);
  const share = Math.ceil(slotCount / primaries.length);
  await eachServer(servers, (server, index) => server.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1));
  await eachServer(primaries, (server, index) =>
    server.call('CLUSTER', 'ADDSLOTSRANGE', index * share, Math.min((index + 1) * share, slotCount) - 1),
  );
  await eachServer(servers, (server) => server.call('CLUSTER', 'MEET', '127.0.0.1', first.port, first.busPort));
  await eachServer(servers, (server) =>
    until(async () => (await clusterFact(server, 'known_nodes')) === String(servers.length)),
  );
  const primaryIds = await Promise.all(primaries.map(({ port }) => ask(port, (server) => server.cluster('MYID'))));
  await eachServer(replicas, async (server, index) => {
    await until(() => succeeds(server.call('CLUSTER', 'REPLICATE', primaryIds[index] ?? '')));
    await until(async () => (await server.info('replication')).includes('master_link_status:up'));
  });
  // Primaries take part in the choice of a successor only when they have heard of the replica.
  await eachServer(replicas.length > 0 ? primaries : [], async (server) => {
    for (const id of primaryIds) await until(async () => String(await server.call('CLUSTER', 'REPLICAS', id)) !== '');
  });
  const isUp = async () => {
    const running = await Promise.all(servers.map(async (server) => ((await answers(server)) ? [server] : [])));
    await eachServer(running.flat(), (server) => until(async () => (await clusterFact(server, 'state')) === 'ok'));
  };
  const placeOf = async (key: string) => {
    const slot = await askAny(servers, (server) => server.call('CLUSTER', 'KEYSLOT', key));
    return Math.floor(Number(slot) / share);
  };
  await isUp();
  return {
    url: `redis-cluster://${primaries.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    primaries,
    replicas,
    serverOf: async (key) => present(primaries[await placeOf(key)]),
    async failedOver(key) {
      const { port } = present(replicas[await placeOf(key)]);
      await until(() => ask(port, async (replica) => (await replica.info('replication')).includes('role:master')));
      await isUp();
    },
    async handOver(key) {
      const { port } = present(replicas[await placeOf(key)]);
      await ask(port, (replica) => replica.cluster('FAILOVER'));
      await until(() => ask(port, async (replica) => (await replica.info('replication')).includes('role:master')));
    },
    isUp,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** A cluster of a single server, which is there at once. */
export async function startClusterOfOne(): Promise<Pick<RedisServer, 'url' | 'stop'>> {
  const server = await startMember({ 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' });
  await ask(server.port, (redis) => redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, slotCount - 1));
  return { url: server.url.replace('redis:', 'redis-cluster:'), stop: () => server.stop() };
}

type Member = RedisServer & { busPort: number };

async function startMember(settings: Record<string, string>, attempts = 5): Promise<Member> {
  // The servers talk to each other at a port of their own.
  const busPort = await freePort();
  try {
    const server = await startRedisServer({ settings: { ...settings, 'cluster-port': String(busPort) }, databases: 1 });
    return Object.assign(server, { busPort });
  } catch (error) {
    // Somebody else was faster to take one of the ports.
    if (attempts > 1 && String(error).includes('listening')) return startMember(settings, attempts - 1);
    throw error;
  }
}

async function clusterFact(server: Redis, name: string): Promise<string | undefined> {
  return new RegExp(`^cluster_${name}:(\\w+)`, 'm').exec(String(await server.call('CLUSTER', 'INFO')))?.[1];
}

async function eachServer(
  servers: RedisServer[],
  work: (server: Redis, index: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(servers.map(({ port }, index) => ask(port, (server) => work(server, index))));
}

/** Asks a single server or sentinel, by a connection that lasts no longer. */
export async function ask<T>(port: number, work: (server: Redis) => Promise<T>, password?: string): Promise<T> {
  const login = password === undefined ? {} : { password };
  const server = new Redis(port, '127.0.0.1', { ...login, retryStrategy: null, commandTimeout: 5_000 });
  server.on('error', () => undefined);
  try {
    return await work(server);
  } finally {
    server.disconnect();
  }
}

/** Asks whichever server answers. */
function askAny<T>(servers: RedisServer[], work: (server: Redis) => Promise<T>): Promise<T> {
  return Promise.any(servers.map(({ port }) => ask(port, work)));
}

function present<T extends RedisServer>(server: T | undefined): T {
  if (server === undefined) throw new Error('there is no such server');
  return server;
}

async function answers({ port }: RedisServer): Promise<boolean> {
  return succeeds(ask(port, (server) => server.ping()));
}

/** Whether what is under way succeeds. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Servers tell nobody when they have agreed among themselves. */
export function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  return eventually(isSo);
}
