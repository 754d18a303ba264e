import type { CompanyId } from '../../../domain/ids.ts';
import type { CrmInboundStore, InboundAddress } from '../../../ports/crmInbound.ts';
import { type CrmInbound as StoredAddress, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';

/** How often the time of the latest notice is written down. Milliseconds. */
const noteEveryMs = 10_000;

/** Addresses for the notices of CRM systems in PostgreSQL. */
export function createCrmInboundStore({
  pool,
  prisma,
  clock,
}: Pick<StoreParts, 'pool' | 'prisma' | 'clock'>): CrmInboundStore {
  return {
    async list(companyId) {
      return (await prisma.crmInbound.findMany({ where: { companyId }, orderBy: { provider: 'asc' } })).map(addressOf);
    },

    async findByTokenHash(tokenHash) {
      const [row] = await run<StoredAddress>(pool, findInboundAddress, [tokenHash]);
      return row === undefined ? null : addressOf(row);
    },

    async issue(companyId, provider, { tokenHash, secretEncrypted }) {
      const issued = { tokenHash, secretEncrypted, issuedAt: new Date(clock.now()), lastReceivedAt: null };
      const row = await prisma.crmInbound.upsert({
        where: { companyId_provider: { companyId, provider } },
        create: { companyId, provider, ...issued },
        update: issued,
      });
      return addressOf(row);
    },

    async saveSigningSecret(companyId, provider, sealed) {
      const { count } = await prisma.crmInbound.updateMany({
        where: { companyId, provider },
        data: { signingSecretEncrypted: sealed },
      });
      return count > 0;
    },

    async remove(companyId, provider) {
      return (await prisma.crmInbound.deleteMany({ where: { companyId, provider } })).count > 0;
    },

    async noteReceived(companyId, provider) {
      const now = clock.now();
      const stale = [{ lastReceivedAt: null }, { lastReceivedAt: { lt: new Date(now - noteEveryMs) } }];
      await prisma.crmInbound.updateMany({
        where: { companyId, provider, OR: stale },
        data: { lastReceivedAt: new Date(now) },
      });
    },
  };
}

/** $1 SHA-256 of the token, hex. */
export const findInboundAddress = {
  name: 'find_inbound_address',
  text: `SELECT ${fieldColumns(Prisma.CrmInboundScalarFieldEnum)} FROM crm_inbound WHERE token_hash = $1`,
};

function addressOf(row: StoredAddress): InboundAddress {
  const { companyId, provider, secretEncrypted, signingSecretEncrypted, issuedAt, lastReceivedAt } = row;
  return {
    companyId: companyId as CompanyId,
    provider,
    secretEncrypted,
    signingSecretEncrypted,
    issuedAt,
    lastReceivedAt,
  };
}
