import { z } from 'zod';
import { timeZone } from './contacts.ts';
import { says } from './fieldErrors.ts';
import { momentInQuery, optional, timestamp, uuid, withDefault } from './values.ts';

/** Reports on the calls of a company. */

/** What the rows of a report are of. `hour`: hours of the day, whatever the day. */
export const reportGroups = ['day', 'hour', 'agent', 'team', 'disposition'] as const;
export type ReportGroup = (typeof reportGroups)[number];

/**
 * Times by their names: `week` and `month` are the last 7 and 30 days with today;
 * `last_week` is from Monday to Sunday, `last_month` one of the calendar.
 */
export const reportRanges = ['today', 'yesterday', 'week', 'month', 'last_week', 'last_month'] as const;
export type ReportRange = (typeof reportRanges)[number];

const range = z.enum(reportRanges).meta({
  description:
    'In place of `since` and `until`, by the calendar of `time_zone`: ' +
    '`week` and `month` are the last 7 and 30 days with today, `last_week` from Monday to Sunday, ' +
    '`last_month` a month of the calendar',
});
const since = momentInQuery.meta({
  description: 'Of calls begun then or later. Left out, without `range`: today, in `time_zone`',
});
const until = momentInQuery.meta({ description: 'Of calls begun before then. Left out, without `range`: now' });
const groupBy = z
  .enum(reportGroups)
  .meta({ description: '`hour`: hours of the day, whatever the day. A call counts in each team that its agent is in' });
const teamId = uuid.meta({ description: 'Of the agents who are in that team now' });
const zone = timeZone.default('UTC').meta({ description: 'IANA time zone in which days and hours begin' });

type Times = { range?: unknown; since?: unknown; until?: unknown };
/** A range has its own times. */
export const isOneTime = ({ range: named, since: from, until: end }: Times) =>
  named === undefined || (from === undefined && end === undefined);
export const twoTimes = { path: ['range'], message: says('range_or_times', 'is instead of since and until') };

export const callReportQuery = z
  .strictObject({
    range: range.optional(),
    since: since.optional(),
    until: until.optional(),
    group_by: groupBy.default('day'),
    time_zone: zone,
    team_id: teamId.optional(),
  })
  .refine(isOneTime, twoTimes);
export type CallReportQuery = z.infer<typeof callReportQuery>;

/** What of a report is kept as a view: whoever opens it sees it in their own time zone. */
export const reportFilter = z
  .strictObject({
    range: optional(range),
    since: optional(since),
    until: optional(until),
    group_by: withDefault(groupBy, 'day'),
    team_id: optional(teamId),
  })
  .refine(isOneTime, twoTimes)
  .meta({ id: 'ReportFilter' });
export type ReportFilter = z.infer<typeof reportFilter>;
/** The same as it is answered. */
export const keptFilter = z
  .object({
    range: range.optional(),
    since: timestamp.optional(),
    until: timestamp.optional(),
    group_by: groupBy,
    team_id: teamId.optional(),
  })
  .meta({ id: 'KeptReportFilter' });

const figures = {
  calls: z.int(),
  conversations: z.int().meta({
    description:
      'The calls without those that a colleague has handed on: a customer who talks to two agents is counted once, ' +
      'where the conversation began. Days that an earlier version has rolled up count each call',
  }),
  outbound: z.int(),
  inbound: z.int(),
  answered: z.int().meta({ description: 'In either direction' }),
  missed: z.int().meta({ description: 'Inbound calls that have ended, and nobody talked' }),
  transferred: z.int().meta({ description: 'Calls that the agent handed on to somebody else' }),
  talk_seconds: z.int().meta({ description: 'The sum of the calls’ `duration_seconds`' }),
  hold_seconds: z.int().meta({ description: 'The sum of the calls’ `hold_seconds`' }),
  mos: z
    .number()
    .nullable()
    .meta({ description: 'The average `mos` of the calls whose quality was measured. Null: none was' }),
  mos_median: z.number().nullable().meta({
    description: 'The same of their `mos_median`; of calls that have none, of their `mos`',
  }),
  mos_worst: z.number().nullable().meta({
    description: 'The lowest `mos_worst` of these calls. Null: none was measured, or not kept',
  }),
  answer_seconds: z
    .number()
    .nullable()
    .meta({ description: 'How long callers waited until they were answered, on average. Null: nobody was' }),
};

/** What agents did in that time, as far as it is kept. */
const times = {
  signed_in_seconds: z
    .int()
    .nullable()
    .meta({
      description:
        'Null: not kept for all of that time, or not to be told by disposition. ' +
        'More than 30 days ago: in the quarters of an hour that began in the time',
    }),
  wrap_up_seconds: z.int().nullable(),
  occupancy: z.number().nullable().meta({
    description:
      'Which part of the time signed in was ringing, call or wrap-up, 0 to 1. Null: not kept, or never signed in',
  }),
};
const clicksRefused = z
  .int()
  .nullable()
  .meta({
    description:
      'Clicks that nobody could take, as no agent was Ready; of all teams. ' +
      'Null: not kept for all of that time, or not to be told: in rows that are of no day and no hour',
  });

export const callReport = z
  .object({
    since: timestamp,
    until: timestamp,
    time_zone: z.string(),
    group_by: z.enum(reportGroups),
    rows: z.array(
      z.object({
        key: z
          .string()
          .nullable()
          .meta({
            description:
              'The day (`2026-11-23`), the hour (`09`), the agent’s or team’s id, or the code of the disposition; ' +
              'null: none',
          }),
        name: z.string().nullable().meta({ description: 'Of the agent, team or disposition' }),
        ...figures,
        ...times,
        clicks_refused: clicksRefused,
      }),
    ),
    total: z.object({ ...figures, ...times, clicks_refused: clicksRefused }),
  })
  .meta({ id: 'CallReport' });
export type CallReport = z.infer<typeof callReport>;

export const ownDayQuery = z.strictObject({ time_zone: zone });
/** What an agent has done today, and what is left to do. */
export const ownDay = z
  .object({
    since: timestamp,
    until: timestamp,
    time_zone: z.string(),
    ...figures,
    ...times,
    callbacks_due: z.int().meta({
      description:
        'The agent’s own open tasks and callbacks that are due until midnight, overdue ones too, counted to 1,000',
    }),
  })
  .meta({ id: 'OwnDay' });
export type OwnDay = z.infer<typeof ownDay>;
