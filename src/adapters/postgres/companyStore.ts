import { foldName } from '../../domain/foldName.ts';
import type { CompanyStore } from '../../ports/companies.ts';
import { readAgent } from './agentRows.ts';
import { readCompany, readSettings } from './companyRows.ts';
import type { StoreParts } from './prisma.ts';
import { isMissingRow, violatedIndex } from './prismaErrors.ts';
import { settingsOf } from './statements/findSettings.ts';

/** Companies in PostgreSQL. */
export function createCompanyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): CompanyStore {
  return {
    async create(company, agents) {
      try {
        // Nested, so that Prisma wraps it in one transaction.
        const row = await prisma.company.create({
          data: {
            ...company,
            integration: { create: {} },
            agents: { create: agents.map((agent) => ({ ...agent, email: agent.email === null ? null : foldName(agent.email) })) },
          },
          include: { agents: { omit: { passwordHash: true } } },
        });
        const made = new Map(row.agents.map((agent) => [agent.id, agent]));
        const inOrder = agents.map(({ id }) => made.get(id)).filter((agent) => agent !== undefined);
        return { kind: 'created', company: readCompany(row), agents: inOrder.map(readAgent) };
      } catch (error) {
        if (violatedIndex(error) === 'company_slug_key') return { kind: 'slug_taken' };
        throw error;
      }
    },

    async find(companyId) {
      const row = await prisma.company.findUnique({ where: { id: companyId } });
      return row === null ? null : readCompany(row);
    },

    async update(companyId, change) {
      try {
        return readCompany(await prisma.company.update({ where: { id: companyId }, data: change }));
      } catch (error) {
        if (isMissingRow(error)) return null;
        throw error;
      }
    },

    async list() {
      return (await prisma.company.findMany({ orderBy: { slug: 'asc' } })).map(readCompany);
    },

    async any() {
      return (await prisma.company.findFirst({ select: { id: true } })) !== null;
    },

    async settings(companyId) {
      const row = await settingsOf(pool, companyId);
      return row === undefined ? null : readSettings(row);
    },
  };
}
