import { z } from 'zod';
import { longText, timeZone } from './contacts.ts';
import { says } from './fieldErrors.ts';
import { code, e164, moment, momentInQuery, optional, phoneInput, shortText, timestamp, uuid } from './values.ts';
import { taskKinds, taskStates } from './vocabulary.ts';

/** Tasks of the built-in CRM: what somebody is to do at a time, mostly to call a customer back. */

const notATime = says('not_a_time', 'must be a time such as "2026-11-30T09:30" or "2026-11-30T09:30:00Z"');

/** A time by the clock on the wall, without offset; `time_zone` says on which wall. */
const wallTime = z
  .string()
  .regex(/^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, notATime)
  .refine(
    (text) => Number.isFinite(Date.parse(`${text}Z`)) && new Date(`${text}Z`).toISOString().startsWith(text),
    notATime,
  );

const dueAt = z.union([moment, wallTime], notATime).meta({
  description:
    'When, with an offset; or without one, by the clock on the wall in `time_zone`: ' +
    'of a time that this clock shows twice (autumn) it is the first, ' +
    'and one that it skips (spring) is taken by the clock of before, so that 02:30 is 03:30 there',
  examples: ['2026-11-30T09:30', '2026-11-30T14:30:00Z'],
});

const zone = timeZone.meta({
  description:
    'IANA time zone in which the time was chosen. Left out: that of the contact, else UTC. ' +
    'A time without offset needs one',
});
const assignee = uuid.nullable().meta({ description: 'Whose task it is. Null: anyone’s; the first to take it has it' });

export const createTaskRequest = z
  .strictObject({
    kind: optional(z.enum(taskKinds)).meta({
      description: '`callback` where it is left out and there is somebody to call, else `task`',
    }),
    title: optional(shortText).meta({ description: 'What is to be done; a callback needs none' }),
    notes: optional(longText),
    contact_id: optional(uuid),
    phone_number: optional(phoneInput).meta({
      description: 'Whom to call. Where it is left out: the contact’s primary number',
    }),
    due_at: dueAt,
    time_zone: optional(zone),
    assignee_id: assignee.optional().meta({
      description:
        'Whose task it is. Null: anyone’s; the first to take it has it. ' +
        'Left out: the caller’s own, a dialer’s anyone’s',
    }),
  })
  .refine((body) => body.title !== undefined || body.phone_number !== undefined || body.contact_id !== undefined, {
    path: ['title'],
    message: says('required', 'is required for a task'),
  })
  .meta({
    id: 'CreateTask',
    anyOf: ['title', 'phone_number', 'contact_id'].map((field) => ({
      required: [field],
      properties: { [field]: { type: 'string' } },
    })),
  });
export type CreateTaskRequest = z.infer<typeof createTaskRequest>;

/** Every field optional. */
export const updateTaskRequest = z
  .strictObject({
    title: shortText.nullable().optional(),
    notes: longText.nullable().optional(),
    due_at: optional(dueAt),
    time_zone: optional(zone),
    snooze_minutes: optional(z.int().min(1).max(10_080)).meta({
      description: 'It is due again that many minutes from now',
    }),
    assignee_id: assignee.optional(),
    state: optional(z.enum(taskStates)),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .refine((body) => body.due_at === undefined || body.snooze_minutes === undefined, {
    path: ['snooze_minutes'],
    message: says('one_time_only', 'is instead of due_at'),
  })
  .meta({ id: 'UpdateTask' });
export type UpdateTaskRequest = z.infer<typeof updateTaskRequest>;

export const taskView = z
  .object({
    id: uuid,
    kind: z.enum(taskKinds),
    title: z
      .string()
      .nullable()
      .meta({ description: 'Of a callback that was set in wrap-up: the customer’s name as it popped, if any' }),
    notes: z.string().nullable(),
    contact: z
      .object({ id: uuid, name: z.string().nullable(), time_zone: z.string().nullable(), do_not_call: z.boolean() })
      .nullable()
      .meta({ description: 'Null also where the contact is not shown to you' }),
    phone_number: e164.nullable().meta({ description: 'Whom to call' }),
    due_at: timestamp,
    due_local: z.string().meta({ description: 'The same by the clock on the wall in `time_zone`' }),
    time_zone: z.string(),
    assignee: z.object({ id: uuid, name: z.string() }).nullable().meta({ description: 'Null: anyone’s' }),
    state: z.enum(taskStates),
    call_id: uuid.nullable().meta({ description: 'The call in whose wrap-up it was set' }),
    skips: z
      .array(
        z.object({
          at: timestamp,
          by: z
            .object({ id: uuid, name: z.string() })
            .nullable()
            .meta({ description: 'Null: the company’s own system, by its key' }),
          code: z.string(),
          label: z.string(),
          notes: z.string().nullable(),
        }),
      )
      .meta({ description: 'When somebody looked at it and did not call, the latest last; of many the last 20' }),
    fired_at: timestamp.nullable().meta({ description: 'When it was announced that it is due' }),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Task' });
export type TaskView = z.infer<typeof taskView>;

/** An agent looked at a call that is to be made, and does not make it now. */
export const skipTaskRequest = z
  .strictObject({
    reason: code.meta({
      description:
        'The code of one of the company’s reasons (`skip_reasons`), which says when the task is due again, ' +
        'or that it is canceled',
    }),
    notes: optional(z.string().max(1_000)),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'SkipTask' });
export type SkipTaskRequest = z.infer<typeof skipTaskRequest>;

/** What a list is sorted by; with a minus: from the last to the first. */
export const taskSorts = ['due', '-due', 'created', '-created'] as const;
export type TaskSort = (typeof taskSorts)[number];

const cursor = z.string().regex(/^-?\d{1,15}_[0-9a-f-]{36}$/, says('not_an_id', 'must be the next_cursor of a page'));

export const listTasksQuery = z.strictObject({
  cursor: cursor.optional().meta({ description: 'The `next_cursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  sort: z
    .enum(taskSorts)
    .default('due')
    .meta({ description: 'When they are due, or when they were set. With a minus: from the last to the first' }),
  state: z.enum(taskStates).default('open'),
  assignee: z
    .union([z.enum(['me', 'anyone']), uuid])
    .optional()
    .meta({ description: '`me`, `anyone` (nobody has it yet) or an agent’s id. Left out: all that you see' }),
  contact: uuid.optional(),
  kind: z.enum(taskKinds).optional(),
  due_from: momentInQuery.optional().meta({ description: 'Due then or later' }),
  due_until: momentInQuery.optional().meta({ description: 'Due before then' }),
  overdue: z.enum(['true']).optional().meta({ description: '`true`: the time is over' }),
});
export type ListTasksQuery = z.infer<typeof listTasksQuery>;
export const taskList = z
  .object({
    tasks: z.array(taskView),
    next_cursor: z.string().nullable(),
    total: z.int().nullable().meta({ description: 'On the first page: how many there are, counted to 1,000' }),
  })
  .meta({ id: 'TaskList' });
