import type { JsonText } from '../contract/jsonText.ts';
import type { CompanyId } from '../domain/ids.ts';

export type KeyClaim =
  | { kind: 'fresh' }
  /** The first request's answer, as it was sent. */
  | { kind: 'answered'; status: number; answer: JsonText }
  | { kind: 'in_progress' }
  | { kind: 'mismatch' };

/** A key as one request holds it; `claimedUntil` tells the request's claim from a later one on the same key. */
export type ClaimedKey = { key: string; claimedUntil: Date };

/** Idempotency-Keys of a company. The answer is remembered by the store that records what it reports. */
export interface IdempotencyStore {
  /** Claims the key for a request until `lapsesAt`, or tells what became of it. One statement. */
  begin(companyId: CompanyId, key: string, requestHash: string, now: Date, lapsesAt: Date): Promise<KeyClaim>;
  /** Forgets a claim that led to nothing worth remembering. Afterwards nothing is recorded under it any more. */
  abandon(companyId: CompanyId, claimed: ClaimedKey): Promise<void>;
  /** Deletes what expired before then, at most `limit`; how many. What somebody is just using is left. */
  prune(before: Date, limit: number): Promise<number>;
}
