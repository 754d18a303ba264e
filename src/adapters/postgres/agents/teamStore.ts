import type { Pool } from 'pg';
import { foldName } from '../../../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../../../domain/ids.ts';
import type { Team, TeamRefused, TeamStore } from '../../../ports/teams.ts';
import type { Prisma, Team as StoredTeam } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { violatedIndex } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { isStorableText } from '../storableValues.ts';

const withMembers = { members: { select: { agentId: true }, orderBy: { agentId: 'asc' } } } as const satisfies Prisma.TeamInclude;

/** Thrown within a transaction, so that nothing of it is written. */
class UnknownAgent extends Error {
  constructor(readonly place: number) {
    super('a team cannot hold an agent of another company');
  }
}

/** Teams in PostgreSQL. */
export function createTeamStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): TeamStore {
  return {
    async create({ agentIds, ...team }, atMost) {
      if ((await prisma.team.count({ where: { companyId: team.companyId } })) >= atMost) return 'too_many';
      try {
        await prisma.$transaction(async (tx) => {
          await tx.team.create({ data: team });
          await addMembers(tx, team, agentIds);
        });
        return 'created';
      } catch (error) {
        return refused(error);
      }
    },

    async list(companyId) {
      const rows = await prisma.team.findMany({ where: { companyId }, include: withMembers, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
      return rows.map(readTeam);
    },

    async find(companyId, id) {
      const row = await prisma.team.findUnique({ where: { companyId_id: { companyId, id } }, include: withMembers });
      return row === null ? null : readTeam(row);
    },

    async update({ companyId, id, agentIds, version, code, name, updatedAt }, changesMembers) {
      try {
        return await prisma.$transaction(async (tx) => {
          const { count } = await tx.team.updateMany({ where: { companyId, id, version: version - 1 }, data: { code, name, version, updatedAt } });
          if (count === 0) return 'not_updated';
          if (changesMembers) {
            await tx.teamMember.deleteMany({ where: { companyId, teamId: id, agentId: { notIn: agentIds } } });
            await addMembers(tx, { companyId, id }, agentIds);
          }
          return 'updated';
        });
      } catch (error) {
        return refused(error);
      }
    },

    remove: async (companyId, id) => (await prisma.team.deleteMany({ where: { companyId, id } })).count > 0,

    membersOf: async (companyId, code) => (isStorableText(code) ? teamMembers(pool, companyId, foldName(code)) : null),
  };
}

/** Those who are in it already stay. */
async function addMembers(tx: Prisma.TransactionClient, { companyId, id }: { companyId: string; id: string }, agentIds: AgentId[]): Promise<void> {
  if (agentIds.length === 0) return;
  const known = new Set((await tx.agent.findMany({ where: { companyId, id: { in: agentIds } }, select: { id: true } })).map((agent) => agent.id));
  const unknown = agentIds.findIndex((agentId) => !known.has(agentId));
  if (unknown !== -1) throw new UnknownAgent(unknown);
  await tx.teamMember.createMany({ data: agentIds.map((agentId) => ({ companyId, teamId: id, agentId })), skipDuplicates: true });
}

function refused(error: unknown): TeamRefused {
  if (error instanceof UnknownAgent) return { kind: 'unknown_agent', place: error.place };
  if (violatedIndex(error) === 'team_company_id_code_key') return { kind: 'taken' };
  throw error;
}

function readTeam({ members, ...row }: StoredTeam & { members: { agentId: string }[] }): Team {
  return { ...row, companyId: row.companyId as CompanyId, id: row.id as TeamId, agentIds: members.map(({ agentId }) => agentId as AgentId) };
}

/** $1 company id, $2 team code, folded. One row without an agent where the team has none. */
export const findTeamMembers = {
  name: 'find_team_members',
  text: `SELECT member.agent_id AS "agentId" FROM team
  LEFT JOIN team_member member ON member.company_id = team.company_id AND member.team_id = team.id
  WHERE team.company_id = $1 AND lower(btrim(team.code)) = lower($2)`,
};

async function teamMembers(pool: Pool, companyId: CompanyId, foldedCode: string): Promise<AgentId[] | null> {
  const rows = await run<{ agentId: AgentId | null }>(pool, findTeamMembers, [companyId, foldedCode]);
  return rows.length === 0 ? null : rows.flatMap(({ agentId }) => (agentId === null ? [] : [agentId]));
}
