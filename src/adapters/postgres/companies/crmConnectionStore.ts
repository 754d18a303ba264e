import type { LoggedCalls } from '../../../contract/crm.ts';
import type { CrmConnection, CrmConnectionSettings, CrmConnectionStore } from '../../../ports/crm.ts';
import type { CrmConnection as StoredConnection } from '../generated/client.ts';
import { type StoreParts, transactionPatience } from '../pool.ts';
import { sanitizeText, textFor } from '../storableValues.ts';
import { noLease } from './tokenStores.ts';

/** What becomes of calls that wait to be logged when the company is disconnected. */
const disconnected = {
  code: 'crm_disconnected',
  error: 'Not logged: the company is not connected to this CRM any more.',
} as const;

/** Connections to CRM systems in PostgreSQL. */
export function createCrmConnectionStore({ prisma }: Pick<StoreParts, 'prisma'>): CrmConnectionStore {
  return {
    async find(companyId) {
      const row = await prisma.crmConnection.findUnique({ where: { companyId } });
      return row === null ? null : readConnection(row);
    },

    async connect(companyId, connection, token) {
      const written = {
        provider: connection.provider,
        credentialsEncrypted: connection.credentialsEncrypted,
        facts: storable('facts', connection.facts),
        account: sanitizeText(connection.account),
        ...settingValues(connection),
      };
      const fresh = {
        attention: null,
        consecutiveFailures: 0,
        failingSince: null,
        pausedUntil: null,
        tokenEncrypted: token?.sealed ?? null,
        tokenExpiresAt: token?.expiresAt ?? null,
        ...noLease,
      };
      const now = new Date();
      const row = await prisma.$transaction(async (tx) => {
        // Of the account before, perhaps.
        await tx.screenPopEntry.deleteMany({ where: { companyId, expiresAt: { not: null } } });
        const isSame =
          (await tx.crmConnection.count({
            where: { companyId, provider: written.provider, account: written.account },
          })) === 1;
        // First the queue, as its reader locks them.
        await tx.crmNoticeQueue.updateMany({
          where: { companyId },
          data: { holder: null, heldUntil: null, restUntil: null, servedAt: now },
        });
        // Their ids are those of another account.
        if (!isSame) await tx.crmNotice.deleteMany({ where: { companyId } });
        return tx.crmConnection.upsert({
          where: { companyId },
          create: { companyId, ...written, ...fresh },
          // The version goes on, so that no gateway takes its token of before for the new one's.
          update: { ...written, ...fresh, tokenVersion: { increment: 1 }, connectedAt: now },
        });
      }, transactionPatience);
      return readConnection(row);
    },

    async change(companyId, { provider, connectedAt }, settings) {
      const [row] = await prisma.crmConnection.updateManyAndReturn({
        where: { companyId, provider, connectedAt },
        data: settingValues(settings),
      });
      return row === undefined ? null : readConnection(row);
    },

    async disconnect(companyId) {
      return prisma.$transaction(async (tx) => {
        const { count } = await tx.crmConnection.deleteMany({ where: { companyId } });
        const notLogged = {
          state: 'dead',
          finishedAt: new Date(),
          lastError: disconnected.error,
          lastErrorCause: { code: disconnected.code, of: disconnected.error },
        };
        await tx.crmDelivery.updateMany({ where: { companyId, state: 'pending' }, data: notLogged });
        await tx.screenPopEntry.deleteMany({ where: { companyId, expiresAt: { not: null } } });
        return count > 0;
      }, transactionPatience);
    },

    changeHealth(companyId, decide) {
      return prisma.$transaction(async (tx) => {
        const [held] = await tx.$queryRaw<HealthRow[]>`
          SELECT consecutive_failures AS "consecutiveFailures", failing_since AS "failingSince",
            paused_until AS "pausedUntil", attention
          FROM crm_connection WHERE company_id = ${companyId}::uuid FOR NO KEY UPDATE`;
        if (held === undefined) return null;
        const { attention, ...before } = held;
        const health = decide({ ...before, disabled: null });
        const { consecutiveFailures, failingSince, pausedUntil } = health;
        await tx.crmConnection.updateMany({
          where: { companyId },
          data: { consecutiveFailures, failingSince, pausedUntil },
        });
        return { health, attention };
      }, transactionPatience);
    },

    async noteAttention(companyId, { provider, connectedAt }, attention) {
      await prisma.crmConnection.updateMany({
        where: { companyId, provider, connectedAt },
        data: { attention: sanitizeText(attention) },
      });
    },

    async noteCheck(companyId, { provider, connectedAt }, { account, facts }) {
      const data = { account: sanitizeText(account), facts: storable('facts', facts), attention: null };
      await prisma.crmConnection.updateMany({ where: { companyId, provider, connectedAt }, data });
    },
  };
}

type HealthRow = {
  consecutiveFailures: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
  attention: string | null;
};

function settingValues({ options, keepSeconds, logCalls, dispositions }: CrmConnectionSettings) {
  return {
    options: storable('options', options),
    keepSeconds,
    logCalls,
    dispositions: storable('dispositions', dispositions),
  };
}

function storable(field: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [textFor(field, name), textFor(field, value)]),
  );
}

function readConnection(row: StoredConnection): CrmConnection {
  return {
    provider: row.provider,
    credentialsEncrypted: row.credentialsEncrypted,
    options: row.options as Record<string, string>,
    facts: row.facts as Record<string, string>,
    account: row.account,
    attention: row.attention,
    keepSeconds: row.keepSeconds,
    logCalls: row.logCalls as LoggedCalls,
    dispositions: row.dispositions as Record<string, string>,
    connectedAt: row.connectedAt,
    updatedAt: row.updatedAt,
  };
}
