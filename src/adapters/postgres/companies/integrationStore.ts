import type { BareDigits, CrmProvider, CtiConnector, Mode, WebhookEvent } from '../../../contract/vocabulary.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { Integration, IntegrationChange, IntegrationStore } from '../../../ports/integrations.ts';
import {
  type Integration as StoredIntegration,
  Prisma,
  type WebhookEndpoint as StoredEndpoint,
} from '../generated/client.ts';
import { type StoreParts, transactionPatience } from '../pool.ts';
import { run } from '../queries.ts';
import { readHealth, saveEndpoint } from './webhookEndpoint.ts';

/** CRM/CTI settings, API keys and webhook endpoints in PostgreSQL. */
export function createIntegrationStore({ pool, prisma, clock }: StoreParts): IntegrationStore {
  return {
    async find(companyId) {
      return readIntegration(await findRows(prisma, companyId));
    },

    async update(companyId, decide) {
      return prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM integration WHERE company_id = ${companyId}::uuid FOR UPDATE`;
        const current = readIntegration(await findRows(tx, companyId));
        await save(tx, companyId, decide(current), new Date(clock.now()));
        return readIntegration(await findRows(tx, companyId));
      }, transactionPatience);
    },

    async findByApiKeyHash(hash) {
      const [row] = await run<{ companyId: CompanyId; prefix: string }>(pool, findApiKey, [hash]);
      return row ?? null;
    },
  };
}

/** A company's settings are spread over three tables. */
type IntegrationRows = {
  defaultCountry: string | null;
  bareDigits: string;
  integration: StoredIntegration | null;
  webhookEndpoint: StoredEndpoint | null;
};

/** What Prisma must select of a company for readIntegration. */
const integrationSelection = {
  defaultCountry: true,
  bareDigits: true,
  integration: true,
  webhookEndpoint: true,
} as const;

function findRows(tx: Prisma.TransactionClient, companyId: CompanyId) {
  return tx.company.findUniqueOrThrow({ where: { id: companyId }, select: integrationSelection });
}

/** Reads them as one. The integration is made with its company, so its absence is a bug. */
function readIntegration({ bareDigits, defaultCountry, integration, webhookEndpoint }: IntegrationRows): Integration {
  if (integration === null) throw new Error('a company has no integration');
  return {
    crmProvider: integration.crmProvider as CrmProvider | null,
    ctiConnector: integration.ctiConnector as CtiConnector | null,
    mode: integration.mode as Mode,
    defaultCountry,
    bareDigits: bareDigits as BareDigits,
    apiKeyPrefix: integration.apiKeyPrefix,
    apiKeyIssuedAt: integration.apiKeyIssuedAt,
    connectedAt: integration.connectedAt,
    webhookUrl: webhookEndpoint?.url ?? null,
    webhookSecretEncrypted: webhookEndpoint?.secretEncrypted ?? null,
    webhookSecretPrevious: webhookEndpoint === null ? null : readPrevious(webhookEndpoint),
    webhookMaxInFlight: webhookEndpoint?.maxInFlight ?? null,
    webhookHealth: webhookEndpoint === null ? null : readHealth(webhookEndpoint),
    webhookEvents: integration.webhookEvents as WebhookEvent[] | null,
    popFrameAncestors: (integration.popFrameAncestors as string[] | null) ?? [],
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
}

function readPrevious({ secretPreviousEncrypted: encrypted, secretPreviousUntil: until }: StoredEndpoint) {
  return encrypted === null || until === null ? null : { encrypted, until };
}

/** Nothing to change leaves the time of the last change as well. */
async function save(tx: Prisma.TransactionClient, companyId: CompanyId, change: IntegrationChange, now: Date) {
  if (Object.keys(change).length === 0) return;
  const {
    crmProvider,
    ctiConnector,
    mode,
    defaultCountry,
    bareDigits,
    apiKey,
    connected,
    webhookEvents,
    popFrameAncestors,
  } = change;
  await tx.integration.update({
    where: { companyId },
    data: {
      ...(crmProvider === undefined ? {} : { crmProvider }),
      ...(ctiConnector === undefined ? {} : { ctiConnector }),
      ...(mode === undefined ? {} : { mode }),
      ...(apiKey === undefined ? {} : { apiKeyHash: apiKey.hash, apiKeyPrefix: apiKey.prefix, apiKeyIssuedAt: now }),
      ...(webhookEvents === undefined ? {} : { webhookEvents: webhookEvents ?? Prisma.DbNull }),
      ...(popFrameAncestors === undefined ? {} : { popFrameAncestors }),
      ...(connected === undefined ? {} : { connectedAt: now }),
      updatedAt: now,
    },
  });
  const phones = {
    ...(defaultCountry === undefined ? {} : { defaultCountry }),
    ...(bareDigits === undefined ? {} : { bareDigits }),
  };
  if (Object.keys(phones).length > 0) await tx.company.update({ where: { id: companyId }, data: phones });
  await saveEndpoint(tx, companyId, change);
}

/** $1 SHA-256 of the key, hex. */
export const findApiKey = {
  name: 'find_api_key',
  text: `SELECT company_id AS "companyId", api_key_prefix AS prefix FROM integration WHERE api_key_hash = $1`,
};
