import type { Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { callValues } from '../callRows.ts';
import { eventValues } from '../deliveryRows.ts';
import { givenUpIf } from './givenUp.ts';
import { run } from './prepared.ts';

/**
 * $1 to $27 the call as changed (see callValues), $28 to $32 its events (see createCall), $33 now.
 * An event falls due no earlier than those of the call that already wait: it would only be held back, and every
 * claim would read past it.
 */
export const commitCall = {
  name: 'commit_call',
  text: `WITH changed AS (
    UPDATE call SET
      agent_id = $3, direction = $4, trigger = $5, state = $6, phone = $7, external_id = $8, contact_id = $9,
      campaign_id = $10, metadata = $11::jsonb, screen_pop = $12::jsonb, end_reason = $13, ended_by = $14,
      end_detail = $15, sip_code = $16, created_at = $17, ringing_at = $18, answered_at = $19, ended_at = $20,
      disposition_code = $21, disposition_label = $22, disposition_notes = $23, callback_at = $24,
      disposed_at = $25, sequence = $26, version = $27
    WHERE id = $1 AND company_id = $2 AND version = $27 - 1
    RETURNING id
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, greatest($33, (
      SELECT max(earlier.due_at) FROM webhook_delivery earlier
      WHERE earlier.call_id = e.call_id AND earlier.state = 'pending'
    )), $33, ${givenUpIf('endpoint.disabled', '$33')}
    FROM changed, unnest($28::uuid[], $29::text[], $30::uuid[], $31::int[], $32::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  )
  SELECT id FROM changed`,
};

/** False: the call is not (or no longer) at the version before. Then nothing was written. */
export async function updateCall(pool: Pool, next: Call, events: OutboxEvent[], now: Date): Promise<boolean> {
  const changed = await run(pool, commitCall, [...callValues(next), ...eventValues(events), now]);
  return changed.length === 1;
}
