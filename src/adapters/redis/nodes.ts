import type { Cluster, Redis } from 'ioredis';
import { isUuid, toId, type AgentId, type CompanyId, type NodeId } from '../../domain/ids.ts';
import { nodeLeaseMs, type NodeTable } from '../../ports/nodes.ts';
import { companyKeys, leasesKey, nodeCompaniesKey, restoredKey, turnKey } from './keys.ts';
import { loadScript, runScript, texts } from './scripts.ts';

/** What the other parts of this adapter need of the table. */
export type RedisNodeTable = NodeTable & {
  /** Lists a company under the gateway that one of its agents is about to be connected to. */
  noteCompany(nodeId: NodeId, companyId: CompanyId): Promise<void>;
  /** The store has lost the lists of companies: they are written anew as companies come up. */
  forgetNoted(): void;
  /** Tells the others that this gateway has restored its agents. */
  announceRestored(generation: string): Promise<void>;
  /** How another gateway stood when the lease was last renewed; `missing`: in no list. */
  standing(nodeId: NodeId, generation: string): 'restored' | 'behind' | 'dead' | 'missing';
  /** The other gateways that lived when the lease was last renewed. */
  liveOthers(): NodeId[];
};

type Standing = { leftMs: number; restoredGeneration: string };

/** The table that all gateways share in Redis. */
export function createNodeTable({ redis, nodeId }: { redis: Redis | Cluster; nodeId: NodeId }): RedisNodeTable {
  const renewScript = loadScript('renewLease');
  const retireScript = loadScript('retireNode');
  const noted = new Map<NodeId, Set<CompanyId>>();
  let standings = new Map<NodeId, Standing>();
  let restoredGeneration = '';

  async function renew(): Promise<{ lapsed: boolean; dead: NodeId[] }> {
    const args = [nodeId, nodeLeaseMs, restoredGeneration];
    const [own, ...all] = texts(await runScript(redis, renewScript, [leasesKey, restoredKey], args));
    standings = readStandings(all);
    const lapsed = own !== 'held';
    if (lapsed) await noteAnew();
    return { lapsed, dead: [...standings].filter(([, { leftMs }]) => leftMs <= 0).map(([id]) => id) };
  }

  /** Other gateways have removed this gateway and its list of companies: write the list again. */
  async function noteAnew(): Promise<void> {
    const companies = [...(noted.get(nodeId) ?? [])];
    if (companies.length > 0) await redis.sadd(nodeCompaniesKey(nodeId), ...companies);
  }

  return {
    renew,
    async *agentsOf(node) {
      for (const company of await redis.smembers(nodeCompaniesKey(node))) {
        if (!isUuid(company)) continue;
        const companyId = toId<CompanyId>(company);
        const agents = await redis.smembers(companyKeys(companyId).nodePrefix + node);
        yield { companyId, agentIds: agents.filter(isUuid).map((id) => toId<AgentId>(id)) };
      }
    },
    async retire(node) {
      const keys = [leasesKey, restoredKey, nodeCompaniesKey(node)];
      if ((await runScript(redis, retireScript, keys, [node])) === 'retired') noted.delete(node);
    },
    async leave() {
      // Expired at once, so that another gateway checks for agents left behind and removes this one.
      await redis.zadd(leasesKey, 'XX', 0, nodeId);
    },
    async takeTurn(name, forMs) {
      return (await redis.set(turnKey(name), nodeId, 'PX', forMs, 'NX')) === 'OK';
    },

    async noteCompany(node, companyId) {
      const companies = noted.get(node) ?? new Set();
      noted.set(node, companies);
      if (companies.has(companyId)) return;
      await redis.sadd(nodeCompaniesKey(node), companyId);
      companies.add(companyId);
    },
    forgetNoted: () => noted.clear(),
    async announceRestored(generation) {
      restoredGeneration = generation;
      await renew();
    },
    standing(node, generation) {
      const found = standings.get(node);
      if (found === undefined) return 'missing';
      if (found.leftMs <= 0) return 'dead';
      return found.restoredGeneration === generation ? 'restored' : 'behind';
    },
    liveOthers: () => [...standings].filter(([id, { leftMs }]) => id !== nodeId && leftMs > 0).map(([id]) => id),
  };
}

function readStandings(list: string[]): Map<NodeId, Standing> {
  const standings = new Map<NodeId, Standing>();
  for (let i = 0; i + 2 < list.length; i += 3) {
    const [id = '', leftMs, restoredGeneration = ''] = list.slice(i, i + 3);
    if (isUuid(id)) standings.set(toId<NodeId>(id), { leftMs: Number(leftMs), restoredGeneration });
  }
  return standings;
}
