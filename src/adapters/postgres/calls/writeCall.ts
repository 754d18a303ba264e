import pg, { type Pool } from 'pg';
import type { Call } from '../../../domain/calls.ts';
import { type CallStep, mostSteps } from '../../../domain/callSteps.ts';
import type { CallTag } from '../../../domain/tags.ts';
import type { NewCallback } from '../../../domain/tasks.ts';
import type { DoNotCallOverride, NewCorrection, RememberedAnswer, ToLog, WrappedUp } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { soleContact } from '../contacts/findContacts.ts';
import { givenUpIf } from '../deliveries/announce.ts';
import { isPending } from '../deliveries/deliveryRows.ts';
import { named, type NamedStatement, runNamed } from '../namedValues.ts';
import { isTooLate } from '../postgresErrors.ts';
import { textFor } from '../storableValues.ts';
import { besideColumns, type BesideRow, readBeside } from './callRows.ts';
import { answerAsStored } from './idempotencyStore.ts';
import { storedTags } from './tagRows.ts';
import {
  changingColumns,
  columnValues,
  firstColumns,
  screenPopColumns,
  valueOf,
  type WrittenColumn,
} from './writtenColumns.ts';

// A statement has the parts that its change needs, and no others: a part with nothing to do costs PostgreSQL as much to
// set up as one that has. And values that decide which parts do something would have each execution planned anew: a
// plan made for them looks cheaper than one for all.

/** What a new call is written with. `events`: how many. */
type CreateParts = { events: number; answer: boolean; log: boolean; override: boolean };

/**
 * Writes a new call: `now`; until when the transaction has to commit (`within`, in milliseconds from the statement's
 * arrival, or null); the columns' values; of each event what `eventsAnnounced` names. `answer`: the Idempotency-Key
 * `key`, `held_until` when the request holds it, `status`, `response`, and when that is forgotten, `expires_at`. `log`:
 * see `toLog`. `override`: the contact who is called without wanting it, `override_contact`, and the id of the entry on
 * its timeline, `override_entry`.
 *
 * A request that no longer holds its key writes nothing: its caller has given it up, or somebody else took it over. So
 * whoever gives a key up knows afterwards that the call is there already or never will be. The call's id is spent
 * first: after ruleOut has spent it, this writes nothing (docs/decisions/0022). Transactions begin when the statement
 * arrives, ahead of any lock that it waits for; the trigger on decided_call looks again at the commit.
 */
export function createCall({ events, answer, log, override }: CreateParts): NamedStatement {
  const columns = [...firstColumns, ...changingColumns];
  // As JSON for SQL that looks into them, beside the texts as they came.
  const copies = { metadata: ':metadata_text::text::jsonb', screen_pop: ':screen_pop_text::text::jsonb' };
  return named(nameOf('create_call', { [`${String(events)}_events`]: events > 0, answer, log, override }), () =>
    withParts(
      [
        `decided AS (
    INSERT INTO decided_call (company_id, call_id, record_by)
    SELECT :company_id::uuid, :id::uuid, now() + :within::float8 * interval '1 millisecond'
    WHERE :within IS NULL OR clock_timestamp() <= now() + :within * interval '1 millisecond'
    ON CONFLICT DO NOTHING
    RETURNING call_id
  )`,
        answer &&
          `answered AS (
    UPDATE idempotency_key SET status = :status::int, response = :response::jsonb, expires_at = :expires_at::timestamptz
    WHERE company_id = :company_id AND key = :key::text AND status IS NULL AND expires_at = :held_until::timestamptz
      AND EXISTS (SELECT FROM decided)
    RETURNING key
  )`,
        `created AS (
    INSERT INTO call (${[...columns.map(([column]) => column), ...Object.keys(copies)].join(', ')})
    SELECT ${[...columns.map(valueOf), ...Object.values(copies)].join(', ')}
    FROM decided ${answer ? 'WHERE EXISTS (SELECT FROM answered)' : ''}
    RETURNING id
  )`,
        ...eventsAnnounced(events, 'created', ':now::timestamptz'),
        log && toLog('created'),
        override &&
          `overridden AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id)
    SELECT c.company_id, c.id, :override_entry::uuid, :now::timestamptz, 'do_not_call_overridden', :override_by
    FROM created, contact c WHERE c.company_id = :company_id AND c.id = :override_contact::uuid
  )`,
      ],
      'SELECT EXISTS (SELECT FROM decided) AS decided, EXISTS (SELECT FROM created) AS created',
    ),
  );
}

type Creating = {
  now: Date;
  remember: RememberedAnswer | undefined;
  log: ToLog | null;
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
  { now, remember, log, override, leftMs, onSend }: Creating,
): Promise<'created' | 'key_lost' | 'too_late'> {
  const statement = createCall({
    events: events.length,
    answer: remember !== undefined,
    log: log !== null,
    override: override?.contactId != null,
  });
  const values = {
    ...columnValues(firstColumns, call),
    ...columnValues(changingColumns, call),
    ...eventValues(events),
    now,
    ...(remember === undefined ? {} : answerValues(remember)),
    ...(log === null ? {} : logValues(log)),
    ...(override === null ? {} : { override_contact: override.contactId, override_entry: override.entryId }),
  };
  const client = await pool.connect();
  let failure: Error | undefined;
  // The statement's own failure tells; without a listener Node would end the process.
  const hear = () => undefined;
  client.on('error', hear);
  try {
    const within = leftMs();
    if (within !== null && within <= 0) return 'too_late';
    onSend?.();
    const [made] = await runNamed<{ decided: boolean; created: boolean }>(client, statement, { ...values, within });
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

/** The steps of a call with `step` more, while it has fewer than the most. */
const withStep = `CASE WHEN :step::jsonb IS NULL OR jsonb_array_length(steps) >= ${String(mostSteps)} THEN steps
  ELSE coalesce(steps, '[]') || :step END`;

const setting = (columns: readonly WrittenColumn[]): string =>
  columns.map((column) => `${column[0]} = ${valueOf(column)}`).join(', ');

/** What is written with a change of a call, besides. `events`: how many. */
type CommitParts = { events: number; log: boolean; callback: boolean; correction: boolean };

/**
 * Writes a call as changed: `company_id`, `id`, `now`, the columns' values, what a platform calls it where it has said
 * so only now (`platform_call_id`), its tags, or null where they stay as they are, a step of its course or null; of
 * each event what `eventsAnnounced` names. `log`: see `toLog`; one that still waits and has not been looked at serves
 * as well: it only falls due sooner. `callback`: the task that the callback becomes: `task_id`, `task_title`,
 * `time_zone` or null, whose it is, `assignee_id`, and who set it, `created_by`. `correction`: `correction_id`, whose,
 * `corrected_by`, and how the call was wrapped up `before` and is `after`.
 */
export function commitCall({ events, log, callback, correction }: CommitParts): NamedStatement {
  return named(nameOf('commit_call', { [`${String(events)}_events`]: events > 0, log, callback, correction }), () =>
    withParts(
      [
        `changed AS (
    UPDATE call SET ${setting(changingColumns)},
      platform_call_id = coalesce(platform_call_id, :platform_call_id::text),
      tags = coalesce(:tags::jsonb, tags),
      steps = ${withStep}
    WHERE company_id = :company_id::uuid AND id = :id::uuid AND version = :version - 1
    RETURNING ${besideColumns} ${callback ? ", (screen_pop->>'contact_id')::uuid AS popped" : ''}
  )`,
        // It would only be held back, and every look into the outbox would read past it.
        ...eventsAnnounced(
          events,
          'changed',
          `greatest(:now::timestamptz, (
      SELECT max(earlier.due_at) FROM webhook_delivery earlier
      WHERE earlier.company_id = :company_id AND earlier.call_id = e.call_id AND ${isPending('earlier')}
    ))`,
        ),
        log &&
          `hurried AS (
    UPDATE crm_delivery log SET due_at = least(log.due_at, :log_due_at::timestamptz) FROM changed
    WHERE log.company_id = :company_id AND log.call_id = :id AND ${isPending('log')} AND log.prepared IS NULL
    RETURNING log.id
  )`,
        log && toLog('changed', 'AND NOT EXISTS (SELECT FROM hurried)'),
        callback &&
          `customer AS (
    SELECT c.id, c.time_zone FROM contact c WHERE c.company_id = :company_id
      AND c.id IN (:contact_id, (SELECT popped FROM changed), ${soleContact(':phone', ':company_id')})
    ORDER BY c.id = :contact_id DESC, c.id = (SELECT popped FROM changed) DESC LIMIT 1
  ), called_back AS (
    INSERT INTO task (
      company_id, id, kind, title, notes, contact_id, phone, due_at, remind_at, time_zone, assignee_id, call_id,
      created_by, created_at, updated_at
    ) SELECT :company_id, :task_id::uuid, 'callback', :task_title::text, :disposition_notes, (SELECT id FROM customer),
    :phone, :callback_at, :callback_at,
      coalesce(:time_zone::text, (SELECT time_zone FROM customer), 'UTC'), :assignee_id::uuid, :id, :created_by::uuid,
      :now::timestamptz, :now
    FROM changed
  )`,
        correction &&
          `corrected AS (
    INSERT INTO call_correction (company_id, call_id, id, by_id, before, after, at)
    SELECT :company_id, :id, :correction_id::uuid, :corrected_by::uuid, :before::jsonb, :after::jsonb, :now::timestamptz
    FROM changed
  )`,
      ],
      'SELECT * FROM changed',
    ),
  );
}

/** What is written with a change of a call. */
export type WithCall = {
  events: OutboxEvent[];
  log: ToLog | null;
  callback: NewCallback | null;
  correction: NewCorrection | null;
  step: CallStep | null;
  tags: readonly CallTag[] | null;
};

/** The call as it is stored then; null: it is not (or no longer) at the version before. Then nothing was written. */
export async function updateCall(
  pool: Pool,
  next: Call,
  { events, log, callback, correction, step, tags }: WithCall,
  now: Date,
): Promise<Call | null> {
  const statement = commitCall({
    events: events.length,
    log: log !== null,
    callback: callback !== null,
    correction: correction !== null,
  });
  const [stored] = await runNamed<BesideRow>(pool, statement, {
    ...columnValues(changingColumns, next),
    company_id: next.companyId,
    id: next.id,
    now,
    platform_call_id: textFor('platform_call_id', next.platform?.callId ?? null),
    tags: tags === null ? null : JSON.stringify(storedTags(tags)),
    step: step === null ? null : JSON.stringify(step),
    ...eventValues(events),
    ...(log === null ? {} : logValues(log)),
    ...(callback === null ? {} : callbackValues(callback)),
    ...(correction === null ? {} : correctionValues(correction)),
  });
  return stored === undefined ? null : { ...next, ...readBeside(stored) };
}

/**
 * Parts of a WITH that have a call logged in the company's CRM, where that logs such calls: the id of the delivery,
 * `log_id`, and when it falls due, `log_due_at`.
 * @param source a part of the same WITH, with a row where the call was written
 */
function toLog(source: string, where = ''): string {
  return `crm AS (
    SELECT company_id, log_calls FROM crm_connection WHERE company_id = :company_id FOR KEY SHARE
  ), to_log AS (
    INSERT INTO crm_delivery (company_id, id, call_id, sequence, due_at, created_at)
    SELECT :company_id, :log_id::uuid, :id, :version, :log_due_at::timestamptz, :now::timestamptz FROM ${source}, crm
    WHERE (crm.log_calls = 'all' OR crm.log_calls = 'answered' AND :answered_at IS NOT NULL) ${where}
  )`;
}

function logValues({ id, dueAt }: ToLog): Record<string, unknown> {
  return { log_id: id, log_due_at: dueAt };
}

function callbackValues({ id, title, timeZone, assigneeId, createdBy }: NewCallback): Record<string, unknown> {
  return {
    task_id: id,
    task_title: textFor('title', title),
    time_zone: timeZone,
    assignee_id: assigneeId,
    created_by: createdBy,
  };
}

function correctionValues({ id, by, before, after }: NewCorrection): Record<string, unknown> {
  return {
    correction_id: id,
    corrected_by: by,
    before: before === null ? null : JSON.stringify(storedWrapUp(before)),
    after: JSON.stringify(storedWrapUp(after)),
  };
}

function storedWrapUp({ code, label, notes, tags }: WrappedUp) {
  return { code, label, notes: textFor('notes', notes), tags: storedTags(tags) };
}

function answerValues({ key, status, body, expiresAt }: RememberedAnswer): Record<string, unknown> {
  return { key: key.key, held_until: key.heldUntil, status, response: answerAsStored(body), expires_at: expiresAt };
}

/**
 * Parts of a WITH that write a call's events, each with the values `event_1`, `event_1_id`, `event_1_call`,
 * `event_1_sequence` and `event_1_body`, and so on. The endpoint is held until the commit: it cannot be removed while
 * an event is written that only it can deliver.
 * @param source a part of the same WITH, with a row where the call was written @param dueAt an SQL expression;
 * `e` is the event
 */
function eventsAnnounced(count: number, source: string, dueAt: string): string[] {
  if (count === 0) return [];
  const rows = Array.from({ length: count }, (_, place) => {
    const event = `event_${String(place + 1)}`;
    return `(:${event}_id::uuid, :${event}::text, :${event}_call::uuid, :${event}_sequence::int, :${event}_body::text)`;
  });
  return [
    `endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint
    WHERE company_id = :company_id FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, due_at, created_at, state, last_error,
      last_error_cause, finished_at
    )
    SELECT e.id, endpoint.company_id, e.event, e.call_id, e.sequence, e.body, ${dueAt}, :now,
      ${givenUpIf('endpoint.disabled', ':now')}
    FROM ${source}, endpoint, (VALUES ${rows.join(', ')})
      AS e (id, event, call_id, sequence, body)
  )`,
  ];
}

function eventValues(events: readonly OutboxEvent[]): Record<string, unknown> {
  const values = events.map(({ id, event, callId, sequence, body }, place) => {
    const name = `event_${String(place + 1)}`;
    return {
      [name]: event,
      [`${name}_id`]: id,
      [`${name}_call`]: callId,
      [`${name}_sequence`]: sequence,
      [`${name}_body`]: body,
    };
  });
  return Object.assign({}, ...values) as Record<string, unknown>;
}

function withParts(parts: readonly (string | false)[], last: string): string {
  return `WITH ${parts.filter((part) => part !== false).join(', ')} ${last}`;
}

/** `commit_call_1_events_log`: a name for each choice of parts. */
function nameOf(statement: string, parts: Readonly<Record<string, boolean>>): string {
  return [statement, ...Object.keys(parts).filter((part) => parts[part])].join('_');
}

/**
 * Writes columns of a call and its screen pop: `company_id`, `id`, the columns' values,
 * and the `version` that it becomes.
 * @param more what is set besides, or ''
 */
function writingPop(columns: readonly WrittenColumn[], more: string): string {
  return `UPDATE call SET ${setting(columns)}, screen_pop = :screen_pop_text::text::jsonb,
    version = :version::int ${more}
  WHERE company_id = :company_id::uuid AND id = :id::uuid AND version = :version - 1
  RETURNING ${besideColumns}`;
}

export const commitScreenPop = named('commit_screen_pop', () => writingPop(screenPopColumns, ''));

const callerColumns = [
  ...changingColumns.filter(([column]) => ['phone', 'caller', 'contact_id', 'external_id'].includes(column)),
  ...screenPopColumns,
];
/** Besides: `step`. */
export const commitCaller = named('commit_caller', () => writingPop(callerColumns, `, steps = ${withStep}`));

/** The call as it is stored then; null: it is not (or no longer) at the version before. Then nothing was written. */
export async function updateScreenPop(pool: Pool, call: Call): Promise<Call | null> {
  return updatePop(pool, call, commitScreenPop, columnValues(screenPopColumns, call));
}

/** The same with the other end, what refers to it, and a step of the call's course. */
export async function updateCaller(pool: Pool, call: Call, step: CallStep): Promise<Call | null> {
  return updatePop(pool, call, commitCaller, { ...columnValues(callerColumns, call), step: JSON.stringify(step) });
}

async function updatePop(
  pool: Pool,
  call: Call,
  statement: NamedStatement,
  values: Record<string, unknown>,
): Promise<Call | null> {
  const { id, companyId, version } = call;
  const [stored] = await runNamed<BesideRow>(pool, statement, { ...values, company_id: companyId, id, version });
  return stored === undefined ? null : { ...call, ...readBeside(stored) };
}
