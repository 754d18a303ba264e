import type { Pool } from 'pg';
import type { Task } from '../../../domain/tasks.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { TimelineNote } from '../../../ports/tasks.ts';
import { answeredBy, holdsKey, keyValues } from '../calls/idempotencyStore.ts';
import { brokenReference } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/**
 * $1 to $17 the task (see taskValues); $18 to $22 the request's key (see answeredBy).
 * A request that no longer holds its key writes nothing.
 */
export const createTask = {
  name: 'create_task',
  text: `WITH ${answeredBy(18)}
  INSERT INTO task (company_id, id, kind, title, notes, contact_id, phone, due_at, time_zone, assignee_id, state,
    call_id, fired_at, created_by, version, created_at, updated_at, remind_at)
  SELECT $1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7, $8::timestamptz, $9, $10::uuid, $11, $12::uuid, $13::timestamptz,
    $14::uuid, $15::int, $16::timestamptz, $17::timestamptz, $8
  WHERE ${holdsKey(18)}
  RETURNING id`,
};

/**
 * $1 company id, $2 task id, $3 to $12 what can be changed. It is announced where it was not yet for the time that it
 * has now, unless it is done with. $13 a contact on whose timeline it stands that the call was skipped, $14 the id of
 * the entry, $15 who, $16 why; or nulls.
 */
export const updateTask = {
  name: 'update_task',
  text: `WITH written AS (UPDATE task SET title = $3, notes = $4, due_at = $5::timestamptz, time_zone = $6,
    assignee_id = $7, state = $8, fired_at = $9::timestamptz, version = $10, updated_at = $11, skips = $12::text::jsonb,
    remind_at = CASE WHEN $8 <> 'open' THEN NULL WHEN $9::timestamptz IS NULL THEN $5::timestamptz ELSE remind_at END
  WHERE company_id = $1 AND id = $2 AND version = $10 - 1 RETURNING id
  ), noted AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text)
    SELECT c.company_id, c.id, $14::uuid, $11, 'dial_skipped', $15::uuid, $16 FROM written, contact c
    WHERE c.company_id = $1 AND c.id = $13::uuid
  )
  SELECT id FROM written`,
};

function taskValues(task: Task): unknown[] {
  return [
    task.companyId,
    task.id,
    task.kind,
    textFor('title', task.title),
    textFor('notes', task.notes),
    task.contactId,
    task.phone,
    task.dueAt,
    task.timeZone,
    task.assigneeId,
    task.state,
    task.callId,
    task.firedAt,
    task.createdBy,
    task.version,
    task.createdAt,
    task.updatedAt,
  ];
}

type Written = 'written' | 'not_written' | 'unknown';

export async function insertTask(pool: Pool, task: Task, remember: RememberedAnswer | undefined): Promise<Written> {
  return write(() => run(pool, createTask, [...taskValues(task), ...keyValues(remember)]));
}

export async function replaceTask(pool: Pool, task: Task, noted?: TimelineNote): Promise<Written> {
  const { companyId, id, title, notes, dueAt, timeZone, assigneeId, state, firedAt, skips, version, updatedAt } = task;
  const values = [
    companyId,
    id,
    textFor('title', title),
    textFor('notes', notes),
    dueAt,
    timeZone,
    assigneeId,
    state,
    firedAt,
    version,
    updatedAt,
    JSON.stringify(skips),
  ];
  for (const { notes: said } of skips) textFor('notes', said);
  const note = [
    noted?.contactId ?? null,
    noted?.entryId ?? null,
    noted?.by ?? null,
    textFor('notes', noted?.text ?? null),
  ];
  return write(() => run(pool, updateTask, [...values, ...note]));
}

async function write(statement: () => Promise<object[]>): Promise<Written> {
  try {
    return (await statement()).length > 0 ? 'written' : 'not_written';
  } catch (error) {
    if (brokenReference(error) !== null) return 'unknown';
    throw error;
  }
}
