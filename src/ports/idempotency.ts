import type { JsonText } from '../contract/jsonText.ts';
import type { CompanyId } from '../domain/ids.ts';

export type BegunKey =
  | { kind: 'fresh' }
  /** The first request's answer, as it was sent. */
  | { kind: 'answered'; status: number; answer: JsonText }
  | { kind: 'in_progress' }
  | { kind: 'mismatch' };

/** A key as one request holds it; `heldUntil` tells it from a later request that holds the same key. */
export type HeldKey = { key: string; heldUntil: Date };

/** Idempotency-Keys of a company. The answer is remembered by the store that records what it reports. */
export interface IdempotencyStore {
  /** Takes the key for a request until `lapsesAt`, or tells what became of it. One statement. */
  begin(companyId: CompanyId, key: string, requestHash: string, now: Date, lapsesAt: Date): Promise<BegunKey>;
  /** Frees the key of a request that was refused. Afterwards that request records nothing under it. */
  abandon(companyId: CompanyId, held: HeldKey): Promise<void>;
  /** Deletes keys that expired before then, at most `limit`; how many. Keys in use are skipped. */
  prune(before: Date, limit: number): Promise<number>;
}
