import type { CompanyId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phoneNumbers.ts';
import type { ScreenPopEntry } from '../domain/screenPop.ts';

/** The cache of pushed customers: one entry per company and phone number. */
export interface ScreenPopStore {
  /** Inserts or replaces. Resolves when durable. */
  upsert(companyId: CompanyId, entry: ScreenPopEntry): Promise<void>;
  /** Many at once, durable when it resolves; of several for one phone number the last wins. */
  upsertMany(companyId: CompanyId, entries: ScreenPopEntry[]): Promise<void>;
  find(companyId: CompanyId, phone: PhoneNumber): Promise<ScreenPopEntry | null>;
  /** Whether there was one. */
  forget(companyId: CompanyId, phone: PhoneNumber): Promise<boolean>;
}
