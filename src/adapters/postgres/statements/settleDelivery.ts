import type { Pool } from 'pg';
import type { Settlement } from '../../../ports/outbox.ts';
import { tolerantHeaders, tolerantText } from '../storableValues.ts';
import { run } from './prepared.ts';

/**
 * $1 delivery id, $2 claim id; $3 new state, $4 when it is due again or null, $5 when it was finished or null;
 * the attempt: $6 number, $7 start, $8 latency in ms, $9 URL, $10 request headers, $11 status, $12 response
 * headers, $13 response body, $14 error.
 * A lease that has ended still settles as long as nobody else claimed the delivery: it was sent, after all.
 * Later events of the call, which are held back anyway, fall due with the retry: else every claim reads past them.
 */
export const settleDelivery = {
  name: 'settle_delivery',
  text: `WITH settled AS (
    UPDATE webhook_delivery SET
      state = $3, due_at = coalesce($4, due_at), claim_id = NULL, last_status_code = $11, last_error = $14,
      finished_at = $5
    WHERE id = $1 AND claim_id = $2 AND state = 'in_flight'
    RETURNING id, call_id, sequence
  ), logged AS (
    INSERT INTO webhook_attempt (
      id, delivery_id, number, started_at, latency_ms, url, request_headers, status_code, response_headers,
      response_body, error
    )
    SELECT gen_random_uuid(), id, $6, $7, $8, $9, $10::jsonb, $11, $12::jsonb, $13, $14 FROM settled
  ), held_back AS (
    UPDATE webhook_delivery later SET due_at = $4 FROM settled
    WHERE later.call_id = settled.call_id AND later.sequence > settled.sequence
      AND later.state = 'pending' AND later.due_at < $4
  )
  SELECT id FROM settled`,
};

/** Ends one attempt. False: another holds the delivery, or nobody does. */
export async function settleClaimed(
  pool: Pool,
  claimId: string,
  { id, attempt, outcome }: Settlement,
): Promise<boolean> {
  const endedAt = new Date(attempt.startedAt.getTime() + attempt.latencyMs);
  const settled = await run(pool, settleDelivery, [
    id,
    claimId,
    outcome.state,
    outcome.state === 'pending' ? outcome.dueAt : null,
    outcome.state === 'pending' ? null : endedAt,
    attempt.number,
    attempt.startedAt,
    Math.round(attempt.latencyMs),
    attempt.url,
    tolerantHeaders(attempt.requestHeaders),
    attempt.statusCode,
    tolerantHeaders(attempt.responseHeaders),
    tolerantText(attempt.responseBody),
    tolerantText(attempt.error),
  ]);
  return settled.length === 1;
}
