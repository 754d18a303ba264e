import type { z } from 'zod';
import type { AttemptView, DeliveryDetail, DeliveryView, listDeliveriesQuery } from '../../contract/deliveries.ts';
import { JsonText } from '../../contract/jsonText.ts';
import { isUuid, toId, type CallId, type CompanyId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Delivery, DeliveryFilter, LoggedAttempt } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';

type Query = z.output<typeof listDeliveriesQuery>;

/** The delivery log, newest first. */
export async function listDeliveries(
  { outbox }: Pick<Services, 'outbox'>,
  companyId: CompanyId,
  query: Query,
): Promise<{ deliveries: DeliveryView[]; next_cursor: string | null }> {
  const filter: DeliveryFilter = {
    ...(query.target === undefined ? {} : { target: query.target }),
    ...(query.event === undefined ? {} : { event: query.event }),
    ...(query.state === undefined ? {} : { state: query.state }),
    ...(query.call_id === undefined ? {} : { callId: toId<CallId>(query.call_id) }),
    ...(query.since === undefined ? {} : { since: new Date(query.since) }),
    ...(query.until === undefined ? {} : { until: new Date(query.until) }),
  };
  const page = await outbox.list(companyId, filter, { cursor: query.cursor ?? null, limit: query.limit });
  return { deliveries: page.items.map(deliveryView), next_cursor: page.nextCursor };
}

/** One delivery with each attempt. */
export async function readDelivery(
  { outbox }: Pick<Services, 'outbox'>,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<DeliveryDetail>> {
  if (!isUuid(id)) return noDelivery();
  const found = await outbox.find(companyId, toId<DeliveryId>(id));
  if (found.kind === 'found') return ok(deliveryDetail(found.value));
  return noDelivery(found.kind);
}

/** Why there is no such delivery for this company. */
export function noDelivery(kind: 'unknown' | 'wrong_company' = 'unknown'): Refused {
  return kind === 'wrong_company'
    ? refuse('wrong_company', 'That delivery belongs to another company.')
    : refuse('not_found', 'There is no such delivery.');
}

/** A delivery as the log lists it. */
export function deliveryView(delivery: Delivery): DeliveryView {
  return {
    id: delivery.id,
    target: delivery.target,
    event: delivery.event,
    call_id: delivery.callId,
    sequence: delivery.sequence,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.state === 'pending' ? delivery.dueAt.toISOString() : null,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    last_error_cause: delivery.lastCause,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}

/** A delivery with what was sent and what came back, attempt by attempt. */
export function deliveryDetail(delivery: Delivery & { body: string; log: LoggedAttempt[] }): DeliveryDetail {
  const body = new JsonText(delivery.body).asWritten();
  return { ...deliveryView(delivery), body, raw_body: delivery.body, log: delivery.log.map(attemptView) };
}

function attemptView(attempt: LoggedAttempt): AttemptView {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    latency_ms: attempt.latencyMs,
    method: attempt.method,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    request_body: attempt.requestBody,
    status_code: attempt.statusCode,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    error: attempt.error,
    error_cause: attempt.cause,
  };
}
