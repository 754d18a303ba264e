import type { CrmLoginStore, PreparedLogin } from '../../../ports/crm.ts';
import type { CrmLogin as StoredLogin, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';

/** Log-ins at CRM systems that have not been completed yet, in PostgreSQL. */
export function createCrmLoginStore({ prisma }: Pick<StoreParts, 'prisma'>): CrmLoginStore {
  return {
    async find(companyId) {
      const row = await prisma.crmLogin.findUnique({ where: { companyId } });
      return row === null ? null : loginOf(row);
    },

    async save(companyId, { provider, credentialsEncrypted, settings }) {
      const written = {
        provider,
        credentialsEncrypted,
        settings: settings as Prisma.InputJsonObject,
        createdAt: new Date(),
      };
      return loginOf(
        await prisma.crmLogin.upsert({ where: { companyId }, create: { companyId, ...written }, update: written }),
      );
    },

    async remove(companyId) {
      await prisma.crmLogin.deleteMany({ where: { companyId } });
    },
  };
}

function loginOf({ provider, credentialsEncrypted, settings, createdAt }: StoredLogin): PreparedLogin {
  return { provider, credentialsEncrypted, settings: settings as Record<string, unknown>, createdAt };
}
