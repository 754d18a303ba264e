import type { Cluster, Redis } from 'ioredis';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import { leasesKey } from '../../src/adapters/redis/keys.ts';
import { eventually } from '../support/time/waiting.ts';

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
    const [id, ...others] = await eventually(async () => {
      const fresh = (await this.#redis.zrange(leasesKey, '0', '-1')).filter((lease) => !this.#names.has(lease));
      return fresh.length > 0 && fresh;
    });
    if (id === undefined || others.length > 0) throw new Error('two gateways were started at once');
    this.#names.set(id, nodeName);
    this.#current.set(nodeName, id);
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
