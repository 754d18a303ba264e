import type { CompanyId } from '../../domain/ids.ts';
import type { IntegrationChange, IntegrationStore } from '../../ports/integrations.ts';
import { Prisma } from './generated/client.ts';
import { integrationSelection, readIntegration } from './integrationRows.ts';
import { transactionPatience, type StoreParts } from './prisma.ts';
import { apiKeyByHash } from './statements/findApiKey.ts';
import { saveEndpoint } from './webhookEndpoint.ts';

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
      const row = await apiKeyByHash(pool, hash);
      return row === undefined ? null : { companyId: row.companyId as CompanyId, prefix: row.prefix };
    },
  };
}

function findRows(tx: Prisma.TransactionClient, companyId: CompanyId) {
  return tx.company.findUniqueOrThrow({ where: { id: companyId }, select: integrationSelection });
}

/** Nothing to change leaves the time of the last change as well. */
async function save(tx: Prisma.TransactionClient, companyId: CompanyId, change: IntegrationChange, now: Date) {
  if (Object.keys(change).length === 0) return;
  const { crmProvider, ctiConnector, mode, defaultCountry, apiKey, connected, webhookEvents } = change;
  await tx.integration.update({
    where: { companyId },
    data: {
      ...(crmProvider === undefined ? {} : { crmProvider }),
      ...(ctiConnector === undefined ? {} : { ctiConnector }),
      ...(mode === undefined ? {} : { mode }),
      ...(apiKey === undefined
        ? {}
        : { apiKeyHash: apiKey.hash, apiKeyPrefix: apiKey.prefix, apiKeyIssuedAt: now }),
      ...(webhookEvents === undefined ? {} : { webhookEvents: webhookEvents ?? Prisma.DbNull }),
      ...(connected === undefined ? {} : { connectedAt: now }),
      updatedAt: now,
    },
  });
  if (defaultCountry !== undefined) await tx.company.update({ where: { id: companyId }, data: { defaultCountry } });
  await saveEndpoint(tx, companyId, change);
}
