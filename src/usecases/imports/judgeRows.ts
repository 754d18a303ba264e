import type { ImportMode } from '../../contract/imports.ts';
import { type Contact, type ContactContent, editsOf } from '../../domain/contacts.ts';
import type { JudgedRow, RawRow, RowReason } from '../../domain/imports.ts';
import type { AgentId, ContactId, OrganisationId } from '../../domain/ids.ts';
import { emptyContact } from '../contacts/readContent.ts';
import type { ReadRow, RowDraft } from './readRow.ts';

/** A row that an earlier one of the same check or run has come to, by what it is known by. */
export type Claim = { row: number; externalId: string | null };

/** What the rows are judged by. */
export type Known = {
  /** The contacts that any of the rows names by its id, external id, number or address. */
  contacts: readonly Contact[];
  /** What earlier rows are known by; rows that are judged are added. */
  claims: Map<string, Claim>;
  /** By name as `nameKey` folds it; null: the company has none yet. */
  organisation: (name: string) => { id: OrganisationId; name: string };
  /** By code; null: there is none. */
  owner: (code: string) => { id: AgentId; name: string } | null;
  /** Numbers and addresses of people who were erased. */
  isErased: (key: string) => boolean;
  newId: () => string;
};

const most = { phones: 20, emails: 20, tags: 50 };

/**
 * Decides what becomes of rows, in their order: each as if those before it had been written. A contact is known by its id, else its
 * external id, else a number, else an address; a row that comes to a contact or key that an earlier row has come to is a duplicate of that
 * row and changes nothing.
 */
export function judgeRows(rows: readonly { raw: RawRow; read: ReadRow }[], known: Known): JudgedRow[] {
  const byId = new Map(known.contacts.map((contact) => [contact.id as string, contact]));
  const byExternalId = new Map(known.contacts.flatMap((contact) => (contact.externalId === null ? [] : [[contact.externalId, contact] as const])));
  const byPhone = new Map(known.contacts.flatMap((contact) => contact.phones.map(({ phone }) => [phone as string, contact] as const)));
  const byEmail = new Map<string, Contact[]>();
  for (const contact of known.contacts) for (const { email } of contact.emails) byEmail.set(email, [...(byEmail.get(email) ?? []), contact]);

  return rows.map(({ raw, read }) => {
    if (read.kind === 'refused') return refused(raw, read.reason);
    const { draft } = read;
    const judged = judge(raw, draft);
    for (const key of judged.keys) if (!known.claims.has(key)) known.claims.set(key, { row: raw.row, externalId: judged.externalId });
    return judged;
  });

  function judge(raw: RawRow, draft: RowDraft): JudgedRow {
    const found = match(draft);
    const contact = found.kind === 'matched' ? found.contact : null;
    // Before any refusal: a file that comes again finds what its earlier rows wrote.
    const earlier = claimed(draft, contact, found.kind === 'refused' ? found.others : []);
    if (earlier !== null) return { ...refused(raw, because('is a duplicate of an earlier row', { code: 'duplicate_of_row', params: { row: earlier } })), outcome: 'duplicate', keys: ownKeys(draft), externalId: draft.externalId };
    if (found.kind === 'refused') return refused(raw, found.reason);
    const taken = takenInFile(draft);
    if (taken !== null) return refused(raw, because('has a number of an earlier row with another external id', { code: 'number_of_row', params: { row: taken } }));
    const erased = contact === null && [...draft.phones.map(({ phone }) => phone as string), ...draft.emails.map(({ email }) => email)].some((key) => known.isErased(key));
    if (erased) return refused(raw, because('is somebody who was erased', { code: 'was_erased' }));
    return write(raw, draft, contact);
  }

  function match(draft: RowDraft): { kind: 'matched'; contact: Contact | null } | { kind: 'refused'; reason: RowReason; others: Contact[] } {
    const matched = (contact: Contact | null) => ({ kind: 'matched', contact }) as const;
    const owners = new Set(draft.phones.flatMap(({ phone }) => byPhone.get(phone) ?? []));
    const byKey = (draft.id === null ? undefined : byId.get(draft.id)) ?? (draft.externalId === null ? undefined : byExternalId.get(draft.externalId));
    const isOther = (contact: Contact) => draft.externalId !== null && contact.externalId !== null && contact.externalId !== draft.externalId;
    const named = byKey ?? [...owners].find((contact) => !isOther(contact));
    const stranger = [...owners].find((contact) => contact !== named);
    if (stranger !== undefined) return { kind: 'refused', reason: because(`has a number of the contact ${stranger.id}`, { code: 'phone_taken', params: { contact_id: stranger.id } }), others: [...owners] };
    if (named !== undefined) {
      const holder = draft.externalId === null ? undefined : byExternalId.get(draft.externalId);
      if (holder !== undefined && holder !== named) return { kind: 'refused', reason: because(`has the external id of the contact ${holder.id}`, { code: 'external_id_taken', params: { contact_id: holder.id } }), others: [] };
      return matched(named);
    }
    const mailed = [...new Set(draft.emails.flatMap(({ email }) => byEmail.get(email) ?? []))].filter((contact) => !isOther(contact));
    if (mailed.length === 1) return matched(mailed[0] ?? null);
    if (mailed.length > 1 && draft.phones.length === 0 && draft.externalId === null) return { kind: 'refused', reason: because('fits several contacts', { code: 'several_contacts' }), others: mailed };
    return matched(null);
  }

  /** The earlier row that came to the same contact, or has the same key. */
  function claimed(draft: RowDraft, contact: Contact | null, near: readonly Contact[]): number | null {
    const { claims } = known;
    const ofContact = contact === null ? undefined : claims.get(`c:${contact.id}`);
    if (ofContact !== undefined) return ofContact.row;
    const ofExternal = draft.externalId === null ? undefined : claims.get(`x:${draft.externalId}`);
    if (ofExternal !== undefined) return ofExternal.row;
    const others = [...near.map(({ id }) => claims.get(`c:${id}`)), ...draft.phones.map(({ phone }) => claims.get(`p:${phone}`)), ...(contact === null ? draft.emails.map(({ email }) => claims.get(`e:${email}`)) : [])];
    const same = others.find((claim) => claim !== undefined && !differs(draft, claim));
    return same?.row ?? null;
  }

  function takenInFile(draft: RowDraft): number | null {
    return draft.phones.map(({ phone }) => known.claims.get(`p:${phone}`)).find((claim) => claim !== undefined)?.row ?? null;
  }

  function write(raw: RawRow, draft: RowDraft, contact: Contact | null): JudgedRow {
    const owner = draft.owner === null ? null : known.owner(draft.owner);
    if (draft.owner !== null && owner === null) return refused(raw, { message: 'is none of the company', column: draft.ownerColumn, code: 'not_of_company' });
    // It would be made again each time the file comes.
    if (contact === null && draft.externalId === null && draft.phones.length === 0 && draft.emails.length === 0) {
      return refused(raw, because('has no number, no e-mail address and no external id to be known by', { code: 'nothing_to_know_by' }));
    }
    if (contact === null && draft.scalars.name === undefined && draft.phones.length === 0 && draft.emails.length === 0) {
      return refused(raw, because('a name, a phone number or an e-mail address is needed', { code: 'nobody' }));
    }
    const before: ContactContent = contact ?? emptyContact;
    const after = layDraft(draft, before, { isNew: contact === null, owner, organisation: known.organisation });
    for (const part of ['phones', 'emails', 'tags'] as const) {
      if (after[part].length > most[part]) return refused(raw, because(`would give the contact more than ${most[part]} ${part}`, { code: 'too_many', params: { max: most[part] } }));
    }
    const id = contact?.id ?? (known.newId() as ContactId);
    const externalId = after.externalId;
    const keys = [
      `c:${id}`,
      ...(externalId === null ? [] : [`x:${externalId}`]),
      ...draft.phones.map(({ phone }) => `p:${phone}`),
      ...draft.emails.map(({ email }) => `e:${email}`).filter((key) => !known.claims.has(key)),
    ];
    const outcome = contact === null ? 'created' : editsOf(before, after).length > 0 ? 'updated' : 'unchanged';
    return { row: raw.row, outcome, reason: null, contactId: id, before: contact, after: outcome === 'unchanged' ? null : after, keys, externalId };
  }
}

/** By what a row is known in itself. A duplicate passes it on: rows that share a key with it are duplicates too, however often the file comes. */
function ownKeys({ externalId, phones, emails }: RowDraft): string[] {
  return [...(externalId === null ? [] : [`x:${externalId}`]), ...phones.map(({ phone }) => `p:${phone}`), ...emails.map(({ email }) => `e:${email}`)];
}

/** Two rows with different external ids are two people. */
function differs(draft: RowDraft, { externalId }: Claim): boolean {
  return draft.externalId !== null && externalId !== null && draft.externalId !== externalId;
}

function because(message: string, cause: Pick<RowReason, 'code'> & { params?: unknown }): RowReason {
  return { message, column: null, ...cause } as RowReason;
}

function refused({ row }: RawRow, reason: RowReason): JudgedRow {
  return { row, outcome: 'refused', reason, contactId: null, before: null, after: null, keys: [], externalId: null };
}

type Laying = { isNew: boolean; owner: ContactContent['owner']; organisation: Known['organisation'] };

/** A row laid over what a contact holds. What is empty in the row changes nothing. */
function layDraft(draft: RowDraft, before: ContactContent, { isNew, owner, organisation }: Laying): ContactContent {
  const mode = (field: string): ImportMode => (isNew ? 'overwrite' : (draft.modes.get(field) ?? 'fill'));
  const lay = <T>(field: string, was: T | null, now: T | null | undefined): T | null => {
    if (now === undefined || now === null || mode(field) === 'keep') return was;
    return was === null || mode(field) === 'overwrite' ? now : was;
  };
  const { scalars } = draft;
  const fields = new Map(Object.entries(before.fields));
  for (const [key, value] of Object.entries(draft.fields)) {
    const laid = lay(`fields.${key}`, fields.get(key) ?? null, value);
    if (laid !== null) fields.set(key, laid);
  }
  const isOrganisationWritten = draft.organisation !== null && lay('organisation', before.organisation?.name ?? null, draft.organisation) === draft.organisation;
  const doNotCall = lay('do_not_call', before.doNotCall || null, scalars.doNotCall) ?? false;
  return {
    name: lay('name', before.name, scalars.name),
    organisation: isOrganisationWritten && draft.organisation !== null && before.organisation?.name !== draft.organisation ? organisation(draft.organisation) : before.organisation,
    owner: lay('owner', before.owner, owner),
    phones: layList(before.phones, draft.phones, ({ phone }) => phone, mode('phones')),
    emails: layList(before.emails, draft.emails, ({ email }) => email, mode('emails')),
    tags: mode('tags') === 'keep' ? before.tags : [...new Set([...before.tags, ...draft.tags])],
    tier: lay('tier', before.tier, scalars.tier),
    language: lay('language', before.language, scalars.language),
    timeZone: lay('time_zone', before.timeZone, scalars.timeZone),
    notes: lay('notes', before.notes, scalars.notes),
    doNotCall,
    externalId: lay('external_id', before.externalId, draft.externalId),
    fields: Object.fromEntries(fields),
  };
}

/** What is missing in the list is added at its end; labels as the mode says. */
function layList<T extends { label: string | null }>(before: T[], given: T[], keyOf: (item: T) => string, mode: ImportMode): T[] {
  if (mode === 'keep') return before;
  const list = before.map((item) => {
    const label = given.find((each) => keyOf(each) === keyOf(item))?.label ?? null;
    return label !== null && (item.label === null || mode === 'overwrite') ? { ...item, label } : item;
  });
  return [...list, ...given.filter((item) => !before.some((each) => keyOf(each) === keyOf(item)))];
}
