import type { Contact } from '../domain/contacts.ts';
import type { Likeness } from '../domain/duplicates.ts';
import type { CompanyId, DuplicateId } from '../domain/ids.ts';
import type { ChangedBy } from './contacts.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** Two contacts that are probably one person; the one that was made first comes first. */
export type Duplicate = Likeness & { id: DuplicateId; contacts: [Contact, Contact] };

export interface DuplicateStore {
  /** A company with contacts to compare: the next after this one, else the first. Null: none has. */
  nextToCompare(after: CompanyId | null): Promise<CompanyId | null>;
  /**
   * Compares the contacts that have waited, at most `limit`, with those that they may be the same as,
   * and writes what is to be suggested.
   * @returns how many; `busy`: another gateway compares contacts of this company, an import makes some, or one of them was changed
   * meanwhile
   */
  compare(companyId: CompanyId, limit: number): Promise<number | 'busy'>;
  /** Whether contacts of the company wait to be compared. */
  isComparing(companyId: CompanyId): Promise<boolean>;
  /** Those for which most speaks first. */
  list(companyId: CompanyId, page: PageRequest): Promise<Page<Duplicate>>;
  /** They are two people, and are not suggested again. False: the company has no such suggestion. */
  dismiss(companyId: CompanyId, id: DuplicateId, by: ChangedBy, at: Date): Promise<boolean>;
}
