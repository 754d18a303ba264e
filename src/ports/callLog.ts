import type { CallId, CompanyId } from '../domain/ids.ts';
import type { FinishedCall } from '../providers/finishedCall.ts';
import type { CrmRecord } from '../providers/provider.ts';
import type { DeliveryKey, LeaseRequest, LoggedAttempt, Settlement } from './outbox.ts';

/** What is logged of a call, fixed before anything is written, so that every attempt sends the same bytes. */
export type PreparedLog = {
  /** The provider's id. */
  provider: string;
  facts: Record<string, string>;
  options: Record<string, string>;
  call: FinishedCall;
  /** Null: the CRM knows nobody with the number, or several and nobody has chosen. */
  record: CrmRecord | null;
  /** Where the entry goes; see `CallLog.place`. */
  place: string | null;
};

/** How far the logging of a call has got. */
export type CallLogProgress = {
  prepared: PreparedLog | null;
  /** When a request was sent that may have written the entry; null: none was. */
  sentAt: Date | null;
  /** When the entry was looked for after that, and not found; null: it was not looked for. */
  notFoundAt: Date | null;
  /** Of the entry in the CRM; null: none is known. */
  entryId: string | null;
};

/** A call to log, of a CRM that a dispatcher has leased. */
export type LeasedCallLog = DeliveryKey & {
  callId: CallId;
  /** Tells the order of one call's deliveries. */
  sequence: number;
  /** Attempts that count. */
  attempts: number;
  progress: CallLogProgress;
  callGoesOn: boolean;
  /** `group`: the provider, whose companies stop being answered together. */
  endpoint: { maxInFlight: number; consecutiveFailures: number; group: string };
};

export type CallLogSettlement = DeliveryKey & {
  /** The request that decided it, and what came back. Null: nothing was tried, it only falls due later. */
  attempt: LoggedAttempt | null;
  /** Attempts that count, with this one where it does. */
  attempts: number;
  outcome: Settlement['outcome'];
  progress: CallLogProgress;
};

/** What earlier deliveries of the same call have left. */
export type EarlierLog = {
  /** Of the entry in that provider's system. */
  entryId: string | null;
  /** Whether a request was sent that may have written an entry. */
  maySent: boolean;
};

/**
 * Calls on their way into companies' CRM systems. Rows are written by the call store, with the change that ends a call.
 */
export interface CallLogOutbox {
  /** As in `Outbox`, of companies whose CRM takes calls at this time. */
  lease(request: LeaseRequest): Promise<LeasedCallLog[]>;
  renew(holder: string, companyIds: CompanyId[], leaseUntil: Date): Promise<CompanyId[]>;
  release(holder: string, butFor?: CompanyId[]): Promise<void>;
  releaseOthers(holder: string): Promise<void>;
  putOff(holder: string, key: DeliveryKey, until: Date): Promise<void>;
  /** Writes down how far it has got, before something is sent. False: the lease was lost, and nothing may be sent. */
  note(holder: string, key: DeliveryKey, progress: CallLogProgress): Promise<boolean>;
  /** Ends one attempt, as long as nobody else serves the CRM. */
  settle(holder: string, settlement: CallLogSettlement): Promise<boolean>;
  earlier(companyId: CompanyId, callId: CallId, sequence: number, provider: string): Promise<EarlierLog>;
}
