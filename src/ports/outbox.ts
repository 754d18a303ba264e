import type { DeliveryState, WebhookEvent } from '../contract/vocabulary.ts';
import type { CallId, CompanyId, DeliveryId } from '../domain/ids.ts';
import type { Lookup, Page, PageRequest } from './lookup.ts';

/** An event to deliver; `body` is signed and sent byte for byte. */
export type OutboxEvent = {
  id: DeliveryId;
  event: WebhookEvent;
  callId: CallId | null;
  sequence: number | null;
  body: string;
};

export type ClaimedDelivery = OutboxEvent & {
  companyId: CompanyId;
  /** Attempts begun before this one. */
  attempts: number;
  url: string;
  secretEncrypted: string | null;
  apiKeyPrefix: string | null;
};

/** What one attempt sent and got back, for the log. */
export type Attempt = {
  number: number;
  startedAt: Date;
  latencyMs: number;
  url: string;
  requestHeaders: Record<string, string>;
  statusCode: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  error: string | null;
};

export type Settlement = {
  id: DeliveryId;
  attempt: Attempt;
  outcome: { state: 'delivered' } | { state: 'dead' } | { state: 'pending'; dueAt: Date };
};

export type Delivery = {
  id: DeliveryId;
  event: WebhookEvent;
  callId: CallId | null;
  sequence: number | null;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  lastStatusCode: number | null;
  lastError: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};
export type DeliveryFilter = { event?: WebhookEvent; state?: DeliveryState; callId?: CallId };

/** Webhooks on their way. Rows are written by the stores whose changes they announce. */
export interface Outbox {
  /**
   * Claims due deliveries fairly: endpoints in turn, at most each one's `max_in_flight` at a time, the events of
   * one call in sequence. What is not settled by `leaseUntil` falls due again.
   */
  claim(request: { claimId: string; limit: number; now: Date; leaseUntil: Date }): Promise<ClaimedDelivery[]>;
  /** Ends one attempt; only the holder of the claim changes anything. False: the claim had lapsed. */
  settle(claimId: string, settlement: Settlement): Promise<boolean>;
  /** Writes one delivery outside of any change, already claimed by the caller. Null: no endpoint is set. */
  addClaimed(
    companyId: CompanyId,
    event: OutboxEvent,
    claim: { claimId: string; leaseUntil: Date },
  ): Promise<ClaimedDelivery | null>;

  list(companyId: CompanyId, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  find(companyId: CompanyId, id: DeliveryId): Promise<Lookup<Delivery & { body: string; log: Attempt[] }>>;
  latest(companyId: CompanyId): Promise<Delivery | null>;
  /** Makes one delivery due now with a fresh schedule. False: it is in flight, or no endpoint is set. */
  redeliver(companyId: CompanyId, id: DeliveryId, now: Date): Promise<Lookup<boolean>>;
  /** Makes every `dead` delivery made since then due now; how many. None while no endpoint is set. */
  redeliverDeadSince(companyId: CompanyId, since: Date, now: Date): Promise<number>;
  /** Waiting deliveries by state, and the age in seconds of the oldest that is due. */
  backlog(now: Date): Promise<{ pending: number; inFlight: number; oldestDueSeconds: number }>;
}
