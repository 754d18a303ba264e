import type { CompanyId } from '../domain/ids.ts';
import type { RecordRef } from '../providers/provider.ts';

/** The address that a company gave to a CRM for its notices. */
export type InboundAddress = {
  companyId: CompanyId;
  provider: string;
  /** What notices carry or are signed with, sealed; null: the provider signs with a secret of its own. */
  secretEncrypted: string | null;
  /** That one, sealed, as the admin typed it; null: none is stored. */
  signingSecretEncrypted: string | null;
  issuedAt: Date;
  /** When the latest notice came that was really the provider's, to some seconds. */
  lastReceivedAt: Date | null;
};

/** Addresses for the notices of CRM systems, one per company and provider. Their tokens are kept as hashes. */
export interface CrmInboundStore {
  list(companyId: CompanyId): Promise<InboundAddress[]>;
  /** Whose address has that token; null: nobody's. */
  findByTokenHash(tokenHash: string): Promise<InboundAddress | null>;
  /** Replaces the token and the secret that were issued before, at once. The provider's signing secret stays. */
  issue(companyId: CompanyId, provider: string, issued: { tokenHash: string; secretEncrypted: string | null }): Promise<InboundAddress>;
  /** False: there is no such address. */
  saveSigningSecret(companyId: CompanyId, provider: string, sealed: string | null): Promise<boolean>;
  /** Whether there was one. */
  remove(companyId: CompanyId, provider: string): Promise<boolean>;
  /** Notes that a notice came; written at most once in some seconds. */
  noteReceived(companyId: CompanyId, provider: string): Promise<void>;
}

/** Reads records of which a CRM told no more than their ids: in the background, after every lookup that somebody waits for. */
export interface CrmRecordReader {
  /** `waiting`: it is to be read already. `full`: too much waits, and it is dropped. */
  add(companyId: CompanyId, provider: string, reference: RecordRef): 'added' | 'waiting' | 'full';
  /** Begins nothing any more; resolves when what is under way has ended. What waits is dropped. */
  stop(): Promise<void>;
}
