import type { Pool } from 'pg';
import type { SkipReason, SpeedDial } from '../../../contract/dialing.ts';
import { type BareDigits, type CallbackAssignee, type ContactScopeChoice, type CrmProvider, type CtiConnector, defaultSkipReasons, type Language, type ListeningRule, type Mode, type WebhookEvent } from '../../../contract/vocabulary.ts';
import { sentEvents } from '../../../contract/webhooks.ts';
import { type CodeLabel, type Company, type CompanyDisposition, type CompanySettings, foldName, usualWallboardLimits, type WallboardLimits } from '../../../domain/company.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CompanyStore } from '../../../ports/companies.ts';
import { readAgent } from '../agents/findAgent.ts';
import type { Company as StoredCompany, Integration as StoredIntegration } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { isMissingRow, violatedIndex } from '../postgresErrors.ts';
import { run } from '../queries.ts';

/** Finds the table, and reads nothing of it. */
const readWorks = {
  name: 'read_works',
  text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", EXISTS (SELECT FROM company WHERE false)`,
};

/** Companies in PostgreSQL. */
export function createCompanyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): CompanyStore {
  const any = async () => (await prisma.company.findFirst({ select: { id: true } })) !== null;
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
        return { kind: 'created', company: readCompany(row), agents: inOrder.map((agent) => readAgent({ ...agent, ledTeamIds: null })) };
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

    any,

    // By both ways to the database: each finds its tables in its own manner.
    async works() {
      const [[row]] = await Promise.all([run<{ isReadOnly: boolean }>(pool, readWorks, []), any()]);
      if (row?.isReadOnly !== false) throw new Error('the database takes no changes: it is a standby, or was made read-only');
    },

    async settings(companyId) {
      const row = await settingsOf(pool, companyId);
      return row === undefined ? null : readSettings(row);
    },
  };
}

/** Reads a row of `company`. */
function readCompany(row: StoredCompany): Company {
  return {
    id: row.id as CompanyId,
    slug: row.slug,
    name: row.name,
    wrapUpSeconds: row.wrapUpSeconds,
    wrapUpMaxSeconds: row.wrapUpMaxSeconds,
    contactScope: row.contactScope as ContactScopeChoice,
    callbackAssignee: row.callbackAssignee as CallbackAssignee,
    listening: row.listening as ListeningRule,
    language: row.language as Language | null,
    dispositions: row.dispositions as CompanyDisposition[],
    tags: row.tags as CodeLabel[],
    freeTags: row.freeTags,
    notReadyReasons: row.notReadyReasons as CodeLabel[],
    speedDials: (row.speedDials as SpeedDial[] | null) ?? [],
    previewDial: row.previewDial,
    skipReasons: readSkipReasons(row),
    wallboardLimits: { ...usualWallboardLimits, ...(row.wallboardLimits as Partial<WallboardLimits> | null) },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function readSkipReasons({ skipReasons }: Pick<StoredCompany, 'skipReasons'>): SkipReason[] {
  return (skipReasons as SkipReason[] | null) ?? [...defaultSkipReasons];
}

/** $1 company id. The integration's row is made with the company. */
export const findSettings = {
  name: 'find_settings',
  text: `SELECT c.id, c.slug, c.default_country AS "defaultCountry", c.bare_digits AS "bareDigits", c.wrap_up_seconds AS "wrapUpSeconds",
    c.wrap_up_max_seconds AS "wrapUpMaxSeconds", c.contact_scope AS "contactScope", c.callback_assignee AS "callbackAssignee", c.listening, c.language, c.dispositions, c.tags, c.free_tags AS "freeTags", c.not_ready_reasons AS "notReadyReasons", c.preview_dial AS "previewDial", c.skip_reasons AS "skipReasons", i.crm_provider AS "crmProvider",
    i.cti_connector AS "ctiConnector", i.mode, i.api_key_prefix AS "apiKeyPrefix",
    i.webhook_events AS "webhookEvents", i.pop_frame_ancestors AS "popFrameAncestors", EXISTS (SELECT FROM contact WHERE company_id = $1) AS "hasContacts",
    EXISTS (SELECT FROM task WHERE company_id = $1) AS "hasTasks", EXISTS (SELECT FROM do_not_dial WHERE company_id = $1) AS "hasDoNotDial", EXISTS (SELECT FROM cti_connection WHERE company_id = $1) AS "hasPlatforms",
    EXISTS (SELECT FROM webhook_endpoint WHERE company_id = $1) AS "hasWebhook"
  FROM company c JOIN integration i ON i.company_id = $1
  WHERE c.id = $1`,
};

/** A company joined with its integration. */
type SettingsRow = Pick<
  StoredCompany,
  'id' | 'slug' | 'defaultCountry' | 'bareDigits' | 'wrapUpSeconds' | 'wrapUpMaxSeconds' | 'contactScope' | 'callbackAssignee' | 'listening' | 'language' | 'dispositions' | 'tags' | 'freeTags' | 'notReadyReasons' | 'previewDial' | 'skipReasons'
> &
  Pick<StoredIntegration, 'crmProvider' | 'ctiConnector' | 'mode' | 'apiKeyPrefix' | 'webhookEvents' | 'popFrameAncestors'> & { hasContacts: boolean; hasTasks: boolean; hasDoNotDial: boolean; hasPlatforms: boolean; hasWebhook: boolean };

/** What every request may need to know of the company. */
async function settingsOf(pool: Pool, companyId: CompanyId): Promise<SettingsRow | undefined> {
  const [row] = await run<SettingsRow>(pool, findSettings, [companyId]);
  return row;
}

/** Reads a joined row. */
function readSettings(row: SettingsRow): CompanySettings {
  return {
    companyId: row.id as CompanyId,
    slug: row.slug,
    defaultCountry: row.defaultCountry,
    bareDigits: row.bareDigits as BareDigits,
    wrapUpSeconds: row.wrapUpSeconds,
    wrapUpMaxSeconds: row.wrapUpMaxSeconds,
    contactScope: row.contactScope as ContactScopeChoice,
    callbackAssignee: row.callbackAssignee as CallbackAssignee,
    listening: row.listening as ListeningRule,
    language: row.language as Language | null,
    dispositions: row.dispositions as CompanyDisposition[],
    tags: row.tags as CodeLabel[],
    freeTags: row.freeTags,
    notReadyReasons: row.notReadyReasons as CodeLabel[],
    previewDial: row.previewDial,
    skipReasons: readSkipReasons(row),
    crmProvider: row.crmProvider as CrmProvider | null,
    ctiConnector: row.ctiConnector as CtiConnector | null,
    mode: row.mode as Mode,
    apiKeyPrefix: row.apiKeyPrefix,
    hasContacts: row.hasContacts,
    hasTasks: row.hasTasks,
    hasDoNotDial: row.hasDoNotDial,
    hasPlatforms: row.hasPlatforms,
    hasWebhook: row.hasWebhook,
    webhookEvents: sentEvents(row.webhookEvents as WebhookEvent[] | null),
    popFrameAncestors: (row.popFrameAncestors as string[] | null) ?? [],
  };
}
