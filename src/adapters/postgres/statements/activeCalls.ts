import type { Pool } from 'pg';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import type { CallInProgress, ActiveCall } from '../../../ports/calls.ts';
import { callColumns, type CallRow } from '../callRows.ts';
import { customerName } from './customerNames.ts';
import { run } from './prepared.ts';

// The state is written out, not a parameter: only so does a prepared plan use the index of the calls under way.

/** $1 company id, $2 agent id. */
export const findActiveCall = {
  name: 'find_active_call',
  text: `SELECT ${callColumns} FROM call WHERE company_id = $1 AND agent_id = $2 AND state <> 'ended'`,
};

/**
 * $1 before when made, $2 company id and $3 agent id of the last call of the page before, $4 how many.
 * In the index's own order, so that a page reads hardly more than it gives, however many calls have ended.
 */
export const listActiveCalls = {
  name: 'list_active_calls',
  text: `SELECT id, company_id AS "companyId", agent_id AS "agentId", state, version FROM call
  WHERE state <> 'ended' AND created_at < $1 AND (company_id, agent_id) > ($2, $3)
  ORDER BY company_id, agent_id LIMIT $4`,
};

/** $1 company ids, $2 agent ids, in pairs. */
export const findActiveCallsOf = {
  name: 'find_active_calls_of',
  text: `SELECT call.id AS "callId", call.agent_id AS "agentId"
  FROM unnest($1::uuid[], $2::uuid[]) AS agent (company_id, agent_id)
  JOIN call ON call.company_id = agent.company_id AND call.agent_id = agent.agent_id AND call.state <> 'ended'`,
};

/** $1 company id. The record of the customer, which may be large, stays where it is. */
export const findCallsInProgress = {
  name: 'find_calls_in_progress',
  text: `SELECT id, agent_id AS "agentId", direction, trigger, state, phone, caller, ${customerName} AS name,
    created_at AS "createdAt", answered_at AS "answeredAt", version
  FROM call WHERE company_id = $1 AND state <> 'ended'`,
};

/** Before every company and agent. */
const beginning = '00000000-0000-0000-0000-000000000000';

/** The one call of an agent that has not ended. */
export async function activeCallOf(pool: Pool, companyId: CompanyId, agentId: AgentId): Promise<CallRow | undefined> {
  const [row] = await run<CallRow>(pool, findActiveCall, [companyId, agentId]);
  return row;
}

/** A company's calls that have not ended. */
export async function callsInProgress(pool: Pool, companyId: CompanyId): Promise<CallInProgress[]> {
  return run<CallInProgress>(pool, findCallsInProgress, [companyId]);
}

/** Which of these agents are on a call, and on which. */
export async function activeCallsOf(
  pool: Pool,
  agents: { companyId: CompanyId; agentId: AgentId }[],
): Promise<{ agentId: string; callId: string }[]> {
  return run(pool, findActiveCallsOf, [agents.map(({ companyId }) => companyId), agents.map(({ agentId }) => agentId)]);
}

/** A page of the calls of any company that have not ended. */
export async function activeCalls(
  pool: Pool,
  before: Date,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ rows: ActiveCall[]; nextCursor: string | null }> {
  const [companyId = beginning, agentId = beginning] = cursor?.split('/') ?? [];
  const rows = await run<ActiveCall>(pool, listActiveCalls, [before, companyId, agentId, limit + 1]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isWhole = rows.length <= limit || last === undefined;
  return { rows: page, nextCursor: isWhole ? null : `${last.companyId}/${last.agentId}` };
}
