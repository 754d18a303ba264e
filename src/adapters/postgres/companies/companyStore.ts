import { type ChosenSettings, chooseSettings, settingsFrom } from '../../../contract/companySettings.ts';
import type { BareDigits, CrmProvider, CtiConnector, Mode, WebhookEvent } from '../../../contract/vocabulary.ts';
import { sentEvents } from '../../../contract/webhooks.ts';
import { type Company, foldName } from '../../../domain/company.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CompanyStore } from '../../../ports/companies.ts';
import { readAgent } from '../agents/findAgent.ts';
import { type Company as StoredCompany, type Integration as StoredIntegration, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { takenIndex } from '../postgresErrors.ts';
import { fieldColumns, run } from '../queries.ts';

/** Finds the table, and reads nothing of it. */
const readWorks = {
  name: 'read_works',
  text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly",
    EXISTS (SELECT FROM company WHERE false)`,
};

/** Companies in PostgreSQL. */
export function createCompanyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): CompanyStore {
  const any = async () => (await prisma.company.findFirst({ select: { id: true } })) !== null;

  async function find(companyId: CompanyId): Promise<Company | null> {
    const [row] = await run<CompanyRow>(pool, findCompany, [companyId]);
    return row === undefined ? null : readCompany(row);
  }

  return {
    async create(company, agents) {
      try {
        // Nested, so that Prisma wraps it in one transaction.
        const row = await prisma.company.create({
          data: {
            ...company,
            integration: { create: {} },
            agents: {
              create: agents.map((agent) => ({ ...agent, email: agent.email === null ? null : foldName(agent.email) })),
            },
          },
          include: { agents: { omit: { passwordHash: true } } },
        });
        const made = new Map(row.agents.map((agent) => [agent.id, agent]));
        const inOrder = agents.map(({ id }) => made.get(id)).filter((agent) => agent !== undefined);
        const created = await find(company.id);
        if (created === null) throw new Error('a company that was just made is gone');
        return {
          kind: 'created',
          company: created,
          agents: inOrder.map((agent) => readAgent({ ...agent, ledTeamIds: null })),
        };
      } catch (error) {
        if (takenIndex(error) === 'company_slug_key') return { kind: 'slug_taken' };
        throw error;
      }
    },

    find,

    async update(companyId, { name, settings }) {
      await prisma.$transaction(async (tx) => {
        // Changes of one company wait for each other, so that none is written over.
        await tx.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
        const before = await tx.company.findUnique({ where: { id: companyId }, select: { settings: true } });
        if (before === null) return;
        const chosen = chooseSettings(before.settings as ChosenSettings, settings);
        await tx.company.update({
          where: { id: companyId },
          data: { ...(name === undefined ? {} : { name }), settings: chosen },
        });
      });
      return find(companyId);
    },

    async list() {
      return (await run<CompanyRow>(pool, listCompanies, [])).map(readCompany);
    },

    any,

    // By both ways to the database: each finds its tables in its own manner.
    async works() {
      const [[row]] = await Promise.all([run<{ isReadOnly: boolean }>(pool, readWorks, []), any()]);
      if (row?.isReadOnly !== false)
        throw new Error('the database takes no changes: it is a standby, or was made read-only');
    },
  };
}

const joined = ['apiKeyPrefix', 'crmProvider', 'ctiConnector', 'mode', 'popFrameAncestors', 'webhookEvents'] as const;

/**
 * Companies joined with their integrations, whose rows are made with them.
 * @param id of the company: a parameter, or the column of all
 */
const selectCompanies = (
  id: '$1' | 'c.id',
) => `SELECT ${fieldColumns(Prisma.CompanyScalarFieldEnum, { of: 'c' })}, ${fieldColumns(joined, { of: 'i' })},
    EXISTS (SELECT FROM contact WHERE company_id = ${id}) AS "hasContacts",
    EXISTS (SELECT FROM task WHERE company_id = ${id}) AS "hasTasks",
    EXISTS (SELECT FROM do_not_dial WHERE company_id = ${id}) AS "hasDoNotDial",
    EXISTS (SELECT FROM cti_connection WHERE company_id = ${id}) AS "hasPlatforms",
    EXISTS (SELECT FROM webhook_endpoint WHERE company_id = ${id}) AS "hasWebhook"
  FROM company c JOIN integration i ON i.company_id = ${id}`;

/** $1 company id. */
export const findCompany = { name: 'find_company', text: `${selectCompanies('$1')} WHERE c.id = $1` };
const listCompanies = { name: 'list_companies', text: `${selectCompanies('c.id')} ORDER BY c.slug` };

type Flag = 'hasContacts' | 'hasTasks' | 'hasDoNotDial' | 'hasPlatforms' | 'hasWebhook';
type CompanyRow = StoredCompany & Pick<StoredIntegration, (typeof joined)[number]> & Record<Flag, boolean>;

function readCompany(row: CompanyRow): Company {
  return {
    ...row,
    id: row.id as CompanyId,
    settings: settingsFrom(row.settings as ChosenSettings),
    bareDigits: row.bareDigits as BareDigits,
    crmProvider: row.crmProvider as CrmProvider | null,
    ctiConnector: row.ctiConnector as CtiConnector | null,
    mode: row.mode as Mode,
    webhookEvents: sentEvents(row.webhookEvents as WebhookEvent[] | null),
    popFrameAncestors: (row.popFrameAncestors as string[] | null) ?? [],
  };
}
