import type { AttemptView, DeliveryDetail, DeliveryView } from '../../contract/deliveries.ts';
import { JsonText } from '../../contract/jsonText.ts';
import type { Attempt, Delivery } from '../../ports/outbox.ts';

/** A delivery as the log lists it. */
export function deliveryView(delivery: Delivery): DeliveryView {
  return {
    id: delivery.id,
    event: delivery.event,
    call_id: delivery.callId,
    sequence: delivery.sequence,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.state === 'pending' ? delivery.dueAt.toISOString() : null,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}

/** A delivery with what was sent and what came back, attempt by attempt. */
export function deliveryDetail(delivery: Delivery & { body: string; log: Attempt[] }): DeliveryDetail {
  const body = new JsonText(delivery.body).asWritten();
  return { ...deliveryView(delivery), body, raw_body: delivery.body, log: delivery.log.map(attemptView) };
}

function attemptView(attempt: Attempt): AttemptView {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    latency_ms: attempt.latencyMs,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    status_code: attempt.statusCode,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    error: attempt.error,
  };
}
