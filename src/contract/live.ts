import { z } from 'zod';
import { timeZone } from './contacts.ts';
import { agentStates, type CallState, type Direction, type Trigger } from './vocabulary.ts';
import { momentInQuery, timestamp, uuid } from './values.ts';

/** What supervisors watch beside the agents' states. */

/** A call in progress; `state: 'ended'` takes it off the wallboard. */
export type LiveCall = {
  id: string;
  agent_id: string;
  direction: Direction;
  trigger: Trigger;
  state: CallState;
  /** Null: no number that can be dialed; `caller` then says what the network told, if anything. */
  phone: string | null;
  caller: string | null;
  name: string | null;
  /** Which CRM the customer's record is in, and where it is opened there; older gateways do not tell. */
  external_system?: string | null;
  record_url?: string | null;
  /** The telephony platform that has the call, by its connector; null or absent: the agent's softphone. */
  source?: string | null;
  /** The colleague who hands it on, or asks about it first, by name; older gateways do not tell. */
  handed_on_by?: string | null;
  created_at: string;
  answered_at: string | null;
  /** Rises with each change: of two messages on a call the higher one counts. */
  version: number;
};

/**
 * Clicks (click-to-dial requests) of a quarter of an hour. Sums since then, not since the message before; they only
 * rise, so of two messages the higher sum counts. A click counts in the quarter in which it was answered.
 */
export type ClickTally = {
  /** ISO 8601: where the quarter of an hour begins. */
  at: string;
  dialed: number;
  no_ready_agent: number;
  agent_not_ready: number;
  /** Refused for another reason, or failed. */
  failed: number;
};

export const timelineQuery = z.strictObject({
  since: momentInQuery.optional().meta({ description: 'Default: 24 hours before `until`' }),
  until: momentInQuery.optional().meta({ description: 'Default: now' }),
});
export type TimelineQuery = z.infer<typeof timelineQuery>;

/** What an agent was doing, in order of time. */
export const agentTimeline = z
  .object({
    agent_id: uuid,
    entries: z.array(
      z.object({
        state: z.enum(agentStates),
        reason: z.string().nullable(),
        call_id: uuid.nullable(),
        since: timestamp,
        until: timestamp.nullable().meta({ description: 'Null: it lasts' }),
      }),
    ),
    truncated: z.boolean().meta({ description: 'There were more; the earliest are left out' }),
  })
  .meta({ id: 'AgentTimeline' });
export type AgentTimeline = z.infer<typeof agentTimeline>;

export const dayTrendsQuery = z.strictObject({
  time_zone: timeZone.default('UTC').meta({ description: 'IANA time zone in which the day begins' }),
  team_id: uuid.optional().meta({ description: 'Of the agents who are in that team now' }),
});
export type DayTrendsQuery = z.infer<typeof dayTrendsQuery>;

/** How the day has gone so far, by quarters of an hour. */
export const dayTrends = z
  .object({
    since: timestamp,
    until: timestamp.meta({ description: 'When it was counted: a minute ago at most' }),
    time_zone: z.string(),
    quarters: z.array(
      z.object({
        at: timestamp.meta({ description: 'Where the quarter begins' }),
        inbound_answered: z.int().meta({ description: 'Calls count in the quarter in which they began' }),
        inbound_missed: z.int(),
        outbound_answered: z.int(),
        outbound_unanswered: z.int(),
        ready: z.number().meta({ description: 'How many agents were Ready, on average' }),
        on_call: z.number().meta({ description: 'How many agents were on a call, on average' }),
      }),
    ),
  })
  .meta({ id: 'DayTrends' });
export type DayTrends = z.infer<typeof dayTrends>;
