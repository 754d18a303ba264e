import type { Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { changeValues } from '../callRows.ts';
import { eventValues } from '../deliveryRows.ts';
import { isPending } from './eventsOfCall.ts';
import { givenUpIf } from './givenUp.ts';
import { run } from './prepared.ts';

/**
 * $1 to $25 the call as changed (see changeValues), $26 to $30 its events (see createCall), $31 now.
 * An event falls due no earlier than those of the call that already wait: it would only be held back, and every
 * claim would read past it.
 */
export const commitCall = {
  name: 'commit_call',
  text: `WITH changed AS (
    UPDATE call SET
      agent_id = $3, direction = $4, trigger = $5, state = $6, phone = $7, external_id = $8, contact_id = $9,
      campaign_id = $10, end_reason = $11, ended_by = $12, end_detail = $13, sip_code = $14, created_at = $15,
      ringing_at = $16, answered_at = $17, ended_at = $18, disposition_code = $19, disposition_label = $20,
      disposition_notes = $21, callback_at = $22, disposed_at = $23, sequence = $24, version = $25
    WHERE company_id = $2 AND id = $1 AND version = $25 - 1
    RETURNING id
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, greatest($31, (
      SELECT max(earlier.due_at) FROM webhook_delivery earlier
      WHERE earlier.company_id = $2 AND earlier.call_id = e.call_id AND ${isPending('earlier')}
    )), $31, ${givenUpIf('endpoint.disabled', '$31')}
    FROM changed, unnest($26::uuid[], $27::text[], $28::uuid[], $29::int[], $30::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  )
  SELECT id FROM changed`,
};

/** False: the call is not (or no longer) at the version before. Then nothing was written. */
export async function updateCall(pool: Pool, next: Call, events: OutboxEvent[], now: Date): Promise<boolean> {
  const changed = await run(pool, commitCall, [...changeValues(next), ...eventValues(events), now]);
  return changed.length === 1;
}
