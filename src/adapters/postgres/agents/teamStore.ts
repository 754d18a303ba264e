import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { foldName } from '../../../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../../../domain/ids.ts';
import type { Team, TeamRefused, TeamStore } from '../../../ports/teams.ts';
import type { Prisma, Team as StoredTeam } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { takenIndex } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { isStorableText } from '../storableValues.ts';

const withMembers = {
  members: { select: { agentId: true }, orderBy: { agentId: 'asc' } },
} as const satisfies Prisma.TeamInclude;

/** Agents of teams that are kept in memory, some 20 MB. */
const keptAgents = 200_000;

type KnownTeam = { id: TeamId; version: number; updatedAt: number; agentIds: readonly AgentId[] };

/** Thrown within a transaction, so that nothing of it is written. */
class UnknownAgent extends Error {
  constructor(readonly place: number) {
    super('a team cannot hold an agent of another company');
  }
}

/** Teams in PostgreSQL. */
export function createTeamStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): TeamStore {
  const known = new LRUCache<string, KnownTeam>({
    maxSize: keptAgents,
    sizeCalculation: ({ agentIds }) => agentIds.length + 1,
  });

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

    async list(companyId, of) {
      const where = { companyId, ...(of === null ? {} : { id: { in: [...of] } }) };
      const rows = await prisma.team.findMany({
        where,
        include: withMembers,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return rows.map(readTeam);
    },

    async find(companyId, id) {
      const row = await prisma.team.findUnique({ where: { companyId_id: { companyId, id } }, include: withMembers });
      return row === null ? null : readTeam(row);
    },

    async update({ companyId, id, agentIds, version, code, name, updatedAt }, changesMembers) {
      try {
        return await prisma.$transaction(async (tx) => {
          const { count } = await tx.team.updateMany({
            where: { companyId, id, version: version - 1 },
            data: { code, name, version, updatedAt },
          });
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

    async membersOf(companyId, code) {
      if (!isStorableText(code)) return null;
      const key = `${companyId} ${foldName(code)}`;
      const team = await readMembers(pool, companyId, foldName(code), known.get(key) ?? null);
      if (team === null) known.delete(key);
      else known.set(key, team);
      return team && { id: team.id, agentIds: team.agentIds };
    },

    async membersOfAny(companyId, ids) {
      const rows = await prisma.teamMember.findMany({
        where: { companyId, teamId: { in: [...ids] } },
        distinct: ['agentId'],
        select: { agentId: true },
        orderBy: { agentId: 'asc' },
      });
      return rows.map(({ agentId }) => agentId as AgentId);
    },
  };
}

/** Those who are in it already stay. */
async function addMembers(
  tx: Prisma.TransactionClient,
  { companyId, id }: { companyId: string; id: string },
  agentIds: AgentId[],
): Promise<void> {
  if (agentIds.length === 0) return;
  const known = new Set(
    (await tx.agent.findMany({ where: { companyId, id: { in: agentIds } }, select: { id: true } })).map(
      (agent) => agent.id,
    ),
  );
  const unknown = agentIds.findIndex((agentId) => !known.has(agentId));
  if (unknown !== -1) throw new UnknownAgent(unknown);
  await tx.teamMember.createMany({
    data: agentIds.map((agentId) => ({ companyId, teamId: id, agentId })),
    skipDuplicates: true,
  });
}

function refused(error: unknown): TeamRefused {
  if (error instanceof UnknownAgent) return { kind: 'unknown_agent', place: error.place };
  if (takenIndex(error) === 'team_company_id_code_key') return { kind: 'taken' };
  throw error;
}

function readTeam({ members, ...row }: StoredTeam & { members: { agentId: string }[] }): Team {
  return {
    ...row,
    companyId: row.companyId as CompanyId,
    id: row.id as TeamId,
    agentIds: members.map(({ agentId }) => agentId as AgentId),
  };
}

/**
 * $1 company id, $2 team code, folded; $3 id, $4 version and $5 time of the last change of the team that is known
 * already, whose members are not read again.
 */
export const findTeamMembers = {
  name: 'find_team_members',
  text: `SELECT team.id, team.version, team.updated_at AS "updatedAt",
    CASE WHEN team.id = $3::uuid AND team.version = $4::int AND team.updated_at = $5::timestamptz THEN NULL ELSE ARRAY (
      SELECT member.agent_id FROM team_member member WHERE member.company_id = $1 AND member.team_id = team.id
      ORDER BY member.agent_id
    ) END AS "agentIds"
  FROM team WHERE company_id = $1 AND lower(btrim(code)) = lower($2)`,
};

type MembersRow = { id: TeamId; version: number; updatedAt: Date; agentIds: AgentId[] | null };

/** @param known what was read before; given back where it is so still */
async function readMembers(
  pool: Pool,
  companyId: CompanyId,
  foldedCode: string,
  known: KnownTeam | null,
): Promise<KnownTeam | null> {
  const since = known === null ? [null, null, null] : [known.id, known.version, new Date(known.updatedAt)];
  const [row] = await run<MembersRow>(pool, findTeamMembers, [companyId, foldedCode, ...since]);
  if (row === undefined) return null;
  if (row.agentIds === null && known !== null) return known;
  return {
    id: row.id,
    version: row.version,
    updatedAt: row.updatedAt.getTime(),
    agentIds: Object.freeze(row.agentIds ?? []),
  };
}
