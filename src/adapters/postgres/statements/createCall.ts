import pg, { type Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { answerAsStored } from '../answerRows.ts';
import { callValues } from '../callRows.ts';
import { eventValues } from '../deliveryRows.ts';
import { isTooLate } from '../postgresErrors.ts';
import { givenUpIf } from './givenUp.ts';
import { run } from './prepared.ts';

/**
 * $1 to $28 the call (see callValues); its events as arrays of equal length: $29 ids, $30 names, $31 call ids,
 * $32 sequences, $33 bodies; $34 now, when they fall due; $35 Idempotency-Key or null, $36 status,
 * $37 answer, $38 when it is forgotten, $39 until when the request has claimed the key; $40 within how many
 * milliseconds of the statement's arrival the transaction has to commit, or null.
 * A request that no longer holds its key writes nothing: its caller has given it up, or somebody else took it over.
 * So whoever gives a key up knows afterwards that the call is there already or never will be.
 * The call's id is spent first: after ruleOut has spent it, this writes nothing (docs/decisions/0022). Transactions begin
 * when the statement arrives, ahead of any lock that it waits for; the trigger on decided_call looks again at the commit.
 * The endpoint is held until the commit: it cannot be removed while an event is written that only it can deliver.
 */
export const createCall = {
  name: 'create_call',
  text: `WITH decided AS (
    INSERT INTO decided_call (company_id, call_id, record_by)
    SELECT $2::uuid, $1::uuid, now() + $40::float8 * interval '1 millisecond'
    WHERE $40 IS NULL OR clock_timestamp() <= now() + $40 * interval '1 millisecond'
    ON CONFLICT DO NOTHING
    RETURNING call_id
  ), answered AS (
    UPDATE idempotency_key SET status = $36, response = $37::jsonb, expires_at = $38
    WHERE company_id = $2 AND key = $35 AND status IS NULL AND expires_at = $39 AND EXISTS (SELECT FROM decided)
    RETURNING key
  ), created AS (
    INSERT INTO call (
      id, company_id, agent_id, direction, trigger, state, phone, external_id, contact_id, campaign_id, metadata,
      screen_pop, end_reason, ended_by, end_detail, sip_code, created_at, ringing_at, answered_at, ended_at,
      disposition_code, disposition_label, disposition_notes, callback_at, disposed_at, sequence, version,
      metadata_text, screen_pop_text, customer_name, caller
    ) SELECT
      $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9::uuid, $10::uuid, $11::text::jsonb, $12::text::jsonb, $13, $14, $15,
      $16::int, $17::timestamptz, $18::timestamptz, $19::timestamptz, $20::timestamptz, $21, $22, $23,
      $24::timestamptz, $25::timestamptz, $26::int, $27::int, $11, $12, $12::text::json->>'name', $28
    FROM decided WHERE $35::text IS NULL OR EXISTS (SELECT FROM answered)
    RETURNING id
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, $34, $34, ${givenUpIf('endpoint.disabled', '$34')}
    FROM created, unnest($29::uuid[], $30::text[], $31::uuid[], $32::int[], $33::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  )
  SELECT EXISTS (SELECT FROM decided) AS decided, EXISTS (SELECT FROM created) AS created`,
};

type Creating = { now: Date; remember: RememberedAnswer | undefined; leftMs: () => number | null; onSend: (() => void) | undefined };

/**
 * Writes the call, its events and the remembered answer, or nothing.
 * @param leftMs what is left of its time; asked when there is a connection, for which it may have to wait
 */
export async function insertCall(
  pool: Pool,
  call: Call,
  events: OutboxEvent[],
  { now, remember, leftMs, onSend }: Creating,
): Promise<'created' | 'key_lost' | 'too_late'> {
  const answer = remember === undefined ? null : answerAsStored(remember.body);
  const values = [
    ...callValues(call),
    ...eventValues(events),
    now,
    remember?.key.key ?? null,
    remember?.status ?? null,
    answer,
    remember?.expiresAt ?? null,
    remember?.key.heldUntil ?? null,
  ];
  const client = await pool.connect();
  let failure: Error | undefined;
  // The statement's own failure tells; without a listener Node would end the process.
  const hear = () => undefined;
  client.on('error', hear);
  try {
    const within = leftMs();
    if (within !== null && within <= 0) return 'too_late';
    onSend?.();
    const [made] = await run<{ decided: boolean; created: boolean }>(client, createCall, [...values, within]);
    if (made?.created === true) return 'created';
    return made?.decided === true ? 'key_lost' : 'too_late';
  } catch (error) {
    if (isTooLate(error)) return 'too_late';
    failure = error instanceof Error && !(error instanceof pg.DatabaseError) ? error : undefined;
    throw error;
  } finally {
    // A connection that broke, or that has not answered, is of no use to anybody.
    client.release(failure);
    if (failure === undefined) client.off('error', hear);
  }
}
