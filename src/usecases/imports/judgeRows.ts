import { mostOfContact } from '../../contract/contacts.ts';
import { type Contact, type ContactContent, editsOf } from '../../domain/contacts.ts';
import type { JudgedRow, RawRow } from '../../domain/imports.ts';
import { differsById, nameKey } from '../../domain/samePerson.ts';
import type { AgentId, ContactId, OrganisationId } from '../../domain/ids.ts';
import { emptyContact } from '../contacts/readContent.ts';
import { EarlierCustomers } from './earlierCustomers.ts';
import { keptKeys, type KeptCustomers } from './keptCustomers.ts';
import { isNothing, laidOn, layDraft, type More, nothing } from './layRow.ts';
import type { ReadRow, RowDraft } from './readRow.ts';
import {
  addedTo,
  aloneKeys,
  contactKey,
  contentKeys,
  type Customer,
  customerKeys,
  emailKeys,
  externalKeys,
  firstKeys,
  namesOf,
  nameKeyOf,
  nameOf,
  newCustomerKeys,
  reachedByRow,
  reachOf,
} from './rowKeys.ts';
import { because, customerOf, ofSeveral, refused, reservedFor, type Verdict, wasErased } from './rowVerdicts.ts';

/** What the rows are judged by. */
export type Known = {
  /**
   * The contacts that any of the rows names by its id, external id, number or address;
   * of a number that many share, those whose name a row has.
   */
  contacts: readonly Contact[];
  /** The customers of the rows of earlier batches, by what they are known by. */
  customers: Pick<KeptCustomers, 'get'>;
  /**
   * The contacts of customers of earlier batches, by the first row of each.
   * Null: nothing is written, so that they are not as these rows have left them.
   */
  reached: ReadonlyMap<number, Contact> | null;
  /** By name as `nameKey` folds it; null: the company has none yet. */
  organisation: (name: string) => { id: OrganisationId; name: string };
  /** By code or name; null: there is none, or several have the name. */
  owner: (written: string) => { id: AgentId; name: string } | null;
  /** Keys of people who were erased (`erasureKeys`). */
  isErased: (key: string) => boolean;
  newId: () => string;
};

/**
 * Whose a row is: the customer of an earlier one, or a contact that none has come to; null: nobody's;
 * or it does not tell.
 */
type Whose = Customer | Contact | 'several' | null;

/** A customer whom a row has come to, as its contact is stored (null: not yet) and as the rows so far leave it. */
type Reaching = { id: ContactId; stored: Contact | null; content: ContactContent };

/**
 * Decides what becomes of rows, in their order: each as if those before it had been written. A customer is known by the
 * contact's id, else its external id, else a number, else an address. People share numbers: two with one number are one
 * customer where their names are the same, or one of them has none, and no external id contradicts (`isSamePerson`). Of
 * a row that comes to the customer of an earlier one, what that one lacks of name, numbers and addresses is added; all
 * else is as the earlier row had it. What a file leaves behind depends neither on how many rows are judged at once nor
 * on whether it was there before: whom earlier rows have come to is known by `customers` alone, whoever else is there
 * by `contacts`.
 */
export function judgeRows(rows: readonly { raw: RawRow; read: ReadRow }[], known: Known): JudgedRow[] {
  const earlier = new EarlierCustomers(known.customers);
  const byId = new Map(known.contacts.map((contact) => [contact.id as string, contact]));
  const byExternalId = new Map(
    known.contacts.flatMap((contact) => (contact.externalId === null ? [] : [[contact.externalId, contact] as const])),
  );
  const byPhone = listed(known.contacts, ({ phones }) => phones.map(({ phone }) => phone));
  const byEmail = listed(known.contacts, ({ emails }) => emails.map(({ email }) => email));
  const names = new Map(known.contacts.map((contact) => [contact, nameKey(contact.name)]));
  const reached = new Map<number, Reaching>(
    [...(known.reached ?? [])].map(([row, contact]) => [row, { id: contact.id, stored: contact, content: contact }]),
  );

  return rows.map(({ raw, read }) => {
    if (read.kind === 'refused') return { ...refused(raw, read.reason), keys: [] };
    const isNew = !isKnown(read.draft);
    const judged = isNew ? writeUnlessErased(raw, read.draft, null, { isNew }) : judge(raw, read.draft);
    const customer = { row: judged.sameAs ?? raw.row, externalId: judged.externalId, name: judged.name };
    const keys = isNew ? earlier.addNew(judged.keys, customer) : earlier.add(judged.keys, customer);
    return { ...judged, keys: keptKeys(keys, customer) };
  });

  /** Whether anybody has anything of the row. Most rows of a file are somebody new. */
  function isKnown(draft: RowDraft): boolean {
    return (
      (draft.id !== null && byId.has(draft.id)) ||
      (draft.externalId !== null && byExternalId.has(draft.externalId)) ||
      reachOf(draft).some((reach) => byPhone.has(reach) || byEmail.has(reach)) ||
      firstKeys(draft).some((key) => earlier.has(key))
    );
  }

  function judge(raw: RawRow, draft: RowDraft): Verdict {
    const holder = draft.externalId === null ? undefined : byExternalId.get(draft.externalId);
    const called = (draft.id === null ? undefined : byId.get(draft.id)) ?? holder;
    // Before any refusal: a file that comes again finds what its earlier rows wrote.
    const same = earlier.ofContact(called) ?? earlier.first(externalKeys(draft));
    if (same !== undefined) return join(raw, draft, same);
    // Whoever was refused would come in by a row behind theirs.
    const gone =
      called === undefined
        ? earlier.refused(draft, reachOf(draft))
        : earlier.refused(draft, reachOf({ ...draft, emails: [] }), nameKey(called.name));
    if (gone !== undefined) return join(raw, draft, gone);
    if (called !== undefined) {
      if (holder !== undefined && holder !== called) {
        return refused(
          raw,
          because(`has the external id of the contact ${holder.id}`, {
            code: 'external_id_taken',
            params: { contact_id: holder.id },
          }),
        );
      }
      return write(raw, draft, called);
    }
    const found = byNumber(draft);
    if (found === 'several') return ofSeveral(raw, draft);
    if (found === null) return judgeByAddress(raw, draft);
    return 'row' in found ? join(raw, draft, found) : write(raw, draft, found);
  }

  /**
   * Whose number it is: the customer of an earlier row, or a contact. Null: nobody's who can be this one;
   * `several`: the row does not tell whose.
   */
  function byNumber(draft: RowDraft): Whose {
    const numbers = draft.phones.map(({ phone }) => phone as string);
    const contacts = untouched(draft, byPhone, numbers);
    const name = nameKeyOf(draft);
    if (name !== '') return namedBy(draft, name, numbers, contacts);
    return onlyOne(
      draft,
      numbers.flatMap((phone) => [`p:${phone}`, `s:${phone}`, `u:${phone}`]),
      contacts,
    );
  }

  /** Who has this name and one of the numbers or addresses, or else no name. */
  function namedBy(draft: RowDraft, name: string, reach: readonly string[], contacts: readonly Contact[]): Whose {
    const isStillNameless = ({ row }: Customer) => ['', name].includes(earlier.nameOfRow(row));
    const nameless = () =>
      onlyOne(
        draft,
        reach.map((key) => `n:${key}|`),
        contacts.filter((contact) => names.get(contact) === ''),
        isStillNameless,
      );
    return namesakeOf(draft, name, reach, contacts) ?? nameless();
  }

  function namesakeOf(draft: RowDraft, name: string, reach: readonly string[], contacts: readonly Contact[]): Whose {
    return onlyOne(
      draft,
      reach.flatMap((key) => [`n:${key}|${name}`, `t:${key}|${name}`]),
      contacts.filter((contact) => names.get(contact) === name),
    );
  }

  /** The one customer of an earlier row that has one of these keys, or the one contact. */
  function onlyOne(
    draft: RowDraft,
    keys: readonly string[],
    contacts: readonly Contact[],
    fits: (customer: Customer) => boolean = () => true,
  ): Whose {
    const customers = earlier.with(keys, (customer) => !differsById(draft, customer) && fits(customer));
    if (customers.length + contacts.length > 1) return 'several';
    return customers[0] ?? contacts[0] ?? null;
  }

  /**
   * Of a row whose numbers and external id nobody has. Addresses may be shared, so that whoever has one decides only
   * where nothing better does: of a row with a name and a number or external id it is whoever has the name, too; of one
   * that is known by its address alone whoever has that, whatever the name.
   */
  function judgeByAddress(raw: RawRow, draft: RowDraft): Verdict {
    const addresses = draft.emails.map(({ email }) => email);
    const mailed = untouched(draft, byEmail, addresses);
    const name = nameKeyOf(draft);
    const isKnownByMore = draft.phones.length > 0 || draft.externalId !== null;
    const anybody = () =>
      onlyOne(
        draft,
        addresses.flatMap((address) => [`e:${address}`, `s:${address}`, `u:${address}`]),
        mailed,
      );
    const bearerOf = isKnownByMore ? namedBy : namesakeOf;
    const namesake = name === '' ? null : bearerOf(draft, name, addresses, mailed);
    if (namesake === null && !isKnownByMore) {
      const alike = earlier.first(emailKeys(draft), (customer) => !differsById(draft, customer));
      if (alike !== undefined) {
        const isUnclear = anybody() === 'several' && !earlier.isRefused(alike);
        return isUnclear ? ofSeveral(raw, draft) : join(raw, draft, alike);
      }
    }
    const found = namesake === null && (name === '' || !isKnownByMore) ? anybody() : namesake;
    if (found !== null && found !== 'several' && 'row' in found) return join(raw, draft, found);
    if (found === 'several' && !isKnownByMore && !isErasedRow(draft)) return ofSeveral(raw, draft);
    return writeUnlessErased(raw, draft, found === 'several' ? null : found);
  }

  /** An address does not tell whether it is whoever was made anew by hand. */
  function writeUnlessErased(raw: RawRow, draft: RowDraft, contact: Contact | null, { isNew = false } = {}): Verdict {
    return isErasedRow(draft) ? refused(raw, wasErased, customerOf(draft)) : write(raw, draft, contact, { isNew });
  }

  /** Contacts with one of these keys that no row has come to, but for those whom the row cannot mean. */
  function untouched(draft: RowDraft, by: ReadonlyMap<string, Contact[]>, keys: readonly string[]): Contact[] {
    return [...new Set(keys.flatMap((key) => by.get(key) ?? []))].filter(
      (contact) => earlier.ofContact(contact) === undefined && !differsById(draft, contact),
    );
  }

  function isErasedRow(draft: RowDraft): boolean {
    return reachedByRow(draft).some((key) => known.isErased(key));
  }

  /** A row of the customer of an earlier one: adds what that one lacks. */
  function join(raw: RawRow, draft: RowDraft, customer: Customer): Verdict {
    const { row } = customer;
    const more = moreOf(draft, row);
    const before = reached.get(row);
    const content = before === undefined ? null : laidOn(before.content, more);
    const isAdding =
      known.reached === null && before === undefined
        ? !isNothing(more)
        : before !== undefined && content !== before.content;
    const name = earlier.nameOfRow(row) || (isAdding ? nameKey(more.name) : '');
    const added = isAdding ? reachOf(more) : [];
    const keys = [
      ...new Set(namesOf(draft, name).flatMap((each) => customerKeys(draft, each))),
      ...contentKeys(row, added, name, isAdding ? more.externalId : null),
    ];
    const joined = { row: raw.row, sameAs: row, keys, externalId: draft.externalId ?? customer.externalId, name };
    if (!isAdding) {
      return {
        ...joined,
        outcome: 'duplicate',
        reason: because('is a duplicate of an earlier row', { code: 'duplicate_of_row', params: { row } }),
        remarks: [],
        contactId: null,
        before: null,
        after: null,
      };
    }
    if (before !== undefined && content !== null) reached.set(row, { ...before, content });
    const remark = because('is the customer of an earlier row, to whom what is new was added', {
      code: 'same_as_row',
      params: { row },
    });
    return {
      ...joined,
      outcome: 'updated',
      reason: null,
      remarks: [...draft.remarks, remark],
      contactId: before?.id ?? null,
      before: before?.stored ?? null,
      after: content,
    };
  }

  /**
   * What a row has that the customer of an earlier row lacks.
   * Nothing of a customer that was refused, or of somebody who was erased.
   */
  function moreOf(draft: RowDraft, row: number): More {
    const isMissing = (key: string) => !earlier.hasReach(row, key);
    if (earlier.isRefused({ row }) || isErasedRow(draft)) return nothing;
    const isKept = (field: string) => draft.modes.get(field) === 'keep';
    const isOfRefused = (key: string) => earlier.with([key]).some((customer) => earlier.isRefused(customer));
    const isOfAnother = (email: string) => earlier.with(aloneKeys([email])).some((customer) => customer.row !== row);
    const name = earlier.nameOfRow(row) === '' && !isKept('name') ? nameOf(draft) : null;
    const leaves = earlier.nameOfRow(row) || nameKey(name);
    // A row of that name came to whoever has it; the next time it would come to this one.
    const isByNameOfAnother = (key: string) =>
      earlier.with([`n:${key}|${leaves}`]).some((customer) => customer.row !== row && customer.name !== leaves);
    const isAdded = (key: string) => isMissing(key) && !isByNameOfAnother(key);
    return {
      externalId: isFree(draft) && earlier.idOfRow(row) === null && !isKept('external_id') ? draft.externalId : null,
      name,
      phones: isKept('phones') ? [] : draft.phones.filter(({ phone }) => isAdded(phone) && !isOfRefused(`p:${phone}`)),
      emails: isKept('emails')
        ? []
        : draft.emails.filter(({ email }) => isAdded(email) && !isOfRefused(`e:${email}`) && !isOfAnother(email)),
    };
  }

  /** Whether nobody has the row's external id. */
  function isFree(draft: RowDraft): boolean {
    const { externalId } = draft;
    return externalId !== null && !byExternalId.has(externalId) && !earlier.has(`x:${externalId}`);
  }

  /** @param contact null: nobody's that is stored @param isNew nor of an earlier row: nobody has anything of it */
  function write(raw: RawRow, draft: RowDraft, contact: Contact | null, { isNew = false } = {}): Verdict {
    const owner = draft.owner === null ? null : known.owner(draft.owner);
    // It would be made again each time the file comes.
    if (contact === null && draft.externalId === null && draft.phones.length === 0 && draft.emails.length === 0) {
      return refused(
        raw,
        because('has no number, no e-mail address and no external id to be known by', { code: 'nothing_to_know_by' }),
      );
    }
    if (
      contact === null &&
      draft.scalars.name === undefined &&
      draft.phones.length === 0 &&
      draft.emails.length === 0
    ) {
      return refused(
        raw,
        because('a name, a phone number or an e-mail address is needed', { code: 'nobody' }),
        customerOf(draft),
      );
    }
    const before: ContactContent = contact ?? emptyContact;
    const after = layDraft(draft, before, { isNew: contact === null, owner, organisation: known.organisation });
    // Of somebody new, this is all that the row itself has.
    if (contact !== null && addedTo(before, after).some((key) => known.isErased(key))) {
      const customer = customerOf(draft);
      const keys = [contactKey(contact), ...customerKeys(contact, nameKey(contact.name)), ...customer.keys];
      return refused(raw, wasErased, { ...customer, keys });
    }
    const name = contact === null ? nameKeyOf(draft) : nameKey(after.name);
    const alone = isNew ? undefined : whoIsAlone(before, after, name);
    if (alone !== undefined) {
      return refused(
        raw,
        because('has an address by which alone an earlier row is known', {
          code: 'address_of_row',
          params: { row: alone.row },
        }),
        reservedFor(draft),
      );
    }
    for (const part of ['phones', 'emails', 'tags'] as const) {
      if (after[part].length > mostOfContact[part]) {
        return refused(
          raw,
          because(`would give the contact more than ${mostOfContact[part]} ${part}`, {
            code: 'too_many',
            params: { max: mostOfContact[part] },
          }),
        );
      }
    }
    const id = contact?.id ?? (known.newId() as ContactId);
    const { externalId } = after;
    const isKnownByMore = draft.id !== null || draft.externalId !== null || draft.phones.length > 0;
    // Who is only to be made is nobody's contact yet.
    const isThere = contact !== null || known.reached !== null;
    const customer = isNew
      ? newCustomerKeys(after, name)
      : new Set([
          ...namesOf(draft, name).flatMap((each) => customerKeys({ ...draft, externalId }, each)),
          ...customerKeys(after, name),
        ]);
    const keys = [
      ...(isThere ? [contactKey({ id })] : []),
      ...customer,
      ...contentKeys(raw.row, ['', ...reachOf(after)], name, externalId),
      ...(isKnownByMore ? [] : aloneKeys(draft.emails.map(({ email }) => email))),
    ];
    const isWritten = contact === null || editsOf(before, after).length > 0;
    const written = contact === null ? 'created' : 'updated';
    const outcome = isWritten ? written : 'unchanged';
    const unknownOwner =
      draft.owner !== null && owner === null
        ? [{ message: 'is none of the company', column: draft.ownerColumn, code: 'not_of_company' } as const]
        : [];
    reached.set(raw.row, { id, stored: contact, content: after });
    const shared = isNew
      ? undefined
      : after.phones.find(({ phone }) => before.phones.every((each) => each.phone !== phone) && isShared(phone, id));
    const toldShared =
      shared === undefined
        ? []
        : [
            because(`shares the number ${shared.phone} with another contact`, {
              code: 'number_shared',
              params: { number: shared.phone },
            }),
          ];
    return {
      row: raw.row,
      sameAs: null,
      outcome,
      reason: null,
      remarks: [...draft.remarks, ...unknownOwner, ...toldShared],
      contactId: id,
      before: contact,
      after: outcome === 'unchanged' ? null : after,
      keys,
      externalId,
      name,
    };
  }

  /** The customer of an earlier row that is known by nothing but an address which a contact would be given. */
  function whoIsAlone(before: ContactContent, after: ContactContent, name: string): Customer | undefined {
    const had = new Set(reachOf(before));
    const added = reachOf(after).filter((key) => !had.has(key));
    const isTheirs = (customer: Customer) => customer.name === '' || name === '' || customer.name === name;
    return (
      earlier.first(aloneKeys(added), isTheirs) ??
      earlier.first(
        added.map((key) => `n:${key}|${name}`),
        (customer) => customer.name !== name,
      )
    );
  }

  /** Whether somebody else has the number. */
  function isShared(phone: string, id: ContactId): boolean {
    return earlier.has(`p:${phone}`) || (byPhone.get(phone) ?? []).some((contact) => contact.id !== id);
  }
}

/** Contacts by each of their keys. */
function listed(contacts: readonly Contact[], keysOf: (contact: Contact) => readonly string[]): Map<string, Contact[]> {
  const by = new Map<string, Contact[]>();
  for (const contact of contacts) {
    for (const key of keysOf(contact)) {
      const sharing = by.get(key);
      if (sharing === undefined) by.set(key, [contact]);
      else sharing.push(contact);
    }
  }
  return by;
}
