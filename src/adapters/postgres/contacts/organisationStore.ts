import type { CompanyId, OrganisationId } from '../../../domain/ids.ts';
import type { Organisation, OrganisationStore } from '../../../ports/contacts.ts';
import type { Organisation as StoredOrganisation } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { pageOf } from '../queries.ts';

/** Organisations of the built-in CRM in PostgreSQL. */
export function createOrganisationStore({ prisma }: Pick<StoreParts, 'prisma'>): OrganisationStore {
  return {
    async create(organisation) {
      await prisma.organisation.create({ data: organisation });
    },

    async find(companyId, id) {
      const row = await prisma.organisation.findUnique({ where: { companyId_id: { companyId, id } } });
      return row === null ? null : readOrganisation(row);
    },

    async list(companyId, { cursor, limit }) {
      const rows = await prisma.organisation.findMany({
        where: { companyId, ...(cursor === null ? {} : { id: { gt: cursor } }) },
        orderBy: { id: 'asc' },
        take: limit + 1,
      });
      return pageOf(rows, limit, readOrganisation);
    },

    async update({ companyId, id, version, ...content }) {
      const { count } = await prisma.organisation.updateMany({ where: { companyId, id, version: version - 1 }, data: { ...content, version } });
      return count > 0;
    },
  };
}

function readOrganisation(row: StoredOrganisation): Organisation {
  return { ...row, companyId: row.companyId as CompanyId, id: row.id as OrganisationId };
}
