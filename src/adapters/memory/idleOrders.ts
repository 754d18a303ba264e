import { type AgentGroup, groupOf } from '../../domain/agentGroups.ts';
import type { AgentId } from '../../domain/ids.ts';
import { createOrderedIndex, type OrderedIndex } from './orderedIndex.ts';

/** A group that no claim has named for this time is kept no more. Milliseconds. */
const unusedMs = 3_600_000;
/** Far more than the teams of a company (500). */
const mostGroups = 1_000;

type KeptGroup = AgentGroup & { order: OrderedIndex<AgentId>; usedAt: number };

/**
 * The claimable agents of a company, the one idle longest first: of all, and of each group that claims have named,
 * whose orders are changed with it. So a claim costs the same in a team as of anybody.
 */
export type IdleOrders = {
  /** Gives the agent its place. @param since when it became idle; milliseconds */
  set(agentId: AgentId, since: number): void;
  /** Takes the agent out. */
  delete(agentId: AgentId): void;
  /** The one idle longest, but none of `except`. */
  first(except: readonly AgentId[]): AgentId | null;
  /** The same of those agents alone. @param among never changed afterwards */
  firstAmong(among: readonly AgentId[], except: readonly AgentId[]): AgentId | null;
};

/** Nobody is idle yet. @param now milliseconds since the epoch */
export function createIdleOrders(now: () => number): IdleOrders {
  const all = createOrderedIndex<AgentId>();
  const groups = new Map<string, KeptGroup>();
  /** The orders in which each agent has a place beside that of all. */
  const ordersOf = new Map<AgentId, OrderedIndex<AgentId>[]>();

  function orderOf(group: AgentGroup): OrderedIndex<AgentId> {
    const kept = groups.get(group.text) ?? keep(group);
    kept.usedAt = now();
    return kept.order;
  }

  function keep(group: AgentGroup): KeptGroup {
    const order = createOrderedIndex<AgentId>();
    for (const agentId of group.agentIds) {
      const since = all.scoreOf(agentId);
      if (since !== null) order.set(agentId, since, agentId);
      ordersOf.set(agentId, [...(ordersOf.get(agentId) ?? []), order]);
    }
    const kept = { ...group, order, usedAt: now() };
    dropUnused();
    groups.set(group.text, kept);
    return kept;
  }

  function dropUnused(): void {
    const byUse = [...groups.values()].sort((one, other) => one.usedAt - other.usedAt);
    const tooMany = byUse.length + 1 - mostGroups;
    byUse.filter(({ usedAt }, at) => at < tooMany || usedAt <= now() - unusedMs).forEach(drop);
  }

  function drop({ agentIds, order, text }: KeptGroup): void {
    groups.delete(text);
    for (const agentId of agentIds) {
      const others = (ordersOf.get(agentId) ?? []).filter((one) => one !== order);
      if (others.length === 0) ordersOf.delete(agentId);
      else ordersOf.set(agentId, others);
    }
  }

  return {
    set(agentId, since) {
      all.set(agentId, since, agentId);
      for (const order of ordersOf.get(agentId) ?? []) order.set(agentId, since, agentId);
    },
    delete(agentId) {
      all.delete(agentId);
      for (const order of ordersOf.get(agentId) ?? []) order.delete(agentId);
    },
    first: (except) => all.first(except),
    firstAmong(among, except) {
      const group = groupOf(among);
      return group === null
        ? all.firstAmong(among.filter((agentId) => !except.includes(agentId)))
        : orderOf(group).first(except);
    },
  };
}
