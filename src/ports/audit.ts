import type { AuditKind } from '../contract/audit.ts';
import type { ErasedCounts } from '../contract/eraseContact.ts';
import type { CompanyId, ContactId } from '../domain/ids.ts';
import type { ChangedBy } from './contacts.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** A merge or an erasure. `id`: UUIDv7. `otherId`: of a merge, the contact that went into the other. `counts`: of an erasure. */
export type AuditEntry = { id: string; kind: AuditKind; contactId: ContactId; otherId: ContactId | null; by: ChangedBy; counts: ErasedCounts | null; at: Date };

/** Undefined: any. `until` does not count itself. */
export type AuditFilter = { kind: AuditKind | undefined; since: Date | undefined; until: Date | undefined };

/** The contacts' store writes the entries, in the transaction of what they tell. */
export interface AuditStore {
  /** The latest first, each with the name of who did it. */
  list(companyId: CompanyId, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry & { name: string | null }>>;
}
