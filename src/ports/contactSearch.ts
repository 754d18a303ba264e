import type { SearchedNumbers } from '../domain/phones/searchedNumbers.ts';
import type { Contact } from '../domain/contacts.ts';
import type { CompanyId, OrganisationId } from '../domain/ids.ts';
import type { ContactScope } from './contacts.ts';

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
