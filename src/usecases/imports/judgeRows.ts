import { mostOfContact } from '../../contract/contacts.ts';
import type { ImportMode } from '../../contract/imports.ts';
import { type Contact, type ContactContent, editsOf } from '../../domain/contacts.ts';
import type { JudgedRow, RawRow, RowReason } from '../../domain/imports.ts';
import { erasureKeys } from '../../domain/erasureKeys.ts';
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
  /** By code or name; null: there is none, or several have the name. */
  owner: (written: string) => { id: AgentId; name: string } | null;
  /** Keys of people who were erased (`erasureKeys`). */
  isErased: (key: string) => boolean;
  newId: () => string;
};

/**
 * Decides what becomes of rows, in their order: each as if those before it had been written. A contact is known by its id, else its
 * external id, else a number, else an address; a row that comes to a contact or key that an earlier row has come to is a duplicate of that
 * row and changes nothing. What a file leaves behind depends neither on how many rows are judged at once nor on whether it was there before.
 */
export function judgeRows(rows: readonly { raw: RawRow; read: ReadRow }[], known: Known): JudgedRow[] {
  const { claims } = known;
  const byId = new Map(known.contacts.map((contact) => [contact.id as string, contact]));
  const byExternalId = new Map(known.contacts.flatMap((contact) => (contact.externalId === null ? [] : [[contact.externalId, contact] as const])));
  const byPhone = new Map(known.contacts.flatMap((contact) => contact.phones.map(({ phone }) => [phone as string, contact] as const)));
  const byEmail = new Map<string, Contact[]>();
  for (const contact of known.contacts) {
    for (const { email } of contact.emails) {
      const sharing = byEmail.get(email);
      if (sharing === undefined) byEmail.set(email, [contact]);
      else sharing.push(contact);
    }
  }

  return rows.map(({ raw, read }) => {
    if (read.kind === 'refused') return refused(raw, read.reason);
    const judged = judge(raw, read.draft);
    const fresh = judged.keys.filter((key) => !claims.has(key) && (!key.startsWith('u:') || isSharedByAnybody(key, judged)));
    for (const key of fresh) claims.set(key, { row: raw.row, externalId: judged.externalId });
    return { ...judged, keys: fresh };
  });

  function judge(raw: RawRow, draft: RowDraft): JudgedRow {
    const owners = [...new Set(draft.phones.flatMap(({ phone }) => byPhone.get(phone) ?? []))];
    const holder = draft.externalId === null ? undefined : byExternalId.get(draft.externalId);
    const called = (draft.id === null ? undefined : byId.get(draft.id)) ?? holder;
    const named = called ?? owners.find((contact) => !isOther(draft, contact));
    // Before any refusal: a file that comes again finds what its earlier rows wrote.
    const earlier = (called && claims.get(contactKey(called))) ?? firstOf(externalKeys(draft)) ?? sameAs(draft, [...owners.map(contactKey), ...phoneKeys(draft)]);
    if (earlier !== undefined) {
      // Not the numbers that contacts have: whoever has them is found by them.
      const phones = draft.phones.filter(({ phone }) => !byPhone.has(phone));
      return duplicate(raw, earlier, { ...draft, phones });
    }
    const stranger = owners.find((contact) => contact !== named);
    if (stranger !== undefined) return refused(raw, because(`has a number of the contact ${stranger.id}`, { code: 'phone_taken', params: { contact_id: stranger.id } }));
    const taken = firstOf(phoneKeys(draft));
    if (taken !== undefined) return refused(raw, because('has a number of an earlier row with another external id', { code: 'number_of_row', params: { row: taken.row } }));
    if (holder !== undefined && holder !== named) return refused(raw, because(`has the external id of the contact ${holder.id}`, { code: 'external_id_taken', params: { contact_id: holder.id } }));
    return named === undefined ? judgeByAddress(raw, draft) : write(raw, draft, named);
  }

  /** Of a row that is known by nothing else yet. Addresses may be shared, so that whoever has one decides only where nothing better does. */
  function judgeByAddress(raw: RawRow, draft: RowDraft): JudgedRow {
    const mailed = [...new Set(draft.emails.flatMap(({ email }) => byEmail.get(email) ?? []))].filter((contact) => !isOther(draft, contact));
    const earlier = sameAs(draft, [...mailed.map(contactKey), ...emailKeys(draft)]);
    if (earlier !== undefined) return duplicate(raw, earlier, draft);
    // An address does not tell whether it is whoever was made anew by hand.
    if (isErased(emptyContact, draft)) return refused(raw, wasErased, claimOf(draft));
    const [only = null, another] = mailed;
    if (another === undefined) return write(raw, draft, only);
    if (draft.phones.length === 0 && draft.externalId === null) return refused(raw, because('fits several contacts', { code: 'several_contacts' }));
    return write(raw, draft, null);
  }

  /** Whether the row is the first without an external id to have an address that an earlier one has. */
  function isSharedByAnybody(key: string, { externalId }: JudgedRow): boolean {
    return externalId === null && claims.has(key.replace('u:', 'e:'));
  }

  /** By the external id that it has once the rows so far are written. */
  function isOther(draft: RowDraft, contact: Contact): boolean {
    return differs(draft, claims.get(contactKey(contact)) ?? contact);
  }

  /** Whether a contact would be known by what somebody was who was erased. */
  function isErased(before: ContactContent, after: Reached): boolean {
    return addedTo(before, after).some((key) => known.isErased(key));
  }

  /** The earliest of the rows that have claimed one of these keys; `fits`: that can be whose is asked for. */
  function firstOf(keys: readonly string[], fits: (claim: Claim) => boolean = () => true): Claim | undefined {
    return keys.flatMap((key) => claims.get(key) ?? []).filter(fits).toSorted((one, other) => one.row - other.row)[0];
  }

  function sameAs(draft: RowDraft, keys: readonly string[]): Claim | undefined {
    return firstOf(keys, (claim) => !differs(draft, claim));
  }

  function write(raw: RawRow, draft: RowDraft, contact: Contact | null): JudgedRow {
    const owner = draft.owner === null ? null : known.owner(draft.owner);
    // It would be made again each time the file comes.
    if (contact === null && draft.externalId === null && draft.phones.length === 0 && draft.emails.length === 0) {
      return refused(raw, because('has no number, no e-mail address and no external id to be known by', { code: 'nothing_to_know_by' }));
    }
    if (contact === null && draft.scalars.name === undefined && draft.phones.length === 0 && draft.emails.length === 0) {
      return refused(raw, because('a name, a phone number or an e-mail address is needed', { code: 'nobody' }), claimOf(draft));
    }
    const before: ContactContent = contact ?? emptyContact;
    const after = layDraft(draft, before, { isNew: contact === null, owner, organisation: known.organisation });
    if (isErased(before, after)) {
      const claim = claimOf(draft);
      return refused(raw, wasErased, contact === null ? claim : { ...claim, keys: [contactKey(contact), ...claim.keys] });
    }
    const alone = firstOf(aloneKeys(addedTo(before, after)));
    if (alone !== undefined) return refused(raw, because('has an address by which alone an earlier row is known', { code: 'address_of_row', params: { row: alone.row } }));
    for (const part of ['phones', 'emails', 'tags'] as const) {
      if (after[part].length > mostOfContact[part]) return refused(raw, because(`would give the contact more than ${mostOfContact[part]} ${part}`, { code: 'too_many', params: { max: mostOfContact[part] } }));
    }
    const id = contact?.id ?? (known.newId() as ContactId);
    const externalId = after.externalId;
    const isKnownByMore = draft.id !== null || draft.externalId !== null || draft.phones.length > 0;
    const keys = [`c:${id}`, ...ownKeys({ ...draft, externalId }), ...(isKnownByMore ? [] : aloneKeys(draft.emails.map(({ email }) => email)))];
    const outcome = contact === null ? 'created' : editsOf(before, after).length > 0 ? 'updated' : 'unchanged';
    const unknownOwner = draft.owner !== null && owner === null ? [{ message: 'is none of the company', column: draft.ownerColumn, code: 'not_of_company' } as const] : [];
    return { row: raw.row, outcome, reason: null, remarks: [...draft.remarks, ...unknownOwner], contactId: id, before: contact, after: outcome === 'unchanged' ? null : after, keys, externalId };
  }
}

/** The keys of all claims that can matter to these rows. */
export function keysToAsk(contacts: readonly Contact[], drafts: readonly RowDraft[]): string[] {
  return [...contacts.map(contactKey), ...drafts.flatMap((draft) => [...ownKeys(draft), ...aloneKeys(draft.emails.map(({ email }) => email))])];
}

const contactKey = ({ id }: Contact): string => `c:${id}`;
const externalKeys = ({ externalId }: RowDraft): string[] => (externalId === null ? [] : [`x:${externalId}`]);
const phoneKeys = ({ phones }: RowDraft): string[] => phones.map(({ phone }) => `p:${phone}`);
/** Of a row that is known by nothing else. */
const aloneKeys = (addresses: readonly string[]): string[] => addresses.map((address) => `a:${address}`);
/** Addresses may be shared: besides the first row that has one, the first without an external id counts, who can be anybody. */
const emailKeys = ({ emails }: RowDraft): string[] => emails.flatMap(({ email }) => [`e:${email}`, `u:${email}`]);

/** By what a row is known in itself. */
function ownKeys(draft: RowDraft): string[] {
  return [...externalKeys(draft), ...phoneKeys(draft), ...emailKeys(draft)];
}

/** Of a row that writes nothing, so that the rows behind it fare the same whenever the file comes. */
function claimOf(draft: RowDraft): Pick<JudgedRow, 'keys' | 'externalId'> {
  return { keys: ownKeys(draft), externalId: draft.externalId };
}

/** What a contact is known by and was not before, as `erasureKeys` has it. */
export function addedTo(before: Reached | null, after: Reached): string[] {
  const had = new Set(before === null ? [] : reachedBy(before));
  return reachedBy(after).filter((key) => !had.has(key));
}

type Reached = Pick<ContactContent, 'phones' | 'emails' | 'externalId'>;
function reachedBy({ phones, emails, externalId }: Reached): string[] {
  return erasureKeys({ phones: phones.map(({ phone }) => phone as string), emails: emails.map(({ email }) => email), externalIds: externalId === null ? [] : [externalId] });
}

/** Two with different external ids are two people. */
function differs(one: Pick<RowDraft, 'externalId'>, other: { externalId: string | null }): boolean {
  return one.externalId !== null && other.externalId !== null && one.externalId !== other.externalId;
}

function because(message: string, cause: Pick<RowReason, 'code'> & { params?: unknown }): RowReason {
  return { message, column: null, ...cause } as RowReason;
}

const wasErased = because('is somebody who was erased', { code: 'was_erased' });

function refused({ row }: RawRow, reason: RowReason, claim: Pick<JudgedRow, 'keys' | 'externalId'> = { keys: [], externalId: null }): JudgedRow {
  return { row, outcome: 'refused', reason, remarks: [], contactId: null, before: null, after: null, ...claim };
}

/** Whose external id the earlier row has: it is the same person's. */
function duplicate(raw: RawRow, { row, externalId }: Claim, draft: RowDraft): JudgedRow {
  const claim = { ...claimOf(draft), externalId: draft.externalId ?? externalId };
  return { ...refused(raw, because('is a duplicate of an earlier row', { code: 'duplicate_of_row', params: { row } }), claim), outcome: 'duplicate' };
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
