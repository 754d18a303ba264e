import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { run } from '../queries.ts';
import type { DueRow, WebhookEndpointRow } from './deliveryRows.ts';

/**
 * $1 company id, $2 delivery id, $3 event, $4 call id, $5 sequence, $6 body, $7 when dispatchers may send it, $8 now.
 * Writes nothing without an endpoint.
 */
export const addOwnDelivery = {
  name: 'add_own_delivery',
  text: `WITH endpoint AS (
    SELECT company_id, url, secret_encrypted, max_in_flight, consecutive_failures,
      CASE WHEN secret_previous_until > $8 THEN secret_previous_encrypted END AS secret_previous_encrypted
    FROM webhook_endpoint WHERE company_id = $1 FOR KEY SHARE
  ), added AS (
    INSERT INTO webhook_delivery (id, company_id, event, call_id, sequence, body, due_at, created_at)
    SELECT $2, company_id, $3, $4, $5, $6, $7, $8 FROM endpoint
    RETURNING id, company_id, event, call_id, sequence, body, attempts
  )
  SELECT added.id, added.company_id AS "companyId", added.event, added.call_id AS "callId", added.sequence,
    added.body, added.attempts, $8 AS "dueAt", false AS "callGoesOn", endpoint.url,
    endpoint.secret_encrypted AS "secretEncrypted",
    endpoint.secret_previous_encrypted AS "secretPreviousEncrypted", endpoint.max_in_flight AS "maxInFlight",
    endpoint.consecutive_failures AS "consecutiveFailures", integration.api_key_prefix AS "apiKeyPrefix"
  FROM added
  JOIN endpoint ON endpoint.company_id = added.company_id
  JOIN integration ON integration.company_id = $1`,
};

/** Writes one delivery that its writer sends itself. Undefined: the company has no endpoint. */
export async function insertOwn(
  pool: Pool,
  companyId: CompanyId,
  { id, event, callId, sequence, body }: OutboxEvent,
  until: Date,
  now: Date,
): Promise<(DueRow & WebhookEndpointRow) | undefined> {
  const [row] = await run<DueRow & WebhookEndpointRow>(pool, addOwnDelivery, [
    companyId,
    id,
    event,
    callId,
    sequence,
    body,
    until,
    now,
  ]);
  return row;
}
