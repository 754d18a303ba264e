import type { WebhookCause } from '../contract/causes.ts';
import type {
  DeliveryEvent,
  DeliveryState,
  DeliveryTarget,
  EndpointCondition,
  WebhookEvent,
} from '../contract/vocabulary.ts';
import type { EndpointHealth } from '../domain/endpointHealth.ts';
import type { CallId, CompanyId, DeliveryId } from '../domain/ids.ts';
import type { FindResult, Page, PageRequest } from './queryResults.ts';

/** An event to deliver; `body` is signed and sent byte for byte. */
export type OutboxEvent = {
  id: DeliveryId;
  event: WebhookEvent;
  callId: CallId | null;
  sequence: number | null;
  body: string;
};

export type LeasedDelivery = Omit<OutboxEvent, 'body'> & {
  /** Null where it is large: `bodyOf` reads it when it is sent. */
  body: string | null;
  companyId: CompanyId;
  /** Attempts recorded before this one. */
  attempts: number;
  /** When it fell due. */
  dueAt: Date;
  url: string;
  secretEncrypted: string | null;
  /** The secret before the last rotation, while receivers may still use it. */
  secretPreviousEncrypted: string | null;
  apiKeyPrefix: string | null;
  /** Later events of its call wait for it. */
  callGoesOn: boolean;
  /** The endpoint's, as it was when the delivery was read. */
  endpoint: { maxInFlight: number; consecutiveFailures: number };
};

/** How many deliveries of an endpoint a gateway has at hand already, and how many it would have at most. */
export type Holding = { companyId: CompanyId; held: number; atMost: number };

export type LeaseRequest = {
  /** Whose the endpoints become. */
  holder: string;
  /** Deliveries, at most. */
  limit: number;
  now: Date;
  leaseUntil: Date;
  /** Of every endpoint that the holder has deliveries of, or knows. */
  holdings: Holding[];
  /** The deliveries that the holder has at hand: they are not read again. */
  atHand: DeliveryId[];
  /** How many deliveries the holder takes of any other endpoint, at most. */
  newcomersAtMost: number;
  /** Groups, as leased deliveries name them, of which the holder takes nothing of any other endpoint. */
  closedGroups?: readonly string[];
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
  /** What `error` says, as a code; null also for one of before there were codes. */
  cause: WebhookCause | null;
};

/** Names one delivery. */
export type DeliveryKey = { companyId: CompanyId; id: DeliveryId };

export type Settlement = DeliveryKey & {
  attempt: Attempt;
  outcome: { state: 'delivered' } | { state: 'dead' } | { state: 'pending'; dueAt: Date };
};

/** An attempt as the log shows it. `url`: null where nothing was sent. */
export type LoggedAttempt = Omit<Attempt, 'url'> & {
  method: string | null;
  url: string | null;
  requestBody: string | null;
};

export type Delivery = {
  id: DeliveryId;
  target: DeliveryTarget;
  event: DeliveryEvent;
  callId: CallId | null;
  sequence: number | null;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  lastStatusCode: number | null;
  lastError: string | null;
  /** What `lastError` says, as a code; null also where a gateway without codes wrote it. */
  lastCause: WebhookCause | null;
  createdAt: Date;
  finishedAt: Date | null;
};
export type DeliveryFilter = {
  target?: DeliveryTarget;
  event?: DeliveryEvent;
  state?: DeliveryState;
  callId?: CallId;
  /** Written at that time or later. */
  since?: Date;
  /** Written before that time. */
  until?: Date;
};

/**
 * Why a delivery waits: `due`, to be sent or for an answer; `scheduled`, for its next attempt;
 * `paused`, due but for the breaker of its endpoint.
 */
export type WaitingFor = 'due' | 'scheduled' | 'paused';
export type Backlog = {
  deliveries: Record<WaitingFor, number>;
  /** Seconds since the oldest of each fell due; 0 where there is none. */
  oldestDueSeconds: Record<WaitingFor, number>;
  endpoints: Record<EndpointCondition, number>;
};

/** Webhooks on their way. Rows are written by the stores whose changes they announce. */
export interface Outbox {
  /**
   * Leases endpoints that have something due, those that were served longest ago first, and reads what is due there: of
   * each as much as it may have in flight, or up to what `holdings` allows; one while it is being probed; the events of
   * one call in sequence. An endpoint is served by one holder at a time, so that nobody else's attempts count against
   * its limit, and nothing of a delivery is written before it was sent. Endpoints that are paused or disabled are not
   * served. A lease that is not renewed by `leaseUntil` goes to whoever asks first, who finds everything as it was.
   */
  lease(request: LeaseRequest): Promise<LeasedDelivery[]>;
  /** The body of a delivery that was read without it. Null: it is gone. */
  bodyOf(companyId: CompanyId, id: DeliveryId): Promise<string | null>;
  /** Extends the leases of endpoints that the holder still has; whose they are. */
  renew(holder: string, companyIds: CompanyId[], leaseUntil: Date): Promise<CompanyId[]>;
  /** Gives back the endpoints of the holder, but for those of some companies. */
  release(holder: string, butFor?: CompanyId[]): Promise<void>;
  /** Gives back what anybody else holds: for a gateway that knows itself to be alone. */
  releaseOthers(holder: string): Promise<void>;
  /** A delivery that could not be tried is due again only then. */
  putOff(holder: string, key: DeliveryKey, until: Date): Promise<void>;
  /**
   * Ends one attempt, as long as nobody else serves the endpoint; a test is its sender's own. A retry under an endpoint
   * that was disabled meanwhile becomes `dead` instead, and one that was given up meanwhile and has arrived,
   * `delivered`. False: it was ended otherwise, or made due anew.
   */
  settle(holder: string, settlement: Settlement): Promise<boolean>;
  /**
   * Decides on an endpoint's health in one transaction that holds it. Null: the company's endpoint has another URL by
   * now, or there is none.
   */
  changeHealth(
    companyId: CompanyId,
    url: string,
    decide: (health: EndpointHealth) => EndpointHealth,
  ): Promise<EndpointHealth | null>;
  /**
   * Writes one delivery outside of any change, for the caller to send: nobody else does before `until`.
   * Null: no endpoint is set.
   */
  addOwn(companyId: CompanyId, event: OutboxEvent, until: Date): Promise<LeasedDelivery | null>;

  /** Of both kinds, the newest first, as `find`, `redeliver`, `redeliverDeadSince` and `prune` know both. */
  list(companyId: CompanyId, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  find(companyId: CompanyId, id: DeliveryId): Promise<FindResult<Delivery & { body: string; log: LoggedAttempt[] }>>;
  /** The latest webhook. */
  latest(companyId: CompanyId): Promise<(Delivery & { event: WebhookEvent }) | null>;
  /**
   * Makes one delivery due now with a fresh schedule. False: it is being sent or is next, or no endpoint is set,
   * or no CRM is connected.
   */
  redeliver(companyId: CompanyId, id: DeliveryId, now: Date): Promise<FindResult<boolean>>;
  /**
   * Makes every `dead` delivery made since then due now; how many.
   * None while no endpoint is set, or no CRM is connected.
   */
  redeliverDeadSince(companyId: CompanyId, since: Date, now: Date): Promise<number>;
  /**
   * Moves up to `limit` deliveries to `dead` that wait for an endpoint that is disabled or gone: of one company,
   * or of all; how many.
   */
  moveToDead(companyId: CompanyId | 'all', limit: number, now: Date): Promise<number>;
  /** Deletes up to `limit` finished deliveries that were written before then, with their attempts; how many. */
  prune(before: Date, limit: number): Promise<number>;
  /** What waits, over all companies. */
  backlog(now: Date): Promise<Backlog>;
}

/** How gateways tell each other that deliveries wait. Notifications may be lost: dispatchers also poll. */
export interface DeliveryNotifier {
  /** Tells the other gateways, once the deliveries are committed. Never fails. */
  announce(): Promise<void>;
  /**
   * From now on `wake` is called when another gateway announces, and when announcements may have been missed.
   * Resolves once others are heard, or the first try to hear them has failed and others follow.
   */
  listen(wake: () => void): Promise<void>;
}
