import type { CompanyId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { ScreenPopEntry } from '../domain/screenPop.ts';

/** The cache of customers: one entry per company and phone number, pushed by the CRM or looked up there. */
export interface ScreenPopStore {
  /** Inserts or replaces what was pushed; what was looked up too. Resolves when durable. */
  upsert(companyId: CompanyId, entry: ScreenPopEntry): Promise<void>;
  /** Many at once, durable when it resolves; of several for one phone number the last wins. */
  upsertMany(companyId: CompanyId, entries: ScreenPopEntry[]): Promise<void>;
  /** Keeps what was looked up, until then; what was pushed stays as it is. */
  keepLookedUp(companyId: CompanyId, entry: ScreenPopEntry, until: Date): Promise<void>;
  /** Nothing that was looked up and has expired. */
  find(companyId: CompanyId, phone: PhoneNumber): Promise<ScreenPopEntry | null>;
  /** Whether there was one. */
  forget(companyId: CompanyId, phone: PhoneNumber): Promise<boolean>;
  /**
   * Forgets what was pushed or looked up of one record of a CRM, and the choices that it was among;
   * what is kept for the numbers in `except` stays. How many numbers that were.
   */
  forgetRecord(
    companyId: CompanyId,
    record: { externalSystem: string; object: string; id: string },
    except?: readonly string[],
  ): Promise<number>;
  /** Deletes what was looked up and expired before; at most so many. How many it deleted. */
  prune(before: Date, limit: number): Promise<number>;
}
