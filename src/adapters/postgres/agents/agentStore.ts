import { foldName } from '../../../domain/company.ts';
import type { AgentChange, AgentStore, TakenName } from '../../../ports/agents.ts';
import type { Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { isMissingRow, violatedIndex } from '../postgresErrors.ts';
import { findAgentElsewhere, missingId, pageOf } from '../queries.ts';
import { isStorableText } from '../storableValues.ts';
import { agentByCode, agentById, agentCards, loginsOf, loginsOfAny, readAgent, searchAgents, sipAccountOf } from './findAgent.ts';

/** Agent accounts in PostgreSQL. */
export function createAgentStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): AgentStore {
  const find: AgentStore['find'] = async (companyId, id) => {
    const row = await agentById(pool, companyId, id);
    return row === undefined ? missingId(pool, findAgentElsewhere, id) : { kind: 'found', value: readAgent(row) };
  };

  return {
    find,

    async create(companyId, agent) {
      try {
        const email = agent.email === null ? null : foldName(agent.email);
        const row = await prisma.agent.create({ data: { ...agent, email, companyId } });
        return { kind: 'created', agent: readAgent(row) };
      } catch (error) {
        return takenName(error);
      }
    },

    async update(companyId, id, change) {
      try {
        const row = await prisma.agent.update({ where: { companyId_id: { companyId, id } }, data: columnsOf(change) });
        return { kind: 'found', value: readAgent(row) };
      } catch (error) {
        // The company has no such agent.
        return isMissingRow(error) ? find(companyId, id) : takenName(error);
      }
    },

    async replacePassword(companyId, id, tokenVersion, passwordHash) {
      const [row] = await prisma.agent.updateManyAndReturn({
        where: { companyId, id, tokenVersion },
        data: columnsOf({ passwordHash, revokeTokens: true }),
      });
      return row === undefined ? null : readAgent(row);
    },

    cards: (companyId, ids) => agentCards(pool, companyId, ids),

    search: (companyId, patterns, limit) => searchAgents(pool, companyId, patterns, limit),

    async findByCode(companyId, agentCode) {
      if (!isStorableText(agentCode)) return null;
      const row = await agentByCode(pool, companyId, foldName(agentCode));
      return row === undefined ? null : readAgent(row);
    },

    async findSipAccount(companyId, id) {
      return (await sipAccountOf(pool, companyId, id)) ?? null;
    },

    async list(companyId, { cursor, limit }) {
      const rows = await prisma.agent.findMany({
        where: { companyId, ...(cursor === null ? {} : { id: { gt: cursor } }) },
        orderBy: { id: 'asc' },
        take: limit + 1,
        omit: { passwordHash: true },
      });
      return pageOf(rows, limit, readAgent);
    },

    async findForLogin({ agentCode, email, companySlug }) {
      const given = [agentCode, email, companySlug].filter((text) => text !== undefined);
      if ((agentCode === undefined && email === undefined) || !given.every(isStorableText)) return [];
      const [foldedEmail = null, foldedCode = null, slug = null] = [email, agentCode, companySlug].map((text) =>
        text === undefined ? null : foldName(text),
      );
      const rows = await (slug === null ? loginsOfAny(pool, foldedEmail, foldedCode) : loginsOf(pool, slug, foldedEmail, foldedCode));
      return rows.map((row) => ({
        agent: readAgent(row),
        companySlug: row.companySlug,
        passwordHash: row.passwordHash,
      }));
    },
  };
}

function columnsOf({ revokeTokens, ...fields }: AgentChange): Prisma.AgentUpdateManyMutationInput {
  return {
    ...fields,
    ...(fields.email === undefined ? {} : { email: fields.email === null ? null : foldName(fields.email) }),
    ...(revokeTokens === true ? { tokenVersion: { increment: 1 } } : {}),
  };
}

/** Which name another agent of the company has already; rethrows other errors. */
function takenName(error: unknown): TakenName {
  switch (violatedIndex(error)) {
    case 'agent_company_id_agent_code_key':
      return { kind: 'taken', field: 'agent_code' };
    case 'agent_company_id_email_key':
      return { kind: 'taken', field: 'email' };
    default:
      throw error;
  }
}
