import { startRedisServer, type RedisServer } from '../../demo/cluster/redisServer.ts';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { openRedisWay, type RedisWay } from './faults/redisWay.ts';
import { NodeNames } from './nodeNames.ts';

export type ChaosOptions = {
  gateways: number;
  /** How far each gateway's clock is ahead of the machine's, by index. */
  clockAheadMs?: readonly number[];
  /** Each gateway reaches Redis by a way of its own, which can be cut. */
  ownRedisWays?: boolean;
  env?: Readonly<Record<string, string>>;
};

/** A cluster whose gateways are known by their ids in Redis, and whose parts can be harmed. */
export type ChaosCluster = {
  cluster: Cluster;
  names: NodeNames;
  redis: RedisServer;
  /** By the gateway's index; empty unless asked for. */
  redisWays: readonly RedisWay[];
  stop(): Promise<void>;
};

/** Starts the gateways one after the other, which is how their ids are told apart. */
export async function openCluster({ gateways, clockAheadMs = [], ownRedisWays = false, env = {} }: ChaosOptions): Promise<ChaosCluster> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const redis = await startRedisServer();
    stops.push(() => redis.stop());
    const redisWays = ownRedisWays ? await Promise.all(Array.from({ length: gateways }, () => openRedisWay(redis.url))) : [];
    stops.push(async () => void (await Promise.all(redisWays.map((way) => way.close()))));
    const envOf = (index: number) => ({ ...env, REDIS_URL: redisWays[index]?.url ?? redis.url });
    const cluster = await startCluster({ gateways: 1, redisUrl: redis.url, env: envOf, clockAheadMs });
    stops.push(() => cluster.stop());
    const names = new NodeNames(redis.url);
    stops.push(async () => names.close());
    for (const first of cluster.gateways) await names.learn(first);
    for (let index = 1; index < gateways; index += 1) {
      await names.learn(await cluster.addGateway({ env: envOf(index), clockAheadMs: clockAheadMs[index] ?? 0 }));
    }
    return { cluster, names, redis, redisWays, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
