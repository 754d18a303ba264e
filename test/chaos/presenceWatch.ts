import { Redis } from 'ioredis';
import { isClaimable, type Presence } from '../../src/domain/presence.ts';
import { toId, type AgentId, type CompanyId } from '../../src/domain/ids.ts';
import { agentKey, leasesKey } from '../../src/adapters/redis/keys.ts';
import { presenceFromFields } from '../../src/adapters/redis/presenceFields.ts';
import { nodeLeaseMs } from '../../src/ports/nodes.ts';
import type { Ledger } from './ledger.ts';

/** Lease, the round of the gateway that finds out (1 s), its work, and a busy machine. Milliseconds. */
const staleAfterMs = nodeLeaseMs + 1_000 + 1_500;
const lookEveryMs = 250;

export type Watched = {
  companyId: string;
  agentId: string;
  /** Whether the agent's softphone is connected to a gateway that works, as the test itself knows. `nodeId`: by Redis. */
  isLive(nodeId: string | null): boolean;
};

/** Looks at the presences in Redis all the time, as nobody of the gateways does. */
export interface PresenceWatch {
  readonly redis: Redis;
  read(watched: Pick<Watched, 'companyId' | 'agentId'>): Promise<Presence | null>;
  /** The ids of the gateways with a lease or one that lapsed. */
  nodeIds(): Promise<string[]>;
  stop(): Promise<void>;
}

/** @param url of Redis itself, past everything that a test may put in between */
export function watchPresence(url: string, watched: readonly Watched[], ledger: Ledger): PresenceWatch {
  const redis = openRedis(url);
  const staleSince = new Map<string, number>();
  let looking: Promise<void> | null = null;

  const read = async ({ companyId, agentId }: Pick<Watched, 'companyId' | 'agentId'>) => {
    const [company, agent] = [toId<CompanyId>(companyId), toId<AgentId>(agentId)];
    return presenceFromFields(company, agent, await redis.hgetall(agentKey(company, agent)));
  };

  async function look(): Promise<void> {
    const found = await Promise.all(watched.map(read));
    const at = ledger.now();
    for (const [index, { agentId, isLive }] of watched.entries()) {
      const presence = found[index] ?? null;
      if (presence === null || !isClaimable(presence) || isLive(presence.nodeId)) {
        staleSince.delete(agentId);
        continue;
      }
      const since = staleSince.get(agentId) ?? at;
      staleSince.set(agentId, since);
      if (at - since <= staleAfterMs) continue;
      ledger.stale.push({ at, agentId, forMs: at - since, detail: `Ready in Redis at gateway ${presence.nodeId}` });
    }
  }

  const timer = setInterval(() => {
    // While Redis is away nobody can be claimed either.
    looking ??= look().catch(() => staleSince.clear()).finally(() => (looking = null));
  }, lookEveryMs);

  return {
    redis,
    read,
    nodeIds: () => redis.zrange(leasesKey, '0', '-1'),
    async stop() {
      clearInterval(timer);
      await looking;
      redis.disconnect();
    },
  };
}

function openRedis(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: 2_000, retryStrategy: () => 100 });
  // Outages are the point.
  redis.on('error', () => undefined);
  return redis;
}
