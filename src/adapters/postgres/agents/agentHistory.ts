import type { Pool } from 'pg';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import type { AgentHistory, PastState, StateChange } from '../../../ports/wallboard.ts';
import type { StoreParts } from '../pool.ts';
import { deleteOld, run } from '../queries.ts';

/** What the agents did when, in PostgreSQL. */
export function createAgentHistoryStore({ pool }: Pick<StoreParts, 'pool'>): AgentHistory {
  return {
    add: (changes) => writeStateChanges(pool, changes),
    list: (companyId, agentId, window, limit) => stateChanges(pool, companyId, agentId, window, limit),
    endAll: (at) => endAllStates(pool, at),
    prune: (before, limit) => pruneChanges(pool, before, limit),
  };
}

/** $1 to $7 arrays of equal length: company ids, agent ids, times, versions, states, reasons, call ids. */
export const addStateChanges = {
  name: 'add_state_changes',
  text: `INSERT INTO agent_state_change (company_id, agent_id, at, version, state, reason, call_id)
  SELECT noted.* FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::text[], $6::text[], $7::uuid[])
    AS noted (company_id, agent_id, at, version, state, reason, call_id)
  JOIN agent ON agent.company_id = noted.company_id AND agent.id = noted.agent_id
  ORDER BY noted.company_id, noted.agent_id, noted.at, noted.version
  ON CONFLICT DO NOTHING`,
};

const columns = 'at AS since, version, state, reason, call_id AS "callId"';

/** Writes all that are not there yet. */
async function writeStateChanges(pool: Pool, changes: StateChange[]): Promise<void> {
  await run(pool, addStateChanges, [
    changes.map(({ companyId }) => companyId),
    changes.map(({ agentId }) => agentId),
    changes.map(({ since }) => since),
    changes.map(({ version }) => version),
    changes.map(({ state }) => state),
    changes.map(({ reason }) => reason),
    changes.map(({ callId }) => callId),
  ]);
}

/** $1 company id, $2 agent id, $3 since, $4 until, $5 how many: the latest, and the one that reaches into the time. */
export const listStateChanges = {
  name: 'list_state_changes',
  text: `(SELECT ${columns} FROM agent_state_change
    WHERE company_id = $1 AND agent_id = $2 AND at >= $3 AND at < $4
    ORDER BY agent_id DESC, at DESC, version DESC LIMIT $5)
  UNION ALL
  (SELECT ${columns} FROM agent_state_change
    WHERE company_id = $1 AND agent_id = $2 AND at < $3
    ORDER BY agent_id DESC, at DESC, version DESC LIMIT 1)`,
};

/** An agent's latest changes of that time, in order, with the one before them unless there are more than `limit`. */
async function stateChanges(
  pool: Pool,
  companyId: CompanyId,
  agentId: AgentId,
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<PastState[]> {
  const rows = await run<PastState>(pool, listStateChanges, [companyId, agentId, since, until, limit]);
  return rows
    .toSorted((a, b) => b.since.getTime() - a.since.getTime() || b.version - a.version)
    .slice(0, limit)
    .toReversed();
}

/** $1 from when on. Version 0: sorts before other changes of the same moment. */
export const endStates = {
  name: 'end_states',
  text: `INSERT INTO agent_state_change (company_id, agent_id, at, version, state)
  SELECT agent.company_id, agent.id, $1, 0, 'offline'
  FROM agent CROSS JOIN LATERAL (
    SELECT state FROM agent_state_change WHERE company_id = agent.company_id AND agent_id = agent.id
    ORDER BY agent_id DESC, at DESC, version DESC LIMIT 1
  ) AS latest
  WHERE latest.state <> 'offline'
  ON CONFLICT DO NOTHING`,
};

/** Records `offline` for every agent whose latest state is another. */
async function endAllStates(pool: Pool, at: Date): Promise<void> {
  await run(pool, endStates, [at]);
}

/**
 * $1 before when, $2 how many at most. What is not rolled up stays,
 * and so does what reaches into the time that is not: the latest state of an agent who was signed in by then.
 */
export const pruneStateChanges = {
  name: 'prune_state_changes',
  text: deleteOld(
    'agent_state_change',
    ['company_id', 'agent_id', 'at', 'version'],
    `s WHERE at < $1
      AND at < (SELECT rolled_up_until FROM report_reach r WHERE r.company_id = s.company_id)
      AND (state = 'offline' OR EXISTS (
        SELECT FROM agent_state_change later WHERE later.company_id = s.company_id AND later.agent_id = s.agent_id
          AND (later.at, later.version) > (s.at, s.version)
          AND later.at <= least($1, (SELECT rolled_up_until FROM report_reach r WHERE r.company_id = s.company_id))
      ))
    ORDER BY at LIMIT $2`,
  ),
};

/** Deletes changes from before then, the oldest first; how many. */
async function pruneChanges(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneStateChanges, [before, limit])).length;
}
