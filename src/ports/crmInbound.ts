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
  issue(
    companyId: CompanyId,
    provider: string,
    issued: { tokenHash: string; secretEncrypted: string | null },
  ): Promise<InboundAddress>;
  /** False: there is no such address. */
  saveSigningSecret(companyId: CompanyId, provider: string, sealed: string | null): Promise<boolean>;
  /** Whether there was one. */
  remove(companyId: CompanyId, provider: string): Promise<boolean>;
  /** Notes that a notice came; written at most once in some seconds. */
  noteReceived(companyId: CompanyId, provider: string): Promise<void>;
}

/** A record that is to be read, under a lease of all of its company's. */
export type LeasedNotice = {
  companyId: CompanyId;
  provider: string;
  reference: RecordRef;
  /** Tells what was known of the record when it was leased from what the CRM has told since. */
  version: string;
  /** How often the CRM did not tell. */
  tries: number;
};

/**
 * What became of a record that was told of. `added`: it is to be read; `waiting`: it already was;
 * `full`: too many of the company's wait, and nothing was kept of it.
 */
export type NoticeTaken = 'added' | 'waiting' | 'full';

/** How many records wait to be read, over all companies. */
export type NoticeBacklog = {
  /** `resting`: the CRM did not tell, and is left alone for a while. `held_back`: it refuses the credentials. */
  records: { due: number; resting: number; held_back: number };
  oldestSeconds: { due: number; resting: number; held_back: number };
};

/**
 * Records of which CRM systems told no more than their ids, until they are read; each waits once. No more than their
 * ids is kept. What waits ends with the company's connection, and when it is connected with another account. Of each
 * company one record is read at a time, by one gateway.
 */
export interface CrmNoticeStore {
  /**
   * Has records read, in one statement; what is being read now is read again afterwards. In the order given.
   * Null: the company is not connected to that CRM, and nothing was kept.
   */
  add(companyId: CompanyId, provider: string, references: readonly RecordRef[]): Promise<NoticeTaken[] | null>;
  /** The record is not to be read any more; whoever reads it now finds it `withdrawn`. */
  withdraw(companyId: CompanyId, provider: string, reference: RecordRef): Promise<void>;
  /**
   * The next record of each of so many companies, those first that have waited longest for their turn.
   * Each with a lease of its company.
   * @param request `holder`: of these leases alone, made for them
   */
  lease(request: { holder: string; limit: number; now: Date; leaseUntil: Date }): Promise<LeasedNotice[]>;
  /**
   * The record is done with, and the company's lease given back. False: the lease is kept, or was lost, and nothing was
   * changed: the record was told of again meanwhile, or withdrawn.
   */
  finish(holder: string, notice: LeasedNotice): Promise<boolean>;
  /** What became of a record under the lease. `lost`: the lease is somebody else's by now. */
  stateOf(holder: string, notice: LeasedNotice): Promise<'waiting' | 'withdrawn' | 'lost'>;
  /** Counts one more try and gives the lease back: nothing of the company is read until then. */
  putOff(holder: string, notice: LeasedNotice, restUntil: Date): Promise<void>;
  /**
   * Gives a company's lease back, if it is still held.
   * @param restUntil nothing of the company is read until then; no try counts for it
   */
  release(holder: string, companyId: CompanyId, restUntil?: Date): Promise<void>;
  /** Gives back every lease, whoever holds it. */
  releaseAll(): Promise<void>;
  backlog(now: Date): Promise<NoticeBacklog>;
  /** Drops records that have waited since before then: of whom, once for each. */
  prune(before: Date, limit: number): Promise<{ companyId: CompanyId; provider: string }[]>;
}

/**
 * Reads records of which a CRM told no more than their ids: in the background,
 * after every lookup that somebody waits for.
 */
export interface CrmRecordReader {
  start(): void;
  /** Records wait: look now. */
  wake(): void;
  /** Begins nothing any more; resolves when what is under way has ended. What waits is kept. May be called twice. */
  stop(): Promise<void>;
}
