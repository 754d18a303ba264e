import { z } from 'zod';
import { timeZone } from './contacts.ts';
import { says } from './fieldErrors.ts';
import { keptFilter, reportFilter } from './reports.ts';
import { optional, shortText, timestamp, uuid, withDefault } from './values.ts';

/** Views of reports: filters under a name, and when their reports are sent by themselves. */

const isShared = z
  .boolean()
  .meta({ description: 'Whether everybody of the company who sees reports sees it, or its owner alone' });

export const createReportViewRequest = z
  .strictObject({ name: shortText, shared: withDefault(isShared, false), filter: reportFilter })
  .meta({ id: 'CreateReportView' });
export type CreateReportViewRequest = z.infer<typeof createReportViewRequest>;

export const updateReportViewRequest = z
  .strictObject({
    name: optional(shortText),
    shared: optional(isShared),
    filter: optional(reportFilter),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdateReportView' });
export type UpdateReportViewRequest = z.infer<typeof updateReportViewRequest>;

/** What became of a report that was to be sent. */
export const reportOutcomes = ['sent', 'not_chosen', 'no_webhook'] as const;

/** How often a report can be sent. */
export const reportRhythms = ['day', 'week', 'month'] as const;

const every = z.enum(reportRhythms);
const weekday = z
  .int()
  .min(1)
  .max(7)
  .meta({ description: 'Of every week, and of no account otherwise: 1 Monday to 7 Sunday' });
const monthDay = z
  .int()
  .min(1)
  .max(31)
  .meta({ description: 'Of every month, and of no account otherwise; in a shorter month its last day' });
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, says('not_a_time_of_day', 'must be a time of day such as "07:00"'))
  .meta({
    description:
      'On the clock of `time_zone`. Where it skips that time, the run is as much later; ' +
      'where it shows it twice, the first one counts',
    examples: ['07:00'],
  });

const missing = says('required', 'is needed to know the day');

/** Every day, week or month. */
export const scheduleReportRequest = z
  .strictObject({ every, weekday: optional(weekday), month_day: optional(monthDay), time, time_zone: timeZone })
  .refine((when) => when.every !== 'week' || when.weekday !== undefined, { path: ['weekday'], message: missing })
  .refine((when) => when.every !== 'month' || when.month_day !== undefined, { path: ['month_day'], message: missing })
  .meta({ id: 'ScheduleReport' });
export type ScheduleReportRequest = z.infer<typeof scheduleReportRequest>;

const reportSchedule = z
  .object({ every, weekday: weekday.optional(), month_day: monthDay.optional(), time, time_zone: timeZone })
  .meta({ id: 'ReportSchedule' });

export const reportViewView = z
  .object({
    id: uuid,
    name: z.string(),
    shared: isShared,
    filter: keptFilter,
    owner: z.object({ id: uuid, name: z.string() }),
    schedule: z
      .object({
        when: reportSchedule,
        next_run_at: timestamp,
        last_run: z
          .object({
            at: timestamp,
            outcome: z.enum(reportOutcomes).meta({
              description:
                '`sent`: its webhook is on its way, or has arrived: see its delivery. ' +
                '`not_chosen`: `webhook_events` does not name `report_ready`. `no_webhook`: no URL is set',
            }),
            delivery_id: uuid.nullable().meta({ description: 'Null unless it was sent' }),
          })
          .nullable()
          .meta({ description: 'Null: it never ran' }),
      })
      .nullable()
      .meta({ description: 'When its report is sent by webhook. Null: never' }),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ReportView' });
export type ReportViewView = z.infer<typeof reportViewView>;
export const reportViewList = z.object({ views: z.array(reportViewView) }).meta({ id: 'ReportViewList' });
