import type { AuditKind } from '../contract/audit.ts';
import type { ErasedCounts } from '../contract/eraseContact.ts';
import type { ListeningMode } from '../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId, ContactId } from '../domain/ids.ts';
import type { ChangedBy } from './contacts.ts';
import type { Page, PageRequest } from './queryResults.ts';

/**
 * A merge or an erasure. `id`: UUIDv7. `otherId`: of a merge, the contact that went into the other.
 * `counts`: of an erasure.
 */
export type ContactAuditEntry = {
  id: string;
  kind: Exclude<AuditKind, 'call_listened'>;
  contactId: ContactId;
  otherId: ContactId | null;
  by: ChangedBy;
  counts: ErasedCounts | null;
  at: Date;
};

/** Somebody listens to an agent's call, from now on in that way. `id`: UUIDv7. */
export type ListeningAuditEntry = {
  id: string;
  callId: CallId;
  agentId: AgentId;
  mode: ListeningMode;
  by: AgentId;
  at: Date;
};

/** As it is listed. `name`: who did it; `agentName`: whose call it was; null: nobody, or no longer known. */
export type AuditEntry = {
  id: string;
  kind: AuditKind;
  contactId: ContactId | null;
  otherId: ContactId | null;
  by: ChangedBy;
  name: string | null;
  counts: ErasedCounts | null;
  callId: CallId | null;
  agentId: AgentId | null;
  agentName: string | null;
  mode: ListeningMode | null;
  at: Date;
};

/** Undefined: any. `until` does not count itself. */
export type AuditFilter = { kind: AuditKind | undefined; since: Date | undefined; until: Date | undefined };

/** The contacts' store writes its entries itself, in the transaction of what they tell. */
export interface AuditStore {
  addListening(companyId: CompanyId, entry: ListeningAuditEntry): Promise<void>;
  /** The latest first. */
  list(companyId: CompanyId, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}
