import type { CompanyId } from '../domain/ids.ts';

/** What a company will be connected with, once an admin has logged in at the CRM. */
export type PreparedLogin = {
  provider: string;
  /** Sealed like the credentials of a connection. */
  credentialsEncrypted: string;
  /** The rest of the request to connect, which takes effect with the connection. */
  settings: Record<string, unknown>;
  createdAt: Date;
};

/** Log-ins that have not been completed yet; one per company. */
export interface CrmLoginStore {
  find(companyId: CompanyId): Promise<PreparedLogin | null>;
  /** Replaces what was prepared before. */
  save(companyId: CompanyId, login: Omit<PreparedLogin, 'createdAt'>): Promise<PreparedLogin>;
  remove(companyId: CompanyId): Promise<void>;
}
