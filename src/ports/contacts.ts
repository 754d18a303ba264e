import type { ErasedCounts } from '../contract/eraseContact.ts';
import type { ContactSort } from '../contract/contacts.ts';
import type { Contact, ContactField, FieldEdit } from '../domain/contacts.ts';
import type { Call } from '../domain/calls.ts';
import type { AgentId, CompanyId, ContactId, OrganisationId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phoneNumbers.ts';
import type { RememberedAnswer } from './calls.ts';
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
  kind: 'created' | 'edited' | 'merged' | 'note' | 'do_not_call_overridden' | 'imported' | 'deal_created' | 'deal_moved';
  by: ChangedBy;
  text: string | null;
  edits: FieldEdit[];
};

/** A change with the webhooks that tell of it, which are written with it. */
export type AnnouncedChange = ContactChange & { events?: OutboxEvent[] };
/** `hashes`: of its numbers and addresses. `id`: of the entry in the audit, UUIDv7. `events`: the webhooks that tell of it. */
export type Erasure = { id: string; hashes: string[]; by: ChangedBy; at: Date; events: OutboxEvent[] };

/** What happened with a contact, the latest first. */
export type ContactActivity = { kind: 'call'; id: string; call: ActivityCall } | (ContactChange & { name: string | null });

/** A call on the timeline. `agentName`: of the agent who had it. */
export type ActivityCall = Pick<
  Call,
  'agentId' | 'direction' | 'state' | 'phone' | 'endReason' | 'endDetail' | 'createdAt' | 'answeredAt' | 'endedAt' | 'disposition'
> & { agentName: string };

export type ContactFilter = {
  phone?: PhoneNumber | undefined;
  email?: string | undefined;
  externalId?: string | undefined;
  ownerId?: AgentId | undefined;
  organisationId?: OrganisationId | undefined;
  tag?: string | undefined;
};

/** What keeps a contact from being written. */
export type ContactFault =
  | { kind: 'taken'; field: 'phones' | 'external_id'; value: string; contactId: ContactId }
  | { kind: 'unknown'; field: 'owner_id' | 'organisation_id' };

export interface ContactStore {
  /** Writes a new contact with its first entry, and the remembered answer. `not_written`: the request's key is another's now. */
  create(contact: Contact, change: AnnouncedChange, remember?: RememberedAnswer): Promise<{ kind: 'written' } | { kind: 'not_written' } | ContactFault>;
  /** Replaces the content of the contact that still has `contact.version - 1`. `not_written`: it has another. */
  update(contact: Contact, change: AnnouncedChange): Promise<{ kind: 'written' } | { kind: 'not_written' } | ContactFault>;
  /**
   * Replaces the content of the contact that still has `contact.version - 1`, and moves what another one has to it, whose id leads to it from
   * then on. `not_written`: one of both has another version.
   */
  merge(contact: Contact, other: Pick<Contact, 'id' | 'version'>, change: AnnouncedChange): Promise<'written' | 'not_written'>;
  /**
   * Erases the contact that still has `contact.version` and all that is kept of it, and remembers the hashes; its calls stay as figures.
   * Answers how much of each kind. `not_written`: it has another version; `on_call`: one of its calls has not ended.
   */
  erase(contact: Contact, erasure: Erasure): Promise<ErasedCounts | 'not_written' | 'on_call'>;
  /** Which of these hashes are of numbers and addresses that were erased. */
  erasedAmong(companyId: CompanyId, hashes: string[]): Promise<string[]>;
  /** The contact, or the one that it went into. Null: the company has none, or it is not seen. */
  find(companyId: CompanyId, scope: ContactScope, id: ContactId): Promise<Contact | null>;
  /** Whose phone number it is, whoever looks after them. */
  findByPhone(companyId: CompanyId, phone: PhoneNumber): Promise<Contact | null>;
  /** The contact who has this number, or the one that was named, where it does not want to be called; else null. */
  doNotCall(companyId: CompanyId, phone: PhoneNumber, named: ContactId | null): Promise<ContactId | null>;
  /** Null: the cursor is none of a list that is sorted so. */
  list(companyId: CompanyId, scope: ContactScope, filter: ContactFilter, sort: ContactSort, page: PageRequest): Promise<Page<Contact> | null>;
  /** False: the company has no such contact, or it is not seen. */
  addNote(companyId: CompanyId, scope: ContactScope, id: ContactId, note: ContactChange): Promise<boolean>;
  /** Its entries and the calls of its numbers, those from before it too, the latest first. Null: not seen. */
  activities(companyId: CompanyId, scope: ContactScope, id: ContactId, page: PageRequest): Promise<Page<ContactActivity> | null>;

  /** The last `limit` calls of its numbers that have ended, the latest first. */
  recentCalls(companyId: CompanyId, id: ContactId, limit: number): Promise<ContactActivity[]>;
  /** Whether the agent has a call with the contact: one of its numbers, or a click that named it. */
  isOnCallWith(companyId: CompanyId, agentId: AgentId, id: ContactId): Promise<boolean>;

  /** The fields that the company has defined, in their order. */
  fields(companyId: CompanyId): Promise<ContactField[]>;
  /** `too_many`: the company has `atMost` already. */
  createField(companyId: CompanyId, field: ContactField, atMost: number): Promise<'created' | 'taken' | 'too_many'>;
  updateField(companyId: CompanyId, key: string, change: Partial<Omit<ContactField, 'key' | 'kind'>>): Promise<ContactField | null>;
  /** Removes the field; what contacts hold in it is kept, and shows again when a field of this key is made. */
  removeField(companyId: CompanyId, key: string): Promise<boolean>;
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

export interface OrganisationStore {
  create(organisation: Organisation): Promise<void>;
  /** Null: the company has none. */
  find(companyId: CompanyId, id: OrganisationId): Promise<Organisation | null>;
  /** In the order in which they were made. */
  list(companyId: CompanyId, page: PageRequest): Promise<Page<Organisation>>;
  /** Replaces the one that still has `organisation.version - 1`; false: it has another. */
  update(organisation: Organisation): Promise<boolean>;
}
