import type { CompanyId } from '../domain/ids.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Telephony } from '../domain/telephony.ts';

/** Absent is unchanged. */
export type TelephonyChange = Partial<Omit<Telephony, 'updatedAt'>>;

export interface TelephonyStore {
  /** Mode `none` where nothing was ever set, and where there is no such company. */
  find(companyId: CompanyId): Promise<Telephony>;
  /**
   * Changes the settings by what is decided on their latest state; changes of one company wait for each other. Nothing
   * is saved where the decision is a refusal or changes nothing.
   */
  save(companyId: CompanyId, decide: (current: Telephony) => Outcome<TelephonyChange>): Promise<Outcome<Telephony>>;
}
