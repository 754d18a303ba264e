import pg, { type Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import type { CallStep } from '../../../domain/callSteps.ts';
import type { CallTag } from '../../../domain/tags.ts';
import type { NewCallback } from '../../../domain/tasks.ts';
import type { DoNotCallOverride, NewCorrection, RememberedAnswer, ToLog, WrappedUp } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { soleContact } from '../contacts/findContacts.ts';
import { givenUpIf } from '../deliveries/announce.ts';
import { eventValues, isPending } from '../deliveries/deliveryRows.ts';
import { isTooLate } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { textFor } from '../storableValues.ts';
import { callValues, changeValues, platformValues, screenPopValue, transferValues } from './callRows.ts';
import { answerAsStored } from './idempotencyStore.ts';
import { storedTags } from './tagRows.ts';

/**
 * $1 to $28 the call (see callValues); its events as arrays of equal length: $29 ids, $30 names, $31 call ids,
 * $32 sequences, $33 bodies; $34 now, when they fall due; $35 Idempotency-Key or null, $36 status,
 * $37 answer, $38 when it is forgotten, $39 until when the request holds the key; $40 within how many
 * milliseconds of the statement's arrival the transaction has to commit, or null; $41 a contact who is called without wanting it, $42 the id of
 * the entry on its timeline, $43 who has the number called although it is not to be; $44 to $47 the platform that has the call (see platformValues); or nulls;
 * $48 the round of its platform's name, $49 since when it rings there (see platformValues), $50 and $51 whom it comes from (see transferValues).
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
      metadata_text, screen_pop_text, customer_name, record_system, record_url, caller, source, platform_call_id, queue, platform_at, override_by,
      platform_round, platform_rang_at, parent_call_id, transferred_from
    ) SELECT
      $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9::uuid, $10::uuid, $11::text::jsonb, $12::text::jsonb, $13, $14, $15,
      $16::int, $17::timestamptz, $18::timestamptz, $19::timestamptz, $20::timestamptz, $21, $22, $23,
      $24::timestamptz, $25::timestamptz, $26::int, $27::int, $11, $12, $12::text::json->>'name',
      $12::text::json->>'external_system', $12::text::json->>'record_url', $28, $44::text, $45::text, $46::text, $47::timestamptz, $43::uuid,
      $48::int, $49::timestamptz, $50::uuid, $51::text::jsonb
    FROM decided WHERE $35::text IS NULL OR EXISTS (SELECT FROM answered)
    RETURNING id
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, last_error_cause, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, $34, $34, ${givenUpIf('endpoint.disabled', '$34')}
    FROM created, unnest($29::uuid[], $30::text[], $31::uuid[], $32::int[], $33::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  ), overridden AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id)
    SELECT c.company_id, c.id, $42::uuid, $34, 'do_not_call_overridden', $43::uuid FROM created, contact c WHERE c.company_id = $2 AND c.id = $41::uuid
  )
  SELECT EXISTS (SELECT FROM decided) AS decided, EXISTS (SELECT FROM created) AS created`,
};

type Creating = {
  now: Date;
  remember: RememberedAnswer | undefined;
  override: DoNotCallOverride | null;
  leftMs: () => number | null;
  onSend: (() => void) | undefined;
};

/**
 * Writes the call, its events and the remembered answer, or nothing.
 * @param leftMs what is left of its time; asked when there is a connection, for which it may have to wait
 */
export async function insertCall(
  pool: Pool,
  call: Call,
  events: OutboxEvent[],
  { now, remember, override, leftMs, onSend }: Creating,
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
    const [made] = await run<{ decided: boolean; created: boolean }>(client, createCall, [...values, within, override?.contactId ?? null, override?.entryId ?? null, override?.by ?? null, ...platformValues(call), ...transferValues(call)]);
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

/** A call that is put on hold again and again keeps no more. */
const mostSteps = 200;

/**
 * $1 to $25 the call as changed (see changeValues), $26 to $30 its events (see createCall), $31 now.
 * An event falls due no earlier than those of the call that already wait: it would only be held back, and every
 * look into the outbox would read past it.
 * $32 the id of a delivery that logs the call in the company's CRM, $33 when it falls due; or nulls. One that still waits and
 * has not been looked at serves as well: it only falls due sooner.
 * $34 the id of a task that the callback becomes, $35 its title, $36 the time zone or null, $37 whose it is, $38 who set it; or nulls. $39 when it was
 * in the state that its platform told last, or null; $40 what that platform calls it, where it has said so only now;
 * $41 the id of a correction, $42 whose, $43 and $44 how the call was wrapped up before and is after, as JSON; or nulls.
 * $45 whom the agent handed the call on to, or null; $46 since when it is on hold, or null; $47 for how long it was before, in milliseconds;
 * $48 its quality as JSON, or null; $49 its tags as JSON, or null where they stay as they are; $50 a step of its course as JSON, or null;
 * $51 how many calls with the platform's name for it the agent had before, $52 since when it rang by the platform's clock, $53 when it ended by that; or null.
 */
export const commitCall = {
  name: 'commit_call',
  text: `WITH changed AS (
    UPDATE call SET
      agent_id = $3, direction = $4, trigger = $5, state = $6, phone = $7, external_id = $8, contact_id = $9,
      campaign_id = $10, end_reason = $11, ended_by = $12, end_detail = $13, sip_code = $14, created_at = $15,
      ringing_at = $16, answered_at = $17, ended_at = $18, disposition_code = $19, disposition_label = $20,
      disposition_notes = $21, callback_at = $22, disposed_at = $23, sequence = $24, version = $25, platform_at = $39::timestamptz,
      platform_call_id = coalesce(platform_call_id, $40), platform_round = $51::int, platform_rang_at = $52::timestamptz, platform_ended_at = $53::timestamptz, transferred_to = $45, held_at = $46::timestamptz, hold_ms = $47::int, quality = $48::text::jsonb,
      tags = coalesce($49::text::jsonb, tags),
      steps = CASE WHEN $50::text IS NULL OR jsonb_array_length(steps) >= ${mostSteps} THEN steps ELSE coalesce(steps, '[]') || $50::text::jsonb END
    WHERE company_id = $2 AND id = $1 AND version = $25 - 1
    RETURNING id, CASE WHEN $34::uuid IS NOT NULL THEN (screen_pop->>'contact_id')::uuid END AS popped
  ), endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint WHERE company_id = $2 FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error, last_error_cause, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, greatest($31, (
      SELECT max(earlier.due_at) FROM webhook_delivery earlier
      WHERE earlier.company_id = $2 AND earlier.call_id = e.call_id AND ${isPending('earlier')}
    )), $31, ${givenUpIf('endpoint.disabled', '$31')}
    FROM changed, unnest($26::uuid[], $27::text[], $28::uuid[], $29::int[], $30::text[])
      AS e (id, event, call_id, sequence, body), endpoint
  ), hurried AS (
    UPDATE crm_delivery log SET due_at = least(log.due_at, $33) FROM changed
    WHERE $32::uuid IS NOT NULL AND log.company_id = $2 AND log.call_id = $1 AND ${isPending('log')} AND log.prepared IS NULL
    RETURNING log.id
  ), crm AS (
    SELECT company_id, log_calls FROM crm_connection WHERE company_id = $2 AND $32 IS NOT NULL FOR KEY SHARE
  ), to_log AS (
    INSERT INTO crm_delivery (company_id, id, call_id, sequence, due_at, created_at)
    SELECT $2, $32, $1, $25, $33, $31 FROM changed, crm
    WHERE (crm.log_calls = 'all' OR crm.log_calls = 'answered' AND $17::timestamptz IS NOT NULL) AND NOT EXISTS (SELECT FROM hurried)
  ), customer AS (
    SELECT c.id, c.time_zone FROM contact c WHERE $34::uuid IS NOT NULL AND c.company_id = $2
      AND c.id IN ($9, (SELECT popped FROM changed), ${soleContact('$7', '$2')}) ORDER BY c.id = $9 DESC, c.id = (SELECT popped FROM changed) DESC LIMIT 1
  ), called_back AS (
    INSERT INTO task (company_id, id, kind, title, notes, contact_id, phone, due_at, remind_at, time_zone, assignee_id, call_id, created_by, created_at, updated_at)
    SELECT $2, $34, 'callback', $35, $21, (SELECT id FROM customer), $7, $22, $22, coalesce($36, (SELECT time_zone FROM customer), 'UTC'), $37::uuid, $1, $38::uuid, $31, $31
    FROM changed WHERE $34 IS NOT NULL
  ), corrected AS (
    INSERT INTO call_correction (company_id, call_id, id, by_id, before, after, at)
    SELECT $2, $1, $41::uuid, $42::uuid, $43::text::jsonb, $44::text::jsonb, $31 FROM changed WHERE $41 IS NOT NULL
  )
  SELECT id FROM changed`,
};

/** What is written with a change of a call. */
export type WithCall = { events: OutboxEvent[]; log: ToLog | null; callback: NewCallback | null; correction: NewCorrection | null; step: CallStep | null; tags: readonly CallTag[] | null };

/** False: the call is not (or no longer) at the version before. Then nothing was written. */
export async function updateCall(pool: Pool, next: Call, { events, log, callback, correction, step, tags }: WithCall, now: Date): Promise<boolean> {
  const toCallBack = [callback?.id ?? null, textFor('title', callback?.title ?? null), callback?.timeZone ?? null, callback?.assigneeId ?? null, callback?.createdBy ?? null];
  const values = [...changeValues(next), ...eventValues(events), now, log?.id ?? null, log?.dueAt ?? null, ...toCallBack, next.platform?.at ?? null, textFor('platform_call_id', next.platform?.callId ?? null), ...correctionValues(correction), textFor('transferred_to', next.transferredTo), ...courseValues(next), tags === null ? null : JSON.stringify(storedTags(tags)), step === null ? null : JSON.stringify(step), ...roundValues(next)];
  const changed = await run(pool, commitCall, values);
  return changed.length === 1;
}

function roundValues({ platform }: Call): unknown[] {
  return [platform?.round ?? 0, platform?.rangAt ?? null, platform?.endedAt ?? null];
}

function courseValues({ heldAt, holdMs, quality }: Call): unknown[] {
  return [heldAt, holdMs, quality === null ? null : JSON.stringify(quality)];
}

function correctionValues(correction: NewCorrection | null): unknown[] {
  if (correction === null) return [null, null, null, null];
  const { after, before, by, id } = correction;
  return [id, by, before === null ? null : JSON.stringify(storedWrapUp(before)), JSON.stringify(storedWrapUp(after))];
}

function storedWrapUp({ code, label, notes, tags }: WrappedUp) {
  return { code, label, notes: textFor('notes', notes), tags: storedTags(tags) };
}

/** $1 id, $2 company id, $3 the screen pop as JSON text, $4 the version that it becomes. */
export const commitScreenPop = {
  name: 'commit_screen_pop',
  text: `UPDATE call SET screen_pop = $3::text::jsonb, screen_pop_text = $3, customer_name = $3::text::json->>'name',
    record_system = $3::text::json->>'external_system', record_url = $3::text::json->>'record_url', version = $4
  WHERE company_id = $2 AND id = $1 AND version = $4 - 1
  RETURNING id`,
};

/** False: the call is not (or no longer) at the version before. Then nothing was written. */
export async function updateScreenPop(pool: Pool, { id, companyId, screenPop, version }: Call): Promise<boolean> {
  return (await run(pool, commitScreenPop, [id, companyId, screenPopValue(screenPop), version])).length === 1;
}
