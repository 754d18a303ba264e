import type { Cluster, Redis } from 'ioredis';
import { isUuid, toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import { companiesKey, companyKeys } from './keys.ts';
import { loadScript, runScript, texts } from './scripts.ts';

/**
 * A company's deadlines are looked at again after this time at the latest. Milliseconds. Shorter than a claim's life
 * (`claimTtlMs`), so that a claim needs no entry of its own.
 */
const lookAgainMs = 5_000;

/** A group of agents that no claim has named for this time is kept no more. Milliseconds. */
const groupUnusedMs = 3_600_000;

/** Companies looked at in one go. */
const batchSize = 256;

export type DueAgent = { companyId: CompanyId; agentId: AgentId };
type Look = { companyId: CompanyId; live: boolean; earliest: number | null; due: (DueAgent & { deadline: number })[] };

/**
 * Finds the companies whose agents have deadlines, over all companies: a sorted set whose score says when to look
 * at a company again. It has no company's hash tag, so no script changes it together with a presence. The order of
 * steps keeps it safe instead: whoever looks first sets the company's time to `lookAgainMs` ahead, then reads the
 * deadlines, then only lowers the time. A writer writes the presence, then only lowers the time. So a change before
 * the reading is read, a change after it lowers the time that was set; and whatever is lost when a process dies in
 * between (or when a cluster lets the writer's two steps overtake each other) is found `lookAgainMs` later.
 * A company without agents is taken off the list and then looked at once more, for a log-in in between.
 */
export function createDueCompanies(redis: Redis | Cluster) {
  const dueScript = loadScript('due');

  async function lookBy(times: [CompanyId, number][]): Promise<void> {
    const members = times.flatMap(([companyId, time]) => [time, companyId]);
    if (members.length > 0) await redis.zadd(companiesKey, 'LT', ...members);
  }

  async function look(companyId: CompanyId, now: number, limit: number): Promise<Look> {
    const { agents, idle, deadlines, agentPrefix, groups, groupsUsed } = companyKeys(companyId);
    const result = texts(
      await runScript(
        redis,
        dueScript,
        [agents, idle, deadlines, groups, groupsUsed],
        [agentPrefix, now, limit, groupUnusedMs],
      ),
    );
    const [live, earliest, ...pairs] = result;
    const due = [];
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      due.push({ companyId, agentId: toId<AgentId>(pairs[i] ?? ''), deadline: Number(pairs[i + 1]) });
    }
    return { companyId, live: live === 'live', earliest: earliest ? Number(earliest) : null, due };
  }

  async function lookAt(companies: CompanyId[], now: number, limit: number): Promise<Look[]> {
    const again = companies.flatMap((companyId) => [now + lookAgainMs, companyId]);
    await redis.zadd(companiesKey, 'XX', ...again);
    const looks = await Promise.all(companies.map((companyId) => look(companyId, now, limit)));
    await lookBy(looks.flatMap(({ companyId, earliest }) => (earliest === null ? [] : [[companyId, earliest]])));
    await dropEmpty(
      looks.filter(({ live }) => !live).map(({ companyId }) => companyId),
      now,
    );
    return looks;
  }

  async function dropEmpty(companies: CompanyId[], now: number): Promise<void> {
    if (companies.length === 0) return;
    await redis.zrem(companiesKey, ...companies);
    const agents = await Promise.all(companies.map((companyId) => redis.exists(companyKeys(companyId).agents)));
    await lookBy(companies.flatMap((companyId, place) => (agents[place] ? [[companyId, now]] : [])));
  }

  return {
    /** Lists the company, to be looked at when `deadline` has passed. Send it right after the change itself. */
    async note(companyId: CompanyId, deadline: number | null, now: number): Promise<void> {
      await lookBy([[companyId, Math.min(deadline ?? Infinity, now + lookAgainMs)]]);
    },

    /** Agents whose deadline has passed, the longest overdue first, at most `limit`. */
    async due(now: number, limit: number): Promise<DueAgent[]> {
      const listed = await redis.zrangebyscore(companiesKey, '-inf', now);
      const companies = listed.filter(isUuid).map((companyId) => toId<CompanyId>(companyId));
      const due: Look['due'] = [];
      for (let start = 0; start < companies.length; start += batchSize) {
        const looks = await lookAt(companies.slice(start, start + batchSize), now, limit);
        due.push(...looks.flatMap((one) => one.due));
      }
      return due
        .sort(byDeadline)
        .slice(0, limit)
        .map(({ companyId, agentId }) => ({ companyId, agentId }));
    },
  };
}

function byDeadline(one: Look['due'][number], other: Look['due'][number]): number {
  return one.deadline - other.deadline || order(one.companyId, other.companyId) || order(one.agentId, other.agentId);
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
