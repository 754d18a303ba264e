import { createHash } from 'node:crypto';
import type { AgentGroup } from '../../domain/agentGroups.ts';

const digests = new WeakMap<AgentGroup, string>();

/**
 * Under which a group of agents is known to Redis, whatever Redis or PostgreSQL lost meanwhile. Each group has an idle
 * order of its own, which every script that changes the company's changes with it: a claim among 200 of 10,000 costs
 * what a claim of anybody costs.
 */
export function digestOf(group: AgentGroup): string {
  const known = digests.get(group);
  if (known !== undefined) return known;
  // 132 bits: no two groups of a company are ever taken for one.
  // As many letters as scripts/includes/idle.lua reckons with.
  const digest = createHash('sha256').update(group.text).digest('base64url').slice(0, 22);
  digests.set(group, digest);
  return digest;
}
