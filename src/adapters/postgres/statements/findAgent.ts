import type { Pool } from 'pg';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import { agentColumns, type AgentRow } from '../agentRows.ts';
import { run } from './prepared.ts';

/** $1 agent id. Not by company: an id of another company is told apart from an unknown one. */
export const findAgentById = { name: 'find_agent_by_id', text: `SELECT ${agentColumns} FROM agent WHERE id = $1` };

/** $1 company id, $2 agent code. */
export const findAgentByCode = {
  name: 'find_agent_by_code',
  text: `SELECT ${agentColumns} FROM agent WHERE company_id = $1 AND agent_code = $2`,
};

/** The agent of any company; the caller compares the company. */
export async function agentById(pool: Pool, id: AgentId): Promise<AgentRow | undefined> {
  const [row] = await run<AgentRow>(pool, findAgentById, [id]);
  return row;
}

/** The agent with that code in the company. */
export async function agentByCode(pool: Pool, companyId: CompanyId, agentCode: string): Promise<AgentRow | undefined> {
  const [row] = await run<AgentRow>(pool, findAgentByCode, [companyId, agentCode]);
  return row;
}
