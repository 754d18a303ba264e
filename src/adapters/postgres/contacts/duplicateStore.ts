import type { Contact } from '../../../domain/contacts.ts';
import { type CompanyId, type ContactId, firstId, lastId } from '../../../domain/ids.ts';
import type { Duplicate, DuplicateStore } from '../../../ports/duplicates.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';
import { compareWaiting } from './compareContacts.ts';
import { contactsByIds } from './searchContacts.ts';

/** The company after this one whose contacts wait. $1 company id. */
export const findCompanyToCompare = {
  name: 'find_company_to_compare',
  text: 'SELECT company_id AS id FROM contact_to_compare WHERE company_id > $1 ORDER BY company_id LIMIT 1',
};

/** $1 company id, $2 score and $3 id of the last one of the page before, $4 how many. */
export const listDuplicates = {
  name: 'list_duplicates',
  text: `SELECT d.id, d.score, d.reasons, d.contact_id AS "contactId", d.other_id AS "otherId" FROM contact_duplicate d
  WHERE d.company_id = $1 AND d.dismissed_at IS NULL AND (d.score, d.id) < ($2, $3)
  ORDER BY d.score DESC, d.id DESC LIMIT $4`,
};

type Row = Omit<Duplicate, 'contacts'> & { contactId: ContactId; otherId: ContactId };

/** More than any. */
const highestScore = 9_999;

/** Contacts that are probably one person, in PostgreSQL. */
export function createDuplicateStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): DuplicateStore {
  const firstAfter = async (id: string) =>
    (await run<{ id: CompanyId }>(pool, findCompanyToCompare, [id]))[0]?.id ?? null;

  return {
    nextToCompare: async (after) => (after === null ? null : await firstAfter(after)) ?? firstAfter(firstId),

    compare: (companyId, limit) => compareWaiting(pool, companyId, limit),

    isComparing: async (companyId) => (await prisma.contactToCompare.findFirst({ where: { companyId } })) !== null,

    async list(companyId, { cursor, limit }) {
      const [score, id] = cursor?.split('_') ?? [highestScore, lastId];
      const rows = await run<Row>(pool, listDuplicates, [companyId, score, id, limit + 1]);
      const shown = rows.slice(0, limit);
      const ids = [...new Set(shown.flatMap(({ contactId, otherId }) => [contactId, otherId]))];
      const contacts = new Map(
        (await run<Contact>(pool, contactsByIds, [companyId, ids, null])).map((contact) => [contact.id, contact]),
      );
      const last = shown.at(-1);
      return {
        items: shown.flatMap(({ contactId, otherId, ...rest }) => {
          const [one, other] = [contacts.get(contactId), contacts.get(otherId)];
          // One of them was merged or erased since.
          return one === undefined || other === undefined
            ? []
            : [{ ...rest, contacts: [one, other] as [Contact, Contact] }];
        }),
        nextCursor: rows.length > limit && last !== undefined ? `${String(last.score)}_${last.id}` : null,
      };
    },

    async dismiss(companyId, id, dismissedBy, dismissedAt) {
      const { count } = await prisma.contactDuplicate.updateMany({
        where: { companyId, id, dismissedAt: null },
        data: { dismissedBy, dismissedAt },
      });
      return count > 0;
    },
  };
}
