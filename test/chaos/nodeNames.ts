import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import { leasesKey } from '../../src/adapters/redis/keys.ts';

/** Which gateway bears which id: each start of a process has an id of its own, which only Redis shows. */
export class NodeNames {
  readonly #redis: Redis | Cluster;
  readonly #names = new Map<string, string>();
  readonly #current = new Map<string, string>();

  constructor(redis: Redis | Cluster) {
    this.#redis = redis;
  }

  /** Notes the id of the gateway that was started last, once it has a lease; one gateway after the other. */
  async learn({ nodeName }: ClusterGateway): Promise<void> {
    for (;;) {
      const fresh = (await this.#redis.zrange(leasesKey, '0', '-1').catch(() => [])).filter((id) => !this.#names.has(id));
      const [id] = fresh;
      if (id !== undefined) {
        if (fresh.length > 1) throw new Error('two gateways were started at once');
        this.#names.set(id, nodeName);
        this.#current.set(nodeName, id);
        return;
      }
      await pause(20);
    }
  }

  nameOf(nodeId: string | null): string | null {
    const name = nodeId === null ? undefined : this.#names.get(nodeId);
    return name !== undefined && this.#current.get(name) === nodeId ? name : null;
  }

  /** Whether it is the id of a process that has ended since, or of none. */
  isPast(nodeId: string | null): boolean {
    return nodeId === null || this.#names.has(nodeId);
  }
}
