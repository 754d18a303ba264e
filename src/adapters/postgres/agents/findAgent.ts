import type { Pool } from 'pg';
import type { Role } from '../../../contract/vocabulary.ts';
import type { AgentCard } from '../../../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../../../domain/ids.ts';
import type { Agent, AgentKey } from '../../../ports/agents.ts';
import type { PageRequest } from '../../../ports/queryResults.ts';
import { type Agent as StoredAgent, Prisma } from '../generated/client.ts';
import { fieldColumns, run, type Statement } from '../queries.ts';

/** A row of `agent` without its password. `sipSecretEncrypted` is looked at only for whether there is one. */
export type AgentRow = Omit<StoredAgent, 'passwordHash' | 'limitedToTeams'> & { ledTeamIds: string[] | null };

/** Who works at a company; a dialer is a machine. */
export const people = { active: true, role: { not: 'dialer' } } as const satisfies Prisma.AgentWhereInput;

const plainColumns = fieldColumns(Prisma.AgentScalarFieldEnum, { but: ['passwordHash', 'limitedToTeams'] });

/** The columns of AgentRow, for prepared statements. @param companyId SQL: of which company the agent is */
const agentColumns = (companyId: string) => `${plainColumns}, CASE WHEN limited_to_teams THEN ARRAY (
    SELECT lead.team_id FROM team_lead lead WHERE lead.company_id = ${companyId} AND lead.agent_id = agent.id ORDER BY 1
  ) END AS "ledTeamIds"`;

/** Reads a row. */
export function readAgent(row: AgentRow): Agent {
  return {
    id: row.id as AgentId,
    companyId: row.companyId as CompanyId,
    agentCode: row.agentCode,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    active: row.active,
    ledTeamIds: row.ledTeamIds as TeamId[] | null,
    sipUser: row.sipUser,
    hasSipSecret: row.sipSecretEncrypted !== null,
    tokenVersion: row.tokenVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** $1 company id, $2 agent id. */
export const findAgentById = {
  name: 'find_agent_by_id',
  text: `SELECT ${agentColumns('$1')} FROM agent WHERE company_id = $1 AND id = $2`,
};

/** The agent, if it is of the company. */
export async function agentById(pool: Pool, companyId: CompanyId, id: AgentId): Promise<AgentRow | undefined> {
  const [row] = await run<AgentRow>(pool, findAgentById, [companyId, id]);
  return row;
}

/** $1 company ids, $2 agent ids, in pairs. */
export const findAgentsByIds = {
  name: 'find_agents_by_ids',
  text: `SELECT ${agentColumns('agent.company_id')} FROM unnest($1::uuid[], $2::uuid[]) AS asked (of_company, agent_id)
  JOIN agent ON agent.company_id = asked.of_company AND agent.id = asked.agent_id`,
};

/** Those of the agents that are of their company. */
export async function agentsByIds(pool: Pool, asked: readonly AgentKey[]): Promise<AgentRow[]> {
  return run<AgentRow>(pool, findAgentsByIds, [
    asked.map(({ companyId }) => companyId),
    asked.map(({ agentId }) => agentId),
  ]);
}

/** $1 company id, $2 agent ids or null: everybody, $3 id of the last one of the page before, or null, $4 how many. */
export const listAgentsPage: Statement = {
  name: 'list_agents',
  text: `SELECT ${agentColumns('$1')} FROM agent
  WHERE company_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2)) AND ($3::uuid IS NULL OR id > $3)
  ORDER BY id LIMIT $4`,
  planEachTime: true,
};

/** A page of the company's agents in order of their ids, with one too many where there is another page. */
export async function agentsPage(
  pool: Pool,
  companyId: CompanyId,
  of: AgentId[] | null,
  { cursor, limit }: PageRequest,
): Promise<AgentRow[]> {
  return run<AgentRow>(pool, listAgentsPage, [companyId, of, cursor, limit + 1]);
}

/** As the unique index has it. */
const foldedCode = 'lower(btrim(agent_code))';

/** $1 company id, $2 agent code, folded. */
export const findAgentByCode = {
  name: 'find_agent_by_folded_code',
  text: `SELECT ${agentColumns('$1')} FROM agent WHERE company_id = $1 AND ${foldedCode} = lower($2)`,
};

/** The agent with that code, folded, in the company. */
export async function agentByCode(pool: Pool, companyId: CompanyId, agentCode: string): Promise<AgentRow | undefined> {
  const [row] = await run<AgentRow>(pool, findAgentByCode, [companyId, agentCode]);
  return row;
}

/** $1 company id, $2 agent ids. */
export const findAgentCards = {
  name: 'find_agent_cards',
  text: `SELECT id, agent_code AS "agentCode", name FROM agent WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
};

/** The names of those agents that belong to the company. */
export async function agentCards(pool: Pool, companyId: CompanyId, ids: AgentId[]): Promise<AgentCard[]> {
  return run<AgentCard>(pool, findAgentCards, [companyId, ids]);
}

/** $1 company id, $2 agent id. */
export const findSipAccount = {
  name: 'find_sip_account',
  text: `SELECT name, sip_user AS "user", sip_secret_encrypted AS "secretEncrypted" FROM agent
  WHERE company_id = $1 AND id = $2 AND sip_user IS NOT NULL AND sip_secret_encrypted IS NOT NULL`,
};

export type SipAccountRow = { name: string; user: string; secretEncrypted: string };

/** The agent's account, if it is complete. */
export async function sipAccountOf(pool: Pool, companyId: CompanyId, id: AgentId): Promise<SipAccountRow | undefined> {
  const [row] = await run<SipAccountRow>(pool, findSipAccount, [companyId, id]);
  return row;
}

/** More agents than share one code or address over all companies. */
const maxLoginCandidates = 20;

const credentials = (companyId: string) => `${agentColumns(companyId)}, password_hash AS "passwordHash",
  (SELECT company.slug FROM company WHERE company.id = agent.company_id) AS "companySlug"`;

/** $1 address, $2 agent code or null; both folded. Of any company, since the log-in does not name one. */
export const findLoginsByEmail = {
  name: 'find_logins_by_email',
  text: `SELECT ${credentials('agent.company_id')} FROM agent
    WHERE active AND email = $1 AND ($2::text IS NULL OR ${foldedCode} = lower($2))
    ORDER BY id LIMIT ${String(maxLoginCandidates)}`,
};

/** $1 agent code, folded. Of any company, likewise. */
export const findLoginsByCode = {
  name: 'find_logins_by_code',
  text: `SELECT ${credentials('agent.company_id')} FROM agent
    WHERE active AND ${foldedCode} = lower($1) ORDER BY id LIMIT ${String(maxLoginCandidates)}`,
};

/** $1 company id, $2 address, $3 agent code or null; both folded. */
export const findLoginByEmail = {
  name: 'find_login_by_email',
  text: `SELECT ${credentials('$1')} FROM agent
    WHERE company_id = $1 AND active AND email = $2 AND ($3::text IS NULL OR ${foldedCode} = lower($3))`,
};

/** $1 company id, $2 agent code, folded. */
export const findLoginByCode = {
  name: 'find_login_by_code',
  text: `SELECT ${credentials('$1')} FROM agent WHERE company_id = $1 AND active AND ${foldedCode} = lower($2)`,
};

export type LoginRow = AgentRow & { passwordHash: string; companySlug: string };

/** Active agents of any company by address or code, or both; everything folded. */
export async function loginsOfAny(pool: Pool, email: string | null, code: string | null): Promise<LoginRow[]> {
  return email === null
    ? run<LoginRow>(pool, findLoginsByCode, [code])
    : run<LoginRow>(pool, findLoginsByEmail, [email, code]);
}

/** The active agent of the company by address or code, or both; everything folded. */
export async function loginsOf(
  pool: Pool,
  companyId: string,
  email: string | null,
  code: string | null,
): Promise<LoginRow[]> {
  return email === null
    ? run<LoginRow>(pool, findLoginByCode, [companyId, code])
    : run<LoginRow>(pool, findLoginByEmail, [companyId, email, code]);
}
