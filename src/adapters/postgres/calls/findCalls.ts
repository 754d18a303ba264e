import type { Pool } from 'pg';
import { type AgentId, type CallId, type CompanyId, firstId } from '../../../domain/ids.ts';
import type { ActiveCall, CallInProgress, Correction, WrappedUp } from '../../../ports/calls.ts';
import { run } from '../queries.ts';
import { callColumns, type CallRow, customerName } from './callRows.ts';
import { readTags } from './tagRows.ts';

/** $1 company id, $2 call id. */
export const findCall = {
  name: 'find_call',
  text: `SELECT ${callColumns} FROM call WHERE company_id = $1 AND id = $2`,
};

/** The call, if it is of the company. */
export async function callById(pool: Pool, companyId: CompanyId, id: CallId): Promise<CallRow | undefined> {
  const [row] = await run<CallRow>(pool, findCall, [companyId, id]);
  return row;
}

// Which calls are under way is asked by `ended_at`, as their indexes are: it changes once in a call, the state several
// times, and what touches no index is written in place (HOT).

/** $1 company id, $2 agent id. */
export const findActiveCalls = {
  name: 'find_active_calls',
  text: `SELECT ${callColumns} FROM call WHERE company_id = $1 AND agent_id = $2 AND ended_at IS NULL
    AND source IS NULL ORDER BY id`,
};

/** The calls of an agent's softphone that have not ended, two at most, the first one first. */
export async function activeCallsOfAgent(pool: Pool, companyId: CompanyId, agentId: AgentId): Promise<CallRow[]> {
  return run<CallRow>(pool, findActiveCalls, [companyId, agentId]);
}

/** $1 company ids, $2 agent ids, in pairs. */
export const findActiveCallsOf = {
  name: 'find_active_calls_of',
  text: `SELECT call.id AS "callId", call.agent_id AS "agentId"
  FROM unnest($1::uuid[], $2::uuid[]) AS agent (company_id, agent_id)
  JOIN call ON call.company_id = agent.company_id AND call.agent_id = agent.agent_id AND call.ended_at IS NULL
    AND call.source IS NULL ORDER BY call.id`,
};

/** Which of these agents are on calls of their softphones, and on which, the first one first. */
export async function activeCallsOf(
  pool: Pool,
  agents: { companyId: CompanyId; agentId: AgentId }[],
): Promise<{ agentId: string; callId: string }[]> {
  return run(pool, findActiveCallsOf, [agents.map(({ companyId }) => companyId), agents.map(({ agentId }) => agentId)]);
}

/** $1 company id, $2 agent ids or null: of all. The record of the customer, which may be large, stays where it is. */
export const findCallsInProgress = {
  name: 'find_calls_in_progress',
  text: `SELECT id, agent_id AS "agentId", direction, trigger, state, phone, caller, ${customerName} AS name,
    record_system AS "externalSystem", record_url AS "recordUrl",
    transferred_from ->> 'name' AS "handedOnBy", created_at AS "createdAt", answered_at AS "answeredAt", version, source
  FROM call WHERE company_id = $1 AND ended_at IS NULL AND ($2::uuid[] IS NULL OR agent_id = ANY ($2))`,
};

/** A company's calls that have not ended; of these agents, or of all (null). */
export async function callsInProgress(
  pool: Pool,
  companyId: CompanyId,
  of: AgentId[] | null,
): Promise<CallInProgress[]> {
  return run<CallInProgress>(pool, findCallsInProgress, [companyId, of]);
}

/**
 * $1 before when made, $2 company id, $3 agent id and $4 slot of the last call of the page before, $5 how many.
 * In the index's own order, so that a page reads hardly more than it gives, however many calls have ended.
 */
export const listActiveCalls = {
  name: 'list_active_calls',
  text: `SELECT id, company_id AS "companyId", agent_id AS "agentId", slot, state, version FROM call
  WHERE ended_at IS NULL AND source IS NULL AND created_at < $1 AND (company_id, agent_id, slot) > ($2, $3, $4)
  ORDER BY company_id, agent_id, slot LIMIT $5`,
};

/** A page of the softphones' calls, of any company, that have not ended. */
export async function activeCalls(
  pool: Pool,
  before: Date,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ rows: ActiveCall[]; nextCursor: string | null }> {
  const [companyId = firstId, agentId = firstId, slot = '0'] = cursor?.split('/') ?? [];
  const rows = await run<ActiveCall>(pool, listActiveCalls, [before, companyId, agentId, Number(slot), limit + 1]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isWhole = rows.length <= limit || last === undefined;
  return { rows: page, nextCursor: isWhole ? null : `${last.companyId}/${last.agentId}/${String(last.slot)}` };
}

/** What is told late is of none of an agent's calls with a name that came before so many. */
const roundsKept = 5;

/**
 * $1 company id, $2 source, $3 what the platform calls it.
 * A PBX that counts its calls anew each day has had very many of that name.
 */
export const findPlatformCalls = {
  name: 'find_platform_calls',
  text: `SELECT ${callColumns} FROM (
    SELECT *, row_number() OVER (PARTITION BY agent_id ORDER BY platform_round DESC) AS latest FROM call
    WHERE company_id = $1 AND source = $2 AND platform_call_id = $3
  ) call WHERE latest <= ${roundsKept} ORDER BY platform_round, id LIMIT 500`,
};

/**
 * The calls that a platform called so, once for each agent who was on it and each time,
 * of each agent the first one first.
 */
export async function platformCallsOf(
  pool: Pool,
  companyId: CompanyId,
  source: string,
  platformCallId: string,
): Promise<CallRow[]> {
  return run<CallRow>(pool, findPlatformCalls, [companyId, source, platformCallId]);
}

/** $1 company id, $2 agent id, $3 source. An agent has one such call at most. */
export const findUnnamedCall = {
  name: 'find_unnamed_call',
  text: `SELECT ${callColumns} FROM call
  WHERE company_id = $1 AND agent_id = $2 AND source = $3 AND platform_call_id IS NULL AND ended_at IS NULL LIMIT 1`,
};

export async function unnamedCallOf(
  pool: Pool,
  companyId: CompanyId,
  agentId: AgentId,
  source: string,
): Promise<CallRow | null> {
  const [row] = await run<CallRow>(pool, findUnnamedCall, [companyId, agentId, source]);
  return row ?? null;
}

/** $1 since when nothing was told of calls that ring, $2 of others, $3 how many. Of any company. */
export const findSilentCalls = {
  name: 'find_silent_calls',
  text: `SELECT ${callColumns} FROM call
  WHERE ended_at IS NULL AND source IS NOT NULL AND platform_at < $1
    AND (state IN ('dialing', 'ringing') OR platform_at < $2)
  ORDER BY platform_at LIMIT $3`,
};

/** Calls of platforms of which nothing has been told for long. */
export async function silentCalls(pool: Pool, ringingSince: Date, since: Date, limit: number): Promise<CallRow[]> {
  return run<CallRow>(pool, findSilentCalls, [ringingSince, since, limit]);
}

/** No conversation is handed on so often. */
const longestConversation = 50;

/** $1 company id, $2 the id of any of its calls. From the call that began it, in the order in which they were begun. */
export const findConversation = {
  name: 'find_conversation',
  text: `WITH RECURSIVE up AS (
    SELECT id, parent_call_id, 1 AS depth FROM call WHERE company_id = $1 AND id = $2
    UNION ALL
    SELECT parent.id, parent.parent_call_id, depth + 1 FROM up JOIN call parent ON parent.company_id = $1
      AND parent.id = up.parent_call_id WHERE depth < ${longestConversation}
  ), down AS (
    (SELECT id, 1 AS depth FROM up ORDER BY up.depth DESC LIMIT 1)
    UNION ALL
    SELECT child.id, depth + 1 FROM down JOIN call child ON child.company_id = $1 AND child.parent_call_id = down.id
    WHERE depth < ${longestConversation}
  )
  SELECT ${callColumns} FROM call WHERE company_id = $1 AND id IN (SELECT id FROM down) ORDER BY id
  LIMIT ${longestConversation}`,
};

/** The calls of the conversation that a call is of. */
export async function conversationOf(pool: Pool, companyId: CompanyId, id: CallId): Promise<CallRow[]> {
  return run<CallRow>(pool, findConversation, [companyId, id]);
}

/** $1 company id, $2 call id. */
export const findCorrections = {
  name: 'find_corrections',
  text: `SELECT c.id, c.by_id AS by, a.name, c.before, c.after, c.at FROM call_correction c
    LEFT JOIN agent a ON a.company_id = c.company_id AND a.id = c.by_id
  WHERE c.company_id = $1 AND c.call_id = $2 ORDER BY c.id DESC LIMIT 100`,
};

export async function correctionsOf(pool: Pool, companyId: CompanyId, id: CallId): Promise<Correction[]> {
  const rows = await run<Correction>(pool, findCorrections, [companyId, id]);
  return rows.map((row) => ({
    ...row,
    before: row.before === null ? null : withTags(row.before),
    after: withTags(row.after),
  }));
}

function withTags(wrappedUp: WrappedUp): WrappedUp {
  return { ...wrappedUp, tags: readTags(wrappedUp.tags) };
}
