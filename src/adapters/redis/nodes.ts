import type { Cluster, Redis } from 'ioredis';
import { isUuid, toId, type AgentId, type CompanyId, type NodeId } from '../../domain/ids.ts';
import { nodeLeaseMs, type NodeTable } from '../../ports/nodes.ts';
import { companyKeys, leasesKey, nodeCompaniesKey, restoredKey, turnKey } from './keys.ts';
import { loadScript, runScript, texts } from './scripts.ts';

/** What the other parts of this adapter need of the table. */
export type RedisNodeTable = NodeTable & {
  /** Lists a company under the gateway that one of its agents is about to be connected to. */
  noteCompany(nodeId: NodeId, companyId: CompanyId): Promise<void>;
  /** Everything noted may be gone: it is noted anew. */
  forgetNoted(): void;
  /** Tells the others that this gateway has brought back what it knows. */
  hasRestored(epoch: string): Promise<void>;
  /** Live gateways, this one included, that had not done so for this epoch when the lease was last renewed. */
  isBehind(nodeId: NodeId, epoch: string): boolean;
  liveOthers(): NodeId[];
};

type Standing = { leftMs: number; restoredEpoch: string };

/** The table that all gateways share in Redis. */
export function createNodeTable({ redis, nodeId }: { redis: Redis | Cluster; nodeId: NodeId }): RedisNodeTable {
  const renewScript = loadScript('renewLease');
  const retireScript = loadScript('retireNode');
  const noted = new Set<string>();
  let standings = new Map<NodeId, Standing>();
  let restoredEpoch = '';

  async function renew(): Promise<{ lapsed: boolean; dead: NodeId[] }> {
    const args = [nodeId, nodeLeaseMs, restoredEpoch];
    const [own, ...all] = texts(await runScript(redis, renewScript, [leasesKey, restoredKey], args));
    standings = readStandings(all);
    const lapsed = own !== 'held';
    if (lapsed) noted.clear();
    return { lapsed, dead: [...standings].filter(([, { leftMs }]) => leftMs <= 0).map(([id]) => id) };
  }

  async function retire(node: NodeId, when: 'lapsed' | 'always'): Promise<void> {
    await runScript(redis, retireScript, [leasesKey, restoredKey], [node, when]);
  }

  function isLive(node: NodeId): boolean {
    return (standings.get(node)?.leftMs ?? 0) > 0;
  }

  return {
    renew,
    isLive,
    async *agentsOf(node) {
      for (const company of await redis.smembers(nodeCompaniesKey(node))) {
        if (!isUuid(company)) continue;
        const companyId = toId<CompanyId>(company);
        const agents = await redis.smembers(companyKeys(companyId).nodePrefix + node);
        yield { companyId, agentIds: agents.filter(isUuid).map((id) => toId<AgentId>(id)) };
        // Not the whole key in the end: a gateway that has come back to life may be noting companies again.
        await redis.srem(nodeCompaniesKey(node), company);
      }
    },
    retire: (node) => retire(node, 'lapsed'),
    leave: () => retire(nodeId, 'always'),
    async takeTurn(name, forMs) {
      return (await redis.set(turnKey(name), nodeId, 'PX', forMs, 'NX')) === 'OK';
    },

    async noteCompany(node, companyId) {
      const name = `${node} ${companyId}`;
      if (noted.has(name)) return;
      await redis.sadd(nodeCompaniesKey(node), companyId);
      noted.add(name);
    },
    forgetNoted: () => noted.clear(),
    async hasRestored(epoch) {
      restoredEpoch = epoch;
      await renew();
    },
    isBehind: (node, epoch) => isLive(node) ? standings.get(node)?.restoredEpoch !== epoch : !standings.has(node),
    liveOthers: () => [...standings.keys()].filter((node) => node !== nodeId && isLive(node)),
  };
}

function readStandings(list: string[]): Map<NodeId, Standing> {
  const standings = new Map<NodeId, Standing>();
  for (let i = 0; i + 2 < list.length; i += 3) {
    const [id = '', leftMs, restoredEpoch = ''] = list.slice(i, i + 3);
    if (isUuid(id)) standings.set(toId<NodeId>(id), { leftMs: Number(leftMs), restoredEpoch });
  }
  return standings;
}
