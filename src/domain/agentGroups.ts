import type { AgentId } from './ids.ts';

/**
 * Agents among whom claims choose. Who is in a group never changes; a team that changes is another group from then on.
 * So nothing that is kept of a group can be out of date.
 */
export type AgentGroup = {
  /** In order, nobody twice. */
  agentIds: readonly AgentId[];
  /** Their ids, one behind the other without anything between them: what one group has and no other. */
  text: string;
};

/** So few are looked up one by one: that costs no more than keeping an idle order for them. */
const lookedUpAtMost = 12;

/** Of lists that were seen before: putting 2,000 in order takes a millisecond. */
const known = new WeakMap<readonly AgentId[], AgentGroup>();

/**
 * The group of these agents, in whatever order they are told; null: they are so few that they are none.
 * @param agentIds never changed afterwards
 */
export function groupOf(agentIds: readonly AgentId[]): AgentGroup | null {
  if (agentIds.length <= lookedUpAtMost) return null;
  const seen = known.get(agentIds);
  if (seen !== undefined) return seen;
  const ordered = agentIds.every((id, at) => at === 0 || (agentIds[at - 1] ?? '') < id)
    ? agentIds
    : [...new Set(agentIds)].sort();
  const group = { agentIds: ordered, text: ordered.join('') };
  known.set(agentIds, group);
  return group;
}
