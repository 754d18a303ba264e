import { z } from 'zod';
import { timeZone } from './contacts.ts';
import { momentInQuery, timestamp, uuid } from './values.ts';

/** Reports on the calls of a company. */

/** What the rows of a report are of. `hour`: hours of the day, whatever the day. */
export const reportGroups = ['day', 'hour', 'agent', 'team', 'disposition'] as const;
export type ReportGroup = (typeof reportGroups)[number];

export const callReportQuery = z.strictObject({
  since: momentInQuery.optional().meta({ description: 'Of calls begun then or later. Left out: today, in `time_zone`' }),
  until: momentInQuery.optional().meta({ description: 'Of calls begun before then. Left out: now' }),
  group_by: z.enum(reportGroups).default('day').meta({ description: '`hour`: hours of the day, whatever the day. A call counts in each team that its agent is in' }),
  time_zone: timeZone.default('UTC').meta({ description: 'IANA time zone in which days and hours begin' }),
  team_id: uuid.optional().meta({ description: 'Of the agents who are in that team now' }),
});
export type CallReportQuery = z.infer<typeof callReportQuery>;

const figures = {
  calls: z.int(),
  outbound: z.int(),
  inbound: z.int(),
  answered: z.int().meta({ description: 'In either direction' }),
  missed: z.int().meta({ description: 'Inbound calls that have ended, and nobody talked' }),
  talk_seconds: z.int().meta({ description: 'The sum of the calls’ `duration_seconds`' }),
  answer_seconds: z.number().nullable().meta({ description: 'How long callers waited until they were answered, on average. Null: nobody was' }),
};

/** What agents did in that time, as far as it is kept (30 days). */
const times = {
  signed_in_seconds: z.int().nullable().meta({ description: 'Null: not kept for all of that time' }),
  wrap_up_seconds: z.int().nullable(),
  occupancy: z.number().nullable().meta({ description: 'Which part of the time signed in was ringing, call or wrap-up, 0 to 1. Null: not kept, or never signed in' }),
};

export const callReport = z
  .object({
    since: timestamp,
    until: timestamp,
    time_zone: z.string(),
    group_by: z.enum(reportGroups),
    rows: z.array(
      z.object({
        key: z.string().nullable().meta({ description: 'The day (`2026-11-23`), the hour (`09`), the agent’s or team’s id, or the code of the disposition; null: none' }),
        name: z.string().nullable().meta({ description: 'Of the agent, team or disposition' }),
        ...figures,
        ...times,
      }),
    ),
    total: z.object({ ...figures, ...times, clicks_refused: z.int().nullable().meta({ description: 'Clicks that nobody could take, as no agent was Ready; of all teams. Null: not kept for all of that time' }) }),
  })
  .meta({ id: 'CallReport' });
export type CallReport = z.infer<typeof callReport>;
