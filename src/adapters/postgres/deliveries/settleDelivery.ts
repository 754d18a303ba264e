import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import type { Settlement } from '../../../ports/outbox.ts';
import { run } from '../queries.ts';
import { sanitizeHeaders, sanitizeText } from '../storableValues.ts';
import { isPending } from './deliveryRows.ts';
import { isServedByNobodyElse } from './endpointLeases.ts';
import { storedCause } from './errorCauses.ts';

/**
 * $1 holder; the settlements, as arrays: $2 company ids, $3 delivery ids, $4 new states, $5 when they are due again or
 * null, $6 when they were finished or null; their attempts: $7 ids, $8 numbers, $9 starts, $10 latencies in ms, $11
 * URLs, $12 request headers, $13 statuses, $14 response headers, $15 response bodies, $16 errors, $17 their causes.
 * endpoint: of the retries, held until the commit, so that none is left waiting under one that is being disabled. It is
 *   counted so that endpoints are locked before deliveries, as everywhere.
 * settled: whose lease of the endpoint has run out still settles as long as nobody else serves it: it was sent,
 * after all. A delivery that was made due anew
 *   meanwhile begins to count anew, and is sent again. One that was given up meanwhile is
 *   delivered if it has arrived; if not, it goes on saying why it was given up, whichever of the two came first.
 * held_back: later events of the call fall due with the retry: else every look into the outbox reads past them.
 */
export const settleDeliveries = {
  name: 'settle_deliveries',
  text: `WITH given AS MATERIALIZED (
    SELECT * FROM unnest(
      $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::uuid[],
      $8::int[], $9::timestamptz[],
      $10::int[], $11::text[], $12::jsonb[], $13::int[], $14::jsonb[], $15::text[], $16::text[], $17::jsonb[]
    ) AS g (
      company_id, delivery_id, state, due_at, finished_at, id, number, started_at, latency_ms, url, request_headers,
      status_code, response_headers, response_body, error, error_cause
    )
  ), endpoint AS MATERIALIZED (
    SELECT company_id, disabled_at FROM webhook_endpoint
    WHERE company_id IN (SELECT company_id FROM given WHERE state = 'pending') FOR KEY SHARE
  ), settled AS (
    UPDATE webhook_delivery d SET
      state = CASE WHEN stopped.at IS NULL AND (d.state = 'pending' OR given.state = 'delivered')
        THEN given.state ELSE 'dead' END,
      finished_at = CASE WHEN stopped.at IS NULL THEN coalesce(given.finished_at, d.finished_at)
        ELSE given.started_at END,
      due_at = coalesce(given.due_at, d.due_at), attempts = given.number,
      last_status_code = given.status_code,
      last_error = CASE WHEN d.state = 'dead' AND given.state <> 'delivered' THEN d.last_error ELSE given.error END,
      last_error_cause = CASE WHEN d.state = 'dead' AND given.state <> 'delivered'
        THEN d.last_error_cause ELSE given.error_cause END
    FROM given CROSS JOIN LATERAL (
      SELECT CASE WHEN given.state = 'pending' THEN (
        SELECT max(e.disabled_at) FROM endpoint e WHERE e.company_id = given.company_id
      ) END AS at
    ) stopped
    WHERE (SELECT count(*) FROM endpoint) >= 0
      AND d.company_id = given.company_id AND d.id = given.delivery_id AND d.attempts = given.number - 1
      AND d.state IN ('pending', 'dead')
      AND (d.event = 'integration_test' OR ${isServedByNobodyElse('webhook_endpoint', '$1')})
    RETURNING d.company_id, d.id, d.call_id, d.sequence, d.state, d.due_at
  ), logged AS (
    INSERT INTO webhook_attempt (
      company_id, delivery_id, id, number, started_at, latency_ms, url, request_headers, status_code, response_headers,
      response_body, error, error_cause
    )
    SELECT given.company_id, delivery_id, given.id, number, started_at, latency_ms, url, request_headers, status_code,
      response_headers, response_body, error, error_cause
    FROM given JOIN settled ON settled.company_id = given.company_id AND settled.id = given.delivery_id
  ), held_back AS (
    UPDATE webhook_delivery later SET due_at = settled.due_at FROM settled
    WHERE settled.state = 'pending' AND later.company_id = settled.company_id AND later.call_id = settled.call_id
      AND later.sequence > settled.sequence AND ${isPending('later')} AND later.due_at < settled.due_at
  )
  SELECT id FROM settled`,
};

/** Ends attempts; the ids of those that it was for the holder to end. In ascending order of id, as others lock them. */
export async function settleLeased(pool: Pool, holder: string, settlements: Settlement[]): Promise<Set<string>> {
  const columns = settlements.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(valuesOf);
  const values = Array.from({ length: 16 }, (_, column) => columns.map((row) => row[column]));
  const settled = await run<{ id: string }>(pool, settleDeliveries, [holder, ...values]);
  return new Set(settled.map(({ id }) => id));
}

function valuesOf({ companyId, id, attempt, outcome }: Settlement): unknown[] {
  const error = sanitizeText(attempt.error);
  const endedAt = new Date(attempt.startedAt.getTime() + attempt.latencyMs);
  return [
    companyId,
    id,
    outcome.state,
    outcome.state === 'pending' ? outcome.dueAt : null,
    outcome.state === 'pending' ? null : endedAt,
    newId(),
    attempt.number,
    attempt.startedAt,
    Math.round(attempt.latencyMs),
    attempt.url,
    sanitizeHeaders(attempt.requestHeaders),
    attempt.statusCode,
    sanitizeHeaders(attempt.responseHeaders),
    sanitizeText(attempt.responseBody),
    error,
    storedCause(attempt.cause, error),
  ];
}
