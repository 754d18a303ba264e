import { decidePresence } from '../../domain/agentStates.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { isClaimable, nextDeadline, type Presence } from '../../domain/presence.ts';
import type { NodeTable } from '../../ports/nodes.ts';
import type { ClaimOutcome, PresenceStore } from '../../ports/presence.ts';
import { createIdleOrders, type IdleOrders } from './idleOrders.ts';
import { createOrderedIndex } from './orderedIndex.ts';

type Company = {
  agents: Map<AgentId, Presence>;
  /** Exactly the claimable agents. */
  idle: IdleOrders;
};

/**
 * The presence of one process. Node runs each method's body without interruption, which makes it atomic.
 * @param now milliseconds since the epoch
 */
export function createMemoryPresence({ now }: { now: () => number }): PresenceStore {
  const companies = new Map<CompanyId, Company>();
  const deadlines = createOrderedIndex<{ companyId: CompanyId; agentId: AgentId }>();

  function companyOf(companyId: CompanyId): Company {
    const company = companies.get(companyId) ?? { agents: new Map(), idle: createIdleOrders(now) };
    companies.set(companyId, company);
    return company;
  }

  function write(companyId: CompanyId, next: Presence): Presence {
    const { agentId } = next;
    const company = companyOf(companyId);
    const presence = frozen(next);
    if (presence.state === 'offline') company.agents.delete(agentId);
    else company.agents.set(agentId, presence);
    if (isClaimable(presence) && presence.idleSince !== null) company.idle.set(agentId, presence.idleSince);
    else company.idle.delete(agentId);
    const deadline = nextDeadline(presence);
    const key = `${companyId}:${agentId}`;
    if (deadline === null) deadlines.delete(key);
    else deadlines.set(key, deadline, { companyId, agentId });
    if (company.agents.size === 0) companies.delete(companyId);
    return presence;
  }

  return {
    now,
    async find(companyId, agentId) {
      return companies.get(companyId)?.agents.get(agentId) ?? null;
    },
    async list(companyId, of = null) {
      const { agents } = companies.get(companyId) ?? {};
      if (agents === undefined) return [];
      return of === null ? [...agents.values()] : of.flatMap((agentId) => agents.get(agentId) ?? []);
    },
    async claim(companyId, { agentId, among, except = [], claimId, callId }): Promise<ClaimOutcome> {
      const company = companies.get(companyId);
      const chosen =
        agentId ??
        (among === undefined ? company?.idle.first(except) : company?.idle.firstAmong(among, except)) ??
        null;
      if (chosen === null) return { kind: 'none_ready' };
      const presence = company?.agents.get(chosen) ?? null;
      const decision = decidePresence(presence, { type: 'claim', claimId, callId }, now());
      if (decision.kind === 'changed') return { kind: 'claimed', presence: write(companyId, decision.next) };
      if (agentId === undefined) throw new Error('the idle order holds an agent that cannot be claimed');
      return { kind: 'not_ready', presence };
    },
    async commit(companyId, expectedVersion, next) {
      const stored = companies.get(companyId)?.agents.get(next.agentId);
      if ((stored?.version ?? 0) !== expectedVersion) return 'conflict';
      write(companyId, next);
      return 'committed';
    },
    async due(limit) {
      return deadlines.upTo(now(), limit);
    },
    // It is lost together with the process.
    whenLost: () => undefined,
    check: async () => undefined,
    restore: async () => null,
    async ping() {},
    async close() {},
  };
}

/** A copy that neither the writer nor a reader can change behind the store's back. */
function frozen(presence: Presence): Presence {
  const { pending, platform } = presence;
  return Object.freeze({
    ...presence,
    pending: pending && Object.freeze({ ...pending }),
    platform: platform && Object.freeze({ ...platform }),
  });
}

/** The table of a gateway that is alone. */
export function createSingleNode(): NodeTable {
  return {
    renew: async () => ({ lapsed: false, dead: [] }),
    // There is no other gateway whose agents it could be asked for.
    async *agentsOf() {},
    retire: async () => undefined,
    leave: async () => undefined,
    takeTurn: async () => true,
  };
}
