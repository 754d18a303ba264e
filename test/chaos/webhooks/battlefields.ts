import { startCluster, type Cluster } from '../../../demo/cluster/topology.ts';
import type { ChaosCluster } from '../chaosCluster.ts';
import type { Victims } from './kills.ts';

/** Gateways that are killed, and what they stand on. */
export type Battlefield = { cluster: Cluster; victims: Victims };

/** One gateway without Redis. `databaseUrl`: in place of an own PostgreSQL. */
export async function openSingle(databaseUrl?: string): Promise<Battlefield> {
  // A variable that is empty counts as unset.
  const cluster = await startCluster({
    gateways: 1,
    balancer: false,
    redisUrl: '',
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });
  const [gateway] = cluster.gateways;
  if (gateway === undefined) throw new Error('the cluster has a gateway');
  return { cluster, victims: { all: [gateway], byNode: () => gateway, start: () => gateway.start(), down: new Set() } };
}

/** Gateways behind Redis. */
export function battlefieldOf({ cluster, names }: ChaosCluster): Battlefield {
  const victims: Victims = {
    all: cluster.gateways,
    byNode(nodeId) {
      const name = names.nameOf(nodeId);
      const gateway = cluster.gateways.find(({ nodeName }) => nodeName === name);
      if (gateway === undefined) throw new Error(`no gateway that runs is ${nodeId}`);
      return gateway;
    },
    async start(gateway) {
      await gateway.start();
      await names.learn(gateway);
    },
    down: new Set(),
  };
  return { cluster, victims };
}
