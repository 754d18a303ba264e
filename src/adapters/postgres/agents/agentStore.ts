import { foldName } from '../../../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../../../domain/ids.ts';
import type { AgentChange, AgentStore, TakenName, UnknownTeam } from '../../../ports/agents.ts';
import type { Agent as StoredAgent, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { isMissingRow, takenIndex } from '../postgresErrors.ts';
import { findAgentElsewhere, missingId, pageOf } from '../queries.ts';
import { isStorableText } from '../storableValues.ts';
import {
  type AgentRow,
  agentByCode,
  agentById,
  agentsByIds,
  agentCards,
  agentsPage,
  loginsOf,
  loginsOfAny,
  people,
  readAgent,
  sipAccountOf,
} from './findAgent.ts';

const withLedTeams = {
  ledTeams: { select: { teamId: true }, orderBy: { teamId: 'asc' } },
} as const satisfies Prisma.AgentInclude;
const withoutPassword = { passwordHash: true } as const;

/** Thrown within a transaction, so that nothing of it is written. */
class NoSuchTeam extends Error {
  constructor(readonly place: number) {
    super('nobody can lead a team of another company');
  }
}

/** Agent accounts in PostgreSQL. */
export function createAgentStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): AgentStore {
  const find: AgentStore['find'] = async (companyId, id) => {
    const row = await agentById(pool, companyId, id);
    return row === undefined ? missingId(pool, findAgentElsewhere, id) : { kind: 'found', value: readAgent(row) };
  };

  return {
    find,

    async create(companyId, { ledTeamIds = null, ...agent }) {
      try {
        const email = agent.email === null ? null : foldName(agent.email);
        const row = await prisma.$transaction(async (tx) => {
          const ledTeams = { create: await leadsOf(tx, companyId, ledTeamIds ?? []) };
          const data = { ...agent, email, companyId, limitedToTeams: ledTeamIds !== null, ledTeams };
          return tx.agent.create({ data, include: withLedTeams, omit: withoutPassword });
        });
        return { kind: 'created', agent: readAgent(rowOf(row)) };
      } catch (error) {
        return refused(error);
      }
    },

    async update(companyId, id, { ledTeamIds, ...change }) {
      try {
        const row = await prisma.$transaction(async (tx) => {
          const leads = ledTeamIds === undefined ? null : await leadsOf(tx, companyId, ledTeamIds ?? []);
          const limits =
            leads === null ? {} : { limitedToTeams: ledTeamIds !== null, ledTeams: { deleteMany: {}, create: leads } };
          const data = { ...columnsOf(change), ...limits };
          return tx.agent.update({
            where: { companyId_id: { companyId, id } },
            data,
            include: withLedTeams,
            omit: withoutPassword,
          });
        });
        return { kind: 'found', value: readAgent(rowOf(row)) };
      } catch (error) {
        // The company has no such agent.
        return isMissingRow(error) ? find(companyId, id) : refused(error);
      }
    },

    async replacePassword(companyId, id, tokenVersion, passwordHash) {
      const { count } = await prisma.agent.updateMany({
        where: { companyId, id, tokenVersion },
        data: columnsOf({ passwordHash, revokeTokens: true }),
      });
      const row = count === 0 ? undefined : await agentById(pool, companyId, id);
      return row === undefined ? null : readAgent(row);
    },

    async findEach(asked) {
      const found = new Map((await agentsByIds(pool, asked)).map((row) => [row.id, readAgent(row)]));
      return asked.map(({ companyId, agentId }) => {
        const agent = found.get(agentId);
        return agent?.companyId === companyId ? agent : null;
      });
    },

    cards: (companyId, ids) => agentCards(pool, companyId, ids),

    async extensions(companyId) {
      const rows = await prisma.agent.findMany({
        where: { companyId, ...people, sipUser: { not: null }, sipSecretEncrypted: { not: null } },
        select: { id: true, sipUser: true },
        orderBy: { id: 'asc' },
      });
      return new Map(rows.flatMap(({ id, sipUser }) => (sipUser === null ? [] : [[id as AgentId, sipUser] as const])));
    },

    async people(companyId) {
      const rows = await prisma.agent.findMany({
        where: { companyId, ...people },
        select: { id: true, agentCode: true, name: true },
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return rows.map(({ id, ...names }) => ({ ...names, id: id as AgentId }));
    },

    async findByCode(companyId, agentCode) {
      if (!isStorableText(agentCode)) return null;
      const row = await agentByCode(pool, companyId, foldName(agentCode));
      return row === undefined ? null : readAgent(row);
    },

    async findSipAccount(companyId, id) {
      return (await sipAccountOf(pool, companyId, id)) ?? null;
    },

    list: async (companyId, of, page) => pageOf(await agentsPage(pool, companyId, of, page), page.limit, readAgent),

    async findForLogin({ agentCode, email, companySlug }) {
      const given = [agentCode, email, companySlug].filter((text) => text !== undefined);
      if ((agentCode === undefined && email === undefined) || !given.every(isStorableText)) return [];
      const [foldedEmail = null, foldedCode = null, slug = null] = [email, agentCode, companySlug].map((text) =>
        text === undefined ? null : foldName(text),
      );
      const company = slug === null ? null : await prisma.company.findUnique({ where: { slug }, select: { id: true } });
      if (slug !== null && company === null) return [];
      const rows = await (company === null
        ? loginsOfAny(pool, foldedEmail, foldedCode)
        : loginsOf(pool, company.id, foldedEmail, foldedCode));
      return rows.map((row) => ({
        agent: readAgent(row),
        companySlug: row.companySlug,
        passwordHash: row.passwordHash,
      }));
    },
  };
}

/** Of which teams they are to be. */
async function leadsOf(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  teamIds: TeamId[],
): Promise<{ teamId: TeamId }[]> {
  if (teamIds.length === 0) return [];
  const known = new Set(
    (await tx.team.findMany({ where: { companyId, id: { in: teamIds } }, select: { id: true } })).map(({ id }) => id),
  );
  const unknown = teamIds.findIndex((id) => !known.has(id));
  if (unknown !== -1) throw new NoSuchTeam(unknown);
  return teamIds.map((teamId) => ({ teamId }));
}

function rowOf({
  limitedToTeams,
  ledTeams,
  ...row
}: Omit<StoredAgent, 'passwordHash'> & { ledTeams: { teamId: string }[] }): AgentRow {
  return { ...row, ledTeamIds: limitedToTeams ? ledTeams.map(({ teamId }) => teamId) : null };
}

function columnsOf({ revokeTokens, ...fields }: Omit<AgentChange, 'ledTeamIds'>): Prisma.AgentUpdateManyMutationInput {
  return {
    ...fields,
    ...(fields.email === undefined ? {} : { email: fields.email === null ? null : foldName(fields.email) }),
    ...(revokeTokens === true ? { tokenVersion: { increment: 1 } } : {}),
  };
}

/** Which name another agent of the company has already, or which team the company has not; rethrows other errors. */
function refused(error: unknown): TakenName | UnknownTeam {
  if (error instanceof NoSuchTeam) return { kind: 'unknown_team', place: error.place };
  switch (takenIndex(error)) {
    case 'agent_company_id_agent_code_key':
      return { kind: 'taken', field: 'agent_code' };
    case 'agent_company_id_email_key':
      return { kind: 'taken', field: 'email' };
    default:
      throw error;
  }
}
