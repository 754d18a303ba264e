import { startCluster, type Cluster, type ClusterOptions } from '../../demo/cluster/topology.ts';
import { NodeNames } from './nodeNames.ts';

/** A cluster whose gateways are known by their ids in Redis. */
export type ChaosCluster = { cluster: Cluster; names: NodeNames; stop(): Promise<void> };

/** Starts the gateways one after the other; each sees the log level that a test can show on failure. */
export async function openCluster(gateways: number, options: Omit<ClusterOptions, 'gateways'> = {}): Promise<ChaosCluster> {
  const cluster = await startCluster({ ...options, gateways: 1 });
  const names = new NodeNames(cluster.redis?.url ?? cluster.redisUrl);
  try {
    const { env, clockAheadMs } = options;
    const [first] = cluster.gateways;
    if (first !== undefined) await names.learn(first);
    for (let index = 1; index < gateways; index += 1) {
      const own = typeof env === 'function' ? env(index) : (env ?? {});
      await names.learn(await cluster.addGateway({ env: own, clockAheadMs: clockAheadMs?.[index] ?? 0 }));
    }
  } catch (error) {
    names.close();
    await cluster.stop();
    throw error;
  }
  return {
    cluster,
    names,
    async stop() {
      names.close();
      await cluster.stop();
    },
  };
}
