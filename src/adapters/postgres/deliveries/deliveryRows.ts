import type { DeliveryEvent, DeliveryState, WebhookEvent } from '../../../contract/vocabulary.ts';
import type { CallId, CompanyId, DeliveryId } from '../../../domain/ids.ts';
import type { Delivery, LeasedDelivery, LoggedAttempt, OutboxEvent } from '../../../ports/outbox.ts';
import type {
  CrmAttempt as CrmAttemptRow,
  WebhookAttempt as AttemptRow,
  WebhookDelivery as StoredDelivery,
} from '../generated/client.ts';
import type { LeasedEndpoint } from './endpointLeases.ts';
import { readCause } from './errorCauses.ts';

/** A row of `webhook_delivery` without its body; of `crm_delivery`, too, with the event `call_log`. */
export type DeliveryRow = Omit<StoredDelivery, 'body'>;

/** The event of calls that are logged in CRM systems. */
export const callLogEvent = 'call_log' satisfies DeliveryEvent;

/** Reads a row. */
export function readDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id as DeliveryId,
    target: row.event === callLogEvent ? 'crm' : 'webhook',
    event: row.event as DeliveryEvent,
    callId: row.callId as CallId | null,
    sequence: row.sequence,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    dueAt: row.dueAt,
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    lastCause: readCause(row.lastErrorCause, row.lastError),
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
  };
}

/** Reads a row of `webhook_attempt` or `crm_attempt`. */
export function readAttempt(row: AttemptRow | CrmAttemptRow): LoggedAttempt {
  const { method, requestBody } = 'method' in row ? row : { method: 'POST', requestBody: null };
  return {
    number: row.number,
    startedAt: row.startedAt,
    latencyMs: row.latencyMs,
    method,
    url: row.url,
    requestHeaders: row.requestHeaders as Record<string, string>,
    requestBody,
    statusCode: row.statusCode,
    responseHeaders: row.responseHeaders as Record<string, string> | null,
    responseBody: row.responseBody,
    error: row.error,
    cause: readCause(row.errorCause, row.error),
  };
}

/** A delivery that is due. `dueAt`: since when. */
export type DueRow = Pick<StoredDelivery, 'id' | 'event' | 'callId' | 'sequence' | 'attempts' | 'dueAt'> & {
  companyId: CompanyId;
  body: string | null;
  callGoesOn: boolean;
};

/** Where it goes. */
export type WebhookEndpointRow = LeasedEndpoint &
  Pick<LeasedDelivery, 'url' | 'secretEncrypted' | 'secretPreviousEncrypted' | 'apiKeyPrefix'>;

/** Reads a delivery and its endpoint. */
export function readLeased(
  row: DueRow,
  { maxInFlight, consecutiveFailures, url, secretEncrypted, secretPreviousEncrypted, apiKeyPrefix }: WebhookEndpointRow,
): LeasedDelivery {
  const { id, companyId, event, callId, sequence, attempts, dueAt, body, callGoesOn } = row;
  return {
    id: id as DeliveryId,
    companyId,
    event: event as WebhookEvent,
    callId: callId as CallId | null,
    sequence,
    attempts,
    dueAt,
    body,
    callGoesOn,
    url,
    secretEncrypted,
    secretPreviousEncrypted,
    apiKeyPrefix,
    endpoint: { maxInFlight, consecutiveFailures },
  };
}

/** Events as five arrays: ids, names, call ids, sequences, bodies. */
export function eventValues(events: OutboxEvent[]): unknown[] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.event),
    events.map((event) => event.callId),
    events.map((event) => event.sequence),
    events.map((event) => event.body),
  ];
}

// For a call's other waiting events. LIKE (without a wildcard) keeps PostgreSQL from using the index of waiting
// deliveries, as it might with = or IN, and reading all that the company has waiting: a call has few events.

/** SQL: the delivery of that alias is pending. */
export const isPending = (alias: string) => `${alias}.state LIKE 'pending'`;
