import type { Cluster, Redis } from 'ioredis';
import { isClaimable, type Presence } from '../../src/domain/presence.ts';
import { toId, type AgentId, type CompanyId } from '../../src/domain/ids.ts';
import { agentKey } from '../../src/adapters/redis/keys.ts';
import { presenceFromFields } from '../../src/adapters/redis/presenceFields.ts';
import { nodeLeaseMs } from '../../src/ports/nodes.ts';
import { slowness } from '../support/time/pace.ts';
import type { Ledger } from './ledger.ts';

/**
 * After the lease, which no machine makes longer: the round of the gateway that finds out (1 s) and its work,
 * on an idle machine. Milliseconds.
 */
const foundOutWithinMs = 2_500;
const lookEveryMs = 250;

export type Watched = {
  companyId: string;
  agentId: string;
  /**
   * Whether the agent's softphone is connected to a gateway that works, as the test itself knows. `nodeId`: by Redis.
   */
  isLive(nodeId: string | null): boolean;
};

/** Looks at the presences in Redis all the time, as nobody of the gateways does. */
export interface PresenceWatch {
  stop(): Promise<void>;
}

/** The presence as it stands in Redis; null: none. */
export async function readPresence(
  redis: Redis | Cluster,
  companyId: string,
  agentId: string,
): Promise<Presence | null> {
  const [company, agent] = [toId<CompanyId>(companyId), toId<AgentId>(agentId)];
  return presenceFromFields(company, agent, await redis.hgetall(agentKey(company, agent)));
}

/** @param redis past everything that a test may put in between */
export function watchPresence(redis: Redis | Cluster, watched: readonly Watched[], ledger: Ledger): PresenceWatch {
  const staleSince = new Map<string, number>();
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const found = await Promise.all(watched.map(({ companyId, agentId }) => readPresence(redis, companyId, agentId)));
    const at = ledger.now();
    for (const [index, { agentId, isLive }] of watched.entries()) {
      const presence = found[index] ?? null;
      if (presence === null || !isClaimable(presence) || isLive(presence.nodeId)) {
        staleSince.delete(agentId);
        continue;
      }
      const since = staleSince.get(agentId) ?? at;
      staleSince.set(agentId, since);
      if (at - since <= nodeLeaseMs + foundOutWithinMs * slowness()) continue;
      ledger.stale.push({ at, agentId, forMs: at - since, detail: `Ready in Redis at gateway ${presence.nodeId}` });
    }
  }

  const timer = setInterval(() => {
    // While Redis is away nobody can be claimed either.
    looking ??= look()
      .catch(() => staleSince.clear())
      .finally(() => (looking = null));
  }, lookEveryMs);

  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
