import type { Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { answerAsStored } from '../answerRows.ts';
import { callValues } from '../callRows.ts';
import { eventValues } from '../deliveryRows.ts';
import { givenUpIf } from './givenUp.ts';
import { run } from './prepared.ts';

/**
 * $1 to $27 the call (see callValues); its events as arrays of equal length: $28 ids, $29 names, $30 call ids,
 * $31 sequences, $32 bodies; $33 now, when they fall due; $34 Idempotency-Key or null, $35 status,
 * $36 answer, $37 when it is forgotten, $38 until when the request has claimed the key.
 * A request that no longer holds its key writes nothing: its caller has given it up, or somebody else took it over.
 * So whoever gives a key up knows afterwards that the call is there already or never will be.
 * The endpoint is held until the commit: it cannot be removed while an event is written that only it can deliver.
 */
export const createCall = {
  name: 'create_call',
  text: `WITH answered AS (
    UPDATE idempotency_key SET status = $35, response = $36::jsonb, expires_at = $37
    WHERE company_id = $2 AND key = $34 AND status IS NULL AND expires_at = $38
    RETURNING key
  ), created AS (
    INSERT INTO call (
      id, company_id, agent_id, direction, trigger, state, phone, external_id, contact_id, campaign_id, metadata,
      screen_pop, end_reason, ended_by, end_detail, sip_code, created_at, ringing_at, answered_at, ended_at,
      disposition_code, disposition_label, disposition_notes, callback_at, disposed_at, sequence, version
    ) SELECT
      $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9::uuid, $10::uuid, $11::jsonb, $12::jsonb, $13, $14, $15,
      $16::int, $17::timestamptz, $18::timestamptz, $19::timestamptz, $20::timestamptz, $21, $22, $23,
      $24::timestamptz, $25::timestamptz, $26::int, $27::int
    WHERE $34::text IS NULL OR EXISTS (SELECT FROM answered)
    RETURNING id
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, $33, $33, ${givenUpIf('endpoint.disabled', '$33')}
    FROM created, unnest($28::uuid[], $29::text[], $30::uuid[], $31::int[], $32::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  )
  SELECT id FROM created`,
};

/** Writes the call, its events and the remembered answer, or nothing. False: the key to remember it under is lost. */
export async function insertCall(
  pool: Pool,
  call: Call,
  events: OutboxEvent[],
  now: Date,
  remember: RememberedAnswer | undefined,
): Promise<boolean> {
  const answer = remember === undefined ? null : answerAsStored(remember.body);
  const created = await run(pool, createCall, [
    ...callValues(call),
    ...eventValues(events),
    now,
    remember?.key.key ?? null,
    remember?.status ?? null,
    answer,
    remember?.expiresAt ?? null,
    remember?.key.claimedUntil ?? null,
  ]);
  return created.length === 1;
}
