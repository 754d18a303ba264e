import type { ActivityKind } from '../contract/contactActivities.ts';
import type { ErasedCounts } from '../contract/eraseContact.ts';
import type { ContactSort } from '../contract/contacts.ts';
import type { OrganisationSort } from '../contract/organisations.ts';
import type { Contact, ContactField, PopField, FieldEdit } from '../domain/contacts.ts';
import type { AgentId, CompanyId, ContactId, OrganisationId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { SearchedNumbers } from '../domain/phones/searchedNumbers.ts';
import type { ActivityCall, RememberedAnswer } from './calls.ts';
import type { OutboxEvent } from './outbox.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** Whose contacts are seen: everybody's, or those of one agent and of nobody. */
export type ContactScope = { ownerId: AgentId } | 'all';

/** Who made a change; null: the company's own system, by its key. */
export type ChangedBy = AgentId | null;

/** An entry of a contact's timeline that is no call. */
export type ContactChange = {
  id: string;
  at: Date;
  kind:
    | 'created'
    | 'edited'
    | 'merged'
    | 'note'
    | 'do_not_call_overridden'
    | 'dial_skipped'
    | 'imported'
    | 'deal_created'
    | 'deal_moved';
  by: ChangedBy;
  text: string | null;
  edits: FieldEdit[];
};

/** A change with the webhooks that tell of it, which are written with it. */
export type AnnouncedChange = ContactChange & { events?: OutboxEvent[] };
/**
 * `hashOf`: what is kept of a key (`erasureKeys`). `id`: of the entry in the audit, UUIDv7.
 * `events`: the webhooks that tell of it.
 */
export type Erasure = {
  id: string;
  hashOf: (companyId: CompanyId, key: string) => string;
  by: ChangedBy;
  at: Date;
  events: OutboxEvent[];
};
/** How much of each kind was erased, and by how many keys the person is remembered, former ones too. */
export type Erased = { counts: ErasedCounts; remembered: { phones: number; emails: number; externalIds: number } };

/** What happened with a contact, the latest first. */
export type ContactActivity =
  { kind: 'call'; id: string; call: ActivityCall } | (ContactChange & { name: string | null });

/** Other contacts with a number, by the number. */
export type Sharing = ReadonlyMap<PhoneNumber, { id: ContactId; name: string | null }[]>;

export type ContactFilter = {
  phone?: PhoneNumber | undefined;
  email?: string | undefined;
  externalId?: string | undefined;
  ownerId?: AgentId | undefined;
  organisationId?: OrganisationId | undefined;
  tag?: string | undefined;
  tier?: string | undefined;
  /** BCP 47; `de` finds `de-AT` too. */
  language?: string | undefined;
  doNotCall?: boolean | undefined;
};

/** What keeps a contact from being written. */
export type ContactFault =
  | { kind: 'taken'; field: 'phones' | 'external_id'; value: string; contactId: ContactId }
  | { kind: 'unknown'; field: 'owner_id' | 'organisation_id' };

export interface ContactStore {
  /**
   * Writes a new contact with its first entry, and the remembered answer. `not_written`: the request's key is another's
   * now. However many are made with one number at once, `phones` is the fault of all but the first of those that are
   * one person (`isSamePerson`), unless `isAnother` says that it is another one.
   */
  create(
    contact: Contact,
    change: AnnouncedChange,
    more?: { remember?: RememberedAnswer | undefined; isAnother?: boolean },
  ): Promise<{ kind: 'written' } | { kind: 'not_written' } | ContactFault>;
  /** Replaces the content of the contact that still has `contact.version - 1`. `not_written`: it has another. */
  update(
    contact: Contact,
    change: AnnouncedChange,
  ): Promise<{ kind: 'written' } | { kind: 'not_written' } | ContactFault>;
  /**
   * Replaces the content of the contact that still has `contact.version - 1`, and moves what another one has to it,
   * whose id leads to it from then on. `not_written`: one of both has another version.
   */
  merge(
    contact: Contact,
    other: Pick<Contact, 'id' | 'version'>,
    change: AnnouncedChange,
  ): Promise<'written' | 'not_written'>;
  /**
   * Erases the contact that still has `contact.version` and all that is kept of it, and remembers its keys as hashes;
   * its calls stay as figures. What it was known by formerly counts as what it is known by, unless another contact is
   * known by it now. `not_written`: it has another version; `on_call`: one of its calls has not ended.
   */
  erase(contact: Contact, erasure: Erasure): Promise<Erased | 'not_written' | 'on_call'>;
  /** Which of these hashes are of keys of people who were erased. */
  erasedAmong(companyId: CompanyId, hashes: string[]): Promise<string[]>;
  /** The contact, or the one that it went into. Null: the company has none, or it is not seen. */
  find(companyId: CompanyId, scope: ContactScope, id: ContactId): Promise<Contact | null>;
  /**
   * Whose phone number it is, at most 20: of more, those that were made first.
   * An agent who has a call with the number sees them, whoever looks after them.
   */
  findByPhone(companyId: CompanyId, scope: ContactScope, phone: PhoneNumber): Promise<Contact[]>;
  /**
   * With whom a contact shares its numbers, as far as they are seen: by number, at most 20 each.
   * Of a number that nobody shares: nothing.
   */
  sharing(companyId: CompanyId, scope: ContactScope, contact: Pick<Contact, 'id' | 'phones'>): Promise<Sharing>;
  /** Null: the cursor is none of a list that is sorted so. */
  list(
    companyId: CompanyId,
    scope: ContactScope,
    filter: ContactFilter,
    sort: ContactSort,
    page: PageRequest,
  ): Promise<Page<Contact> | null>;
  /**
   * Writes the note and the remembered answer. `unseen`: the company has no such contact, or it is not seen;
   * `not_written`: the request's key is another's now.
   */
  addNote(
    companyId: CompanyId,
    scope: ContactScope,
    id: ContactId,
    note: ContactChange,
    remember?: RememberedAnswer,
  ): Promise<'written' | 'unseen' | 'not_written'>;
  /**
   * Its entries, the calls of its numbers, those from before it too, and those whose click named it, the latest first;
   * or those of one kind. Null: not seen.
   */
  activities(
    companyId: CompanyId,
    scope: ContactScope,
    id: ContactId,
    kind: ActivityKind | null,
    page: PageRequest,
  ): Promise<Page<ContactActivity> | null>;

  /** The last `limit` of its calls that have ended, the latest first. */
  recentCalls(companyId: CompanyId, id: ContactId, limit: number): Promise<ContactActivity[]>;
  /** Whether the agent has a call with the contact: with one of its numbers, or one at which it popped. */
  isOnCallWith(companyId: CompanyId, agentId: AgentId, id: ContactId): Promise<boolean>;

  /** The fields that the company has defined, in their order. */
  fields(companyId: CompanyId): Promise<ContactField[]>;
  /**
   * Those of them that screen pops show, in their order; none that bears the name of something that every contact has.
   */
  popFields(companyId: CompanyId): Promise<PopField[]>;
  /** `too_many`: the company has `atMost` already. */
  createField(companyId: CompanyId, field: ContactField, atMost: number): Promise<'created' | 'taken' | 'too_many'>;
  /**
   * @param expected the version that it has to have, or null. Null: it has another, or the company has no such field.
   */
  updateField(
    companyId: CompanyId,
    key: string,
    change: Partial<Omit<ContactField, 'key' | 'kind' | 'version'>>,
    expected: number | null,
  ): Promise<ContactField | null>;
  /** Removes the field; what contacts hold in it is kept, and shows again when a field of this key is made. */
  removeField(companyId: CompanyId, key: string): Promise<boolean>;
}

/** How a contact was found; `approximate`: with a letter wrong, missing or too many. */
export type ContactHit = { contact: Contact; by: 'number' | 'words' | 'approximate' };

/** Finds contacts and organisations by parts of what they are called, by index. */
export interface ContactSearch {
  /** The best first. At most `limit`. */
  byNumber(companyId: CompanyId, scope: ContactScope, numbers: SearchedNumbers, limit: number): Promise<ContactHit[]>;
  /**
   * Names that begin so, then those that have all of the words as parts, then those with one letter wrong.
   * At most `limit`.
   */
  byWords(companyId: CompanyId, scope: ContactScope, words: string[], limit: number): Promise<ContactHit[]>;
  organisations(companyId: CompanyId, words: string[], limit: number): Promise<{ id: OrganisationId; name: string }[]>;
  /** Whether the database finds parts of words. Else names are found by their beginning alone. */
  findsParts(): Promise<boolean>;
}

/** A company or household that contacts belong to. */
export type Organisation = {
  companyId: CompanyId;
  id: OrganisationId;
  name: string;
  website: string | null;
  notes: string | null;
  /** Rises by one per change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** `words`: parts of the name, folded as `wordsOf` folds them. */
export type OrganisationFilter = { words?: string[] | undefined };

export interface OrganisationStore {
  /** Writes a new one and the remembered answer. False: the request's key is another's now. */
  create(organisation: Organisation, remember?: RememberedAnswer): Promise<boolean>;
  /** Null: the company has none. */
  find(companyId: CompanyId, id: OrganisationId): Promise<Organisation | null>;
  /** Null: the cursor is none of a list that is sorted so. */
  list(
    companyId: CompanyId,
    filter: OrganisationFilter,
    sort: OrganisationSort,
    page: PageRequest,
  ): Promise<Page<Organisation> | null>;
  /** Replaces the one that still has `organisation.version - 1`; false: it has another. */
  update(organisation: Organisation): Promise<boolean>;
}
