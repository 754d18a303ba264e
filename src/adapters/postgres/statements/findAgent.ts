import type { Pool } from 'pg';
import type { AgentCard } from '../../../domain/company.ts';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import { agentColumns, type AgentRow } from '../agentRows.ts';
import { run } from './prepared.ts';

/** $1 agent id. Not by company: an id of another company is told apart from an unknown one. */
export const findAgentById = { name: 'find_agent_by_id', text: `SELECT ${agentColumns} FROM agent WHERE id = $1` };

/** As the unique index has it. */
const foldedCode = 'lower(btrim(agent_code))';

/** $1 company id, $2 agent code, folded. */
export const findAgentByCode = {
  name: 'find_agent_by_folded_code',
  text: `SELECT ${agentColumns} FROM agent WHERE company_id = $1 AND ${foldedCode} = lower($2)`,
};

/** More people than share one agent code or address among all companies of an installation. */
const maxLoginCandidates = 20;

const credentials = `${agentColumns}, password_hash AS "passwordHash",
  (SELECT company.slug FROM company WHERE company.id = agent.company_id) AS "companySlug"`;

/** $1 address, $2 agent code or null, $3 company slug or null; all folded. */
export const findLoginsByEmail = {
  name: 'find_logins_by_email',
  text: `SELECT ${credentials} FROM agent
    WHERE active AND email = $1 AND ($2::text IS NULL OR ${foldedCode} = lower($2))
      AND ($3::text IS NULL OR company_id = (SELECT id FROM company WHERE slug = $3))
    ORDER BY id LIMIT ${String(maxLoginCandidates)}`,
};

/** $1 agent code, $2 company slug or null; both folded. */
export const findLoginsByCode = {
  name: 'find_logins_by_code',
  text: `SELECT ${credentials} FROM agent
    WHERE active AND ${foldedCode} = lower($1) AND ($2::text IS NULL OR company_id = (SELECT id FROM company WHERE slug = $2))
    ORDER BY id LIMIT ${String(maxLoginCandidates)}`,
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

export type LoginRow = AgentRow & { passwordHash: string; companySlug: string };

/** Active agents of any company by address or code, or both; everything folded. */
export async function loginsOf(pool: Pool, email: string | null, code: string | null, slug: string | null): Promise<LoginRow[]> {
  return email === null
    ? run<LoginRow>(pool, findLoginsByCode, [code, slug])
    : run<LoginRow>(pool, findLoginsByEmail, [email, code, slug]);
}

/** The agent with that code, folded, in the company. */
export async function agentByCode(pool: Pool, companyId: CompanyId, agentCode: string): Promise<AgentRow | undefined> {
  const [row] = await run<AgentRow>(pool, findAgentByCode, [companyId, agentCode]);
  return row;
}
