import type { Contact } from '../../../domain/contacts.ts';
import type { CompanyId, ContactId, OrganisationId } from '../../../domain/ids.ts';
import type { ContactHit, ContactScope, ContactSearch } from '../../../ports/contacts.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';
import { isStorableText } from '../storableValues.ts';
import { ownerOf } from './findContacts.ts';
import {
  contactsByIds,
  findPartsIndex,
  isSearchable,
  longestBeginning,
  organisationsByBeginning,
  searchApproximately,
  searchByBeginning,
  searchByNumber,
  searchByParts,
  searchOrganisations,
} from './searchContacts.ts';

/** An operator may add the index while the gateway serves. Milliseconds. */
const lookAgainMs = 300_000;

/** Search of the built-in CRM in PostgreSQL. */
export function createContactSearch({ clock, pool }: Pick<StoreParts, 'clock' | 'pool'>): ContactSearch {
  let known: { parts: boolean; at: number } | null = null;

  async function findsParts(): Promise<boolean> {
    const now = clock.now();
    if (known === null || now - known.at > lookAgainMs) {
      const [row] = await run<{ ready: number }>(pool, findPartsIndex, []);
      known = { parts: row?.ready === 2, at: now };
    }
    return known.parts;
  }

  const idsOf = (rows: { id: ContactId }[]) => rows.map(({ id }) => id);
  const beginning = (words: string[]) => ` ${words.join(' ').slice(0, longestBeginning)}%`;

  async function read(
    companyId: CompanyId,
    scope: ContactScope,
    found: Map<ContactId, ContactHit['by']>,
  ): Promise<ContactHit[]> {
    if (found.size === 0) return [];
    const contacts = await run<Contact>(pool, contactsByIds, [companyId, [...found.keys()], ownerOf(scope)]);
    const byId = new Map(contacts.map((contact) => [contact.id, contact]));
    return [...found].flatMap(([id, by]) => {
      const contact = byId.get(id);
      return contact === undefined ? [] : [{ contact, by }];
    });
  }

  return {
    async byNumber(companyId, scope, { elsewhere, prefixes, reversedEnd }, limit) {
      const ids = idsOf(
        await run<{ id: ContactId }>(pool, searchByNumber, [
          companyId,
          ownerOf(scope),
          prefixes,
          reversedEnd,
          limit,
          elsewhere,
        ]),
      );
      return read(companyId, scope, new Map(ids.map((id) => [id, 'number'])));
    },

    async byWords(companyId, scope, words, limit) {
      const found = new Map<ContactId, ContactHit['by']>();
      if (words.length === 0 || !words.every(isStorableText)) return [];
      const common = [companyId, ownerOf(scope), limit];
      const add = (by: ContactHit['by'], ids: ContactId[]) => {
        for (const id of ids) if (found.size < limit && !found.has(id)) found.set(id, by);
      };
      add('words', idsOf(await run(pool, searchByBeginning, [...common, beginning(words)])));
      if (found.size < limit && isSearchable(words) && (await findsParts())) {
        const { statement, values } = searchByParts(words);
        add('words', idsOf(await run(pool, statement, [...common, ...values])));
        const approximate = found.size < limit ? searchApproximately(words) : null;
        if (approximate !== null)
          add('approximate', idsOf(await run(pool, approximate.statement, [...common, ...approximate.values])));
      }
      return read(companyId, scope, found);
    },

    async organisations(companyId, words, limit) {
      if (words.length === 0 || !words.every(isStorableText)) return [];
      type Row = { id: OrganisationId; name: string };
      if (!isSearchable(words) || !(await findsParts()))
        return run<Row>(pool, organisationsByBeginning, [companyId, limit, beginning(words)]);
      const { statement, values } = searchOrganisations(words);
      return run<Row>(pool, statement, [companyId, beginning(words), limit, ...values]);
    },

    findsParts,
  };
}
