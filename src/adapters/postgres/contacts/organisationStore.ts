import { partPattern } from '../../../domain/searchText.ts';
import type { CompanyId, OrganisationId } from '../../../domain/ids.ts';
import type { OrganisationSort } from '../../../contract/organisations.ts';
import type { Organisation, OrganisationStore } from '../../../ports/contacts.ts';
import { answeredBy, holdsKey, keyValues } from '../calls/idempotencyStore.ts';
import { type Organisation as StoredOrganisation, Prisma } from '../generated/client.ts';
import { isTimePlace, timePlace } from '../placeCursor.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';
import { type SortedBy, sortedPage } from '../sortedPage.ts';
import { isStorableText, textFor } from '../storableValues.ts';

/**
 * $1 company id, $2 id, $3 name, $4 website, $5 notes, $6 version, $7 and $8 when it was made and changed;
 * $9 to $13 the request's key (see answeredBy).
 */
export const createOrganisation = {
  name: 'create_organisation',
  text: `WITH ${answeredBy(9)}
  INSERT INTO organisation (company_id, id, name, website, notes, version, created_at, updated_at)
  SELECT $1::uuid, $2::uuid, $3, $4, $5, $6::int, $7::timestamptz, $8::timestamptz WHERE ${holdsKey(9)} RETURNING id`,
};

const columns = fieldColumns(Prisma.OrganisationScalarFieldEnum, { of: 'o' });

const sortName = 'left(crm_fold(o.name), 64) COLLATE "C"';

const sorts: Record<Exclude<OrganisationSort, `-${string}`>, SortedBy | null> = {
  created: null,
  name: { by: sortName, place: sortName, type: 'text', isPlace: isStorableText },
  updated: { by: 'o.updated_at', place: timePlace('o.updated_at'), type: 'timestamptz', isPlace: isTimePlace },
};

/** So many parts of a name count. */
const filterNames = ['word1', 'word2', 'word3', 'word4', 'word5', 'word6'];
const holdsPart = (p: string) =>
  `o.id IN (SELECT s.organisation_id FROM organisation_search s WHERE s.company_id = $1 AND s.text LIKE ${p})`;

/** Organisations of the built-in CRM in PostgreSQL. */
export function createOrganisationStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): OrganisationStore {
  return {
    async create({ companyId, id, name, website, notes, version, createdAt, updatedAt }, remember) {
      const content = [textFor('name', name), textFor('website', website), textFor('notes', notes)];
      return (
        (
          await run(pool, createOrganisation, [
            companyId,
            id,
            ...content,
            version,
            createdAt,
            updatedAt,
            ...keyValues(remember),
          ])
        ).length > 0
      );
    },

    async find(companyId, id) {
      const row = await prisma.organisation.findUnique({ where: { companyId_id: { companyId, id } } });
      return row === null ? null : readOrganisation(row);
    },

    async list(companyId, { words }, sort, page) {
      // Signs alone are no part of any name.
      if (words !== undefined && (words.length === 0 || !words.every(isStorableText)))
        return { items: [], nextCursor: null };
      const filters = (words ?? []).flatMap((word, index) =>
        filterNames[index] === undefined
          ? []
          : [{ name: filterNames[index], condition: holdsPart, value: partPattern(word) }],
      );
      const sorted = sorts[sort.replace('-', '') as keyof typeof sorts];
      // One plan for all companies would read the whole of the largest for a part of a name.
      const planEachTime = filters.length > 0;
      return sortedPage<Organisation>(
        pool,
        {
          name: 'list_organisations',
          columns,
          from: 'FROM organisation o WHERE o.company_id = $1',
          values: [companyId],
          alias: 'o',
          sort,
          sorted,
          filters,
          filterNames,
          planEachTime,
        },
        page,
      );
    },

    async update({ companyId, id, version, ...content }) {
      const { count } = await prisma.organisation.updateMany({
        where: { companyId, id, version: version - 1 },
        data: { ...content, version },
      });
      return count > 0;
    },
  };
}

function readOrganisation(row: StoredOrganisation): Organisation {
  return { ...row, companyId: row.companyId as CompanyId, id: row.id as OrganisationId };
}
