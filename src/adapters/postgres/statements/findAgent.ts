import type { Pool } from 'pg';
import type { AgentCard } from '../../../domain/company.ts';
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

/** $1 company id, $2 agent ids. */
export const findAgentCards = {
  name: 'find_agent_cards',
  text: `SELECT id, agent_code AS "agentCode", name FROM agent WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
};

/** The names of those of them that are of the company. */
export async function agentCards(pool: Pool, companyId: CompanyId, ids: AgentId[]): Promise<AgentCard[]> {
  return run<AgentCard>(pool, findAgentCards, [companyId, ids]);
}

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
