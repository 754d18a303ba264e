import type { Cluster as RedisClusterClient, Redis } from 'ioredis';
import { startRedisServer, type RedisServer } from '../../demo/cluster/redisServer.ts';
import { startPostgresServer, type PostgresServer } from '../../demo/cluster/postgresServer.ts';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { startRedisSentinel, type RedisSentinel } from '../support/stores/redisSentinel.ts';
import { openWay, type Way } from './faults/way.ts';
import { NodeNames } from './nodeNames.ts';

export type ChaosOptions = {
  gateways: number;
  /** How far each gateway's clock is ahead of the machine's, by index. */
  clockAheadMs?: readonly number[];
  /**
   * `ways`: each gateway reaches Redis and PostgreSQL by ways of its own, which can be cut;
   * `sentinel`: a primary and a replica.
   */
  redis?: 'plain' | 'ways' | 'sentinel';
  env?: Readonly<Record<string, string>>;
};

/** A cluster whose gateways are known by their ids in Redis, and whose parts can be harmed. */
export type ChaosCluster = {
  cluster: Cluster;
  names: NodeNames;
  /** The test's own connection, past every way that can be cut. */
  redis: Redis | RedisClusterClient;
  /** As the gateways reach it, unless by ways of their own. */
  redisUrl: string;
  redisServer: RedisServer;
  /** Null: not watched by sentinels. */
  sentinel: RedisSentinel | null;
  /** By the gateway's index; empty unless asked for. */
  redisWays: readonly Way[];
  /** By the gateway's index; as many as ways to Redis. */
  databaseWays: readonly Way[];
  postgres: PostgresServer;
  stop(): Promise<void>;
};

/** Starts the gateways one after the other, which is how their ids are told apart. */
export async function openCluster({
  gateways,
  clockAheadMs = [],
  redis: kind = 'plain',
  env = {},
}: ChaosOptions): Promise<ChaosCluster> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const sentinel = kind === 'sentinel' ? await startRedisSentinel() : null;
    const redisServer = sentinel?.servers[0] ?? (await startRedisServer());
    stops.push(() => sentinel?.stop() ?? redisServer.stop());
    const redisUrl = sentinel?.url ?? redisServer.url;
    const postgres = await startPostgresServer();
    stops.push(() => postgres.stop());
    const waysTo = (url: string) =>
      Promise.all(Array.from({ length: kind === 'ways' ? gateways : 0 }, () => openWay(url)));
    const [redisWays, databaseWays] = [await waysTo(redisServer.url), await waysTo(postgres.url)];
    stops.push(async () => void (await Promise.all([...redisWays, ...databaseWays].map((way) => way.close()))));
    const envOf = (index: number) => ({
      ...env,
      REDIS_URL: redisWays[index]?.url ?? redisUrl,
      DATABASE_URL: databaseWays[index]?.url ?? postgres.url,
    });
    const cluster = await startCluster({
      gateways: 1,
      balancer: true,
      redisUrl,
      databaseUrl: postgres.url,
      env: envOf,
      clockAheadMs,
    });
    stops.push(() => cluster.stop());
    // Outages are the point.
    const redis = await connectRedis(redisUrl, { onError: () => undefined });
    stops.push(async () => redis.disconnect());
    const names = new NodeNames(redis);
    for (const first of cluster.gateways) await names.learn(first);
    for (let index = 1; index < gateways; index += 1) {
      await names.learn(await cluster.addGateway({ env: envOf(index), clockAheadMs: clockAheadMs[index] ?? 0 }));
    }
    return { cluster, names, redis, redisUrl, redisServer, sentinel, redisWays, databaseWays, postgres, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
