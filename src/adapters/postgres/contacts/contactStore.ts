import { standardFieldKeys } from '../../../contract/contactFields.ts';
import type { Contact, ContactField, PopField } from '../../../domain/contacts.ts';
import type { CompanyId, ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { ContactFault, ContactStore } from '../../../ports/contacts.ts';
import { keyValues } from '../calls/idempotencyStore.ts';
import { Prisma, type ContactField as StoredField } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { brokenReference, isMissingRow, takenIndex } from '../postgresErrors.ts';
import { pageOf, run } from '../queries.ts';
import { isStorableText, textFor } from '../storableValues.ts';
import { activitiesOf, addNote, findCallWith, recentCallsOf } from './contactActivities.ts';
import { contactById, contactsByPhone, findSharing, listContacts, ownerOf } from './findContacts.ts';
import { eraseWhole } from './eraseContact.ts';
import { findErased } from './eraseStatements.ts';
import { writeMerged } from './mergeContacts.ts';
import { insertContact, type Obstacle, replaceContact } from './writeContact.ts';

const inOrder = [{ position: 'asc' }, { key: 'asc' }] satisfies Prisma.ContactFieldOrderByWithRelationInput[];

/** Contacts of the built-in CRM in PostgreSQL. */
export function createContactStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): ContactStore {
  /** Null: what was in the way is gone meanwhile. */
  async function faultOf(contact: Contact, obstacle: Obstacle): Promise<ContactFault | null> {
    const { companyId, externalId } = contact;
    if (obstacle === 'deadlock') return null;
    if (obstacle === 'owner_id' || obstacle === 'organisation_id') return { kind: 'unknown', field: obstacle };
    if (externalId === null) return null;
    const other = await prisma.contact.findUnique({
      where: { companyId_externalId: { companyId, externalId } },
      select: { id: true },
    });
    return other && { kind: 'taken', field: obstacle, value: externalId, contactId: other.id as ContactId };
  }

  /**
   * Writes until it is written, not to be written, or it is known why it cannot be: each turn without means that
   * another contact went out of the way.
   */
  async function untilKnown(
    contact: Contact,
    write: () => ReturnType<typeof insertContact>,
  ): Promise<{ kind: 'written' } | { kind: 'not_written' } | ContactFault> {
    for (;;) {
      const written = await write();
      if (written.kind !== 'obstacle') return written;
      const fault = await faultOf(contact, written.obstacle);
      if (fault !== null) return fault;
    }
  }

  /** What is found of a contact, or of the one that it went into. */
  async function orRedirected<T>(
    companyId: CompanyId,
    id: ContactId,
    find: (id: ContactId) => Promise<T | null>,
  ): Promise<T | null> {
    const found = await find(id);
    if (found !== null) return found;
    const redirect = await prisma.contactRedirect.findUnique({
      where: { companyId_id: { companyId, id } },
      select: { contactId: true },
    });
    return redirect === null ? null : find(redirect.contactId as ContactId);
  }

  return {
    create: (contact, change, more = {}) => untilKnown(contact, () => insertContact(pool, contact, change, more)),

    update: (contact, change) => untilKnown(contact, () => replaceContact(pool, contact, change)),

    merge: (contact, other, change) => writeMerged(pool, contact, other, change),

    erase: (contact, erasure) => eraseWhole(pool, contact, erasure),

    erasedAmong: async (companyId, hashes) =>
      (await run<{ hash: string }>(pool, findErased, [companyId, hashes])).map(({ hash }) => hash),

    find: (companyId, scope, id) =>
      orRedirected(companyId, id, async (of) => (await contactById(pool, companyId, scope, of)) ?? null),

    findByPhone: (companyId, scope, phone) => contactsByPhone(pool, companyId, scope, phone),

    async sharing(companyId, scope, { id, phones }) {
      const numbers = phones.map(({ phone }) => phone);
      const rows =
        numbers.length === 0
          ? []
          : await run<{ phone: PhoneNumber; id: ContactId; name: string | null }>(pool, findSharing, [
              companyId,
              numbers,
              id,
              ownerOf(scope),
            ]);
      const sharing = new Map<PhoneNumber, { id: ContactId; name: string | null }[]>();
      for (const { phone, ...other } of rows) sharing.set(phone, [...(sharing.get(phone) ?? []), other]);
      return sharing;
    },

    async list(companyId, scope, filter, sort, page) {
      if (![filter.email, filter.externalId, filter.tag].every((text) => text === undefined || isStorableText(text)))
        return { items: [], nextCursor: null };
      return listContacts(pool, companyId, scope, filter, sort, page);
    },

    async addNote(companyId, scope, id, { id: noteId, at, by, text }, remember) {
      const add = (of: ContactId) =>
        run<{ written: boolean }>(pool, addNote, [
          companyId,
          of,
          ownerOf(scope),
          noteId,
          at,
          by,
          textFor('text', text),
          ...keyValues(remember),
        ]);
      const seen = await orRedirected(companyId, id, async (of) => (await add(of).catch(unlessGone))[0] ?? null);
      if (seen === null) return 'unseen';
      return seen.written ? 'written' : 'not_written';
    },

    async activities(companyId, scope, id, kind, page) {
      const rows = await orRedirected(companyId, id, async (of) => {
        const found = await activitiesOf(pool, companyId, scope, of, kind, page);
        if (found.length > 0 || page.cursor !== null) return found;
        // It has one entry at least, how it was made; of a kind perhaps none.
        return kind === null || (await contactById(pool, companyId, scope, of)) === undefined ? null : found;
      });
      return rows === null ? null : pageOf(rows, page.limit, (activity) => activity);
    },

    recentCalls: (companyId, id, limit) => recentCallsOf(pool, companyId, id, limit),

    async isOnCallWith(companyId, agentId, id) {
      return (await run(pool, findCallWith, [companyId, agentId, id])).length > 0;
    },

    async popFields(companyId) {
      const rows = await prisma.contactField.findMany({
        where: { companyId, onPop: true, key: { notIn: [...standardFieldKeys] } },
        select: { key: true, label: true, kind: true },
        orderBy: inOrder,
      });
      return rows.map((row) => ({ ...row, kind: row.kind as PopField['kind'] }));
    },

    fields: async (companyId: CompanyId) =>
      (await prisma.contactField.findMany({ where: { companyId }, orderBy: inOrder })).map(readField),

    async createField(companyId, field, atMost) {
      if ((await prisma.contactField.count({ where: { companyId } })) >= atMost) return 'too_many';
      try {
        await prisma.contactField.create({ data: { ...field, choices: field.choices ?? Prisma.DbNull, companyId } });
        return 'created';
      } catch (error) {
        if (takenIndex(error) === 'contact_field_pkey') return 'taken';
        throw error;
      }
    },

    async updateField(companyId, key, { choices, ...change }, expected) {
      try {
        const data = {
          ...change,
          ...(choices === undefined || choices === null ? {} : { choices }),
          version: { increment: 1 },
        };
        return readField(
          await prisma.contactField.update({
            where: { companyId_key: { companyId, key }, ...(expected === null ? {} : { version: expected }) },
            data,
          }),
        );
      } catch (error) {
        if (isMissingRow(error)) return null;
        throw error;
      }
    },

    async removeField(companyId, key) {
      return (await prisma.contactField.deleteMany({ where: { companyId, key } })).count > 0;
    },
  };
}

/** The contact went into another while its note was being written. */
function unlessGone(error: unknown): [] {
  if (brokenReference(error) !== null) return [];
  throw error;
}

function readField({ key, label, kind, choices, position, onPop, version }: StoredField): ContactField {
  return {
    key,
    label,
    kind: kind as ContactField['kind'],
    choices: choices as string[] | null,
    position,
    onPop,
    version,
  };
}
