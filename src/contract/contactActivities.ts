import { z } from 'zod';
import { callTag } from './calls.ts';
import { says } from './fieldErrors.ts';
import { callStates, directions, endReasons } from './vocabulary.ts';
import { cursorQuery, e164, timestamp, uuid } from './values.ts';

/** A contact's timeline: its calls, what somebody noted, what was changed. */

export const activityKinds = [
  'call',
  'note',
  'created',
  'edited',
  'merged',
  'do_not_call_overridden',
  'dial_skipped',
  'imported',
  'deal_created',
  'deal_moved',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

const activityCall = z.object({
  direction: z.enum(directions),
  state: z.enum(callStates),
  phone_number: e164.nullable(),
  end_reason: z.enum(endReasons).nullable(),
  end_detail: z.string().nullable(),
  answered_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  talk_seconds: z.int().nullable(),
  disposition: z
    .object({ code: z.string(), label: z.string(), notes: z.string().nullable(), callback_at: timestamp.nullable() })
    .nullable(),
  tags: z.array(callTag).meta({ description: 'What the agent marked the call with' }),
});

export const contactActivityView = z
  .object({
    id: uuid.meta({ description: 'Of a call: its id' }),
    kind: z.enum(activityKinds),
    at: timestamp,
    by: z
      .object({ id: uuid, name: z.string() })
      .nullable()
      .meta({ description: 'The agent. Null: the company’s own system, by its key' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'Of a note; of an import the file’s name; of a call that was skipped why' }),
    edits: z
      .array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .meta({ description: 'What a change did, field by field' }),
    call: activityCall.nullable(),
  })
  .meta({ id: 'ContactActivity' });
export type ContactActivityView = z.infer<typeof contactActivityView>;

export const listActivitiesQuery = z.strictObject({
  ...cursorQuery,
  contact: uuid.meta({ description: 'The contact’s id' }),
  kind: z.enum(activityKinds).optional().meta({ description: 'Of this kind alone' }),
});
export type ListActivitiesQuery = z.infer<typeof listActivitiesQuery>;
export const activityList = z
  .object({ activities: z.array(contactActivityView), next_cursor: uuid.nullable() })
  .meta({ id: 'ContactActivityList' });

export const addNoteRequest = z
  .strictObject({
    contact_id: uuid,
    text: z.string().trim().regex(/\S/, says('required', 'must not be empty')).max(10_000),
  })
  .meta({ id: 'AddNote' });
export type AddNoteRequest = z.infer<typeof addNoteRequest>;
