import { isMissed } from '../calls/searchCalls.ts';

// The figures of calls in SQL: counted from the calls, and added up from what is rolled up.

/**
 * What is kept of each in the tables of what is rolled up, by column. Of the table `call`;
 * `inbound` is the rest of `outbound`.
 */
const counted = {
  calls: 'count(*)',
  conversations: 'count(*) FILTER (WHERE parent_call_id IS NULL)',
  outbound: "count(*) FILTER (WHERE direction = 'outbound')",
  answered: 'count(answered_at)',
  missed: `count(*) FILTER (WHERE ${isMissed})`,
  transferred: "count(*) FILTER (WHERE end_reason = 'transferred')",
  // As `durationSeconds` and `holdSeconds` in src/domain/calls.ts have it,
  // so that a report adds up to the list of the calls.
  talk_seconds: "coalesce(sum(greatest(0, floor(date_part('epoch', ended_at - answered_at) + 0.5))), 0)",
  hold_seconds: 'sum((hold_ms + 500) / 1000)',
  inbound_answered: "count(answered_at) FILTER (WHERE direction = 'inbound')",
  answer_ms: `coalesce(sum(greatest(0, round(date_part('epoch', answered_at - created_at) * 1000)))
    FILTER (WHERE direction = 'inbound'), 0)`,
  measured: 'count(quality)',
  mos_sum: "coalesce(sum((quality->>'mos')::float8), 0)",
  mos_median_sum: "coalesce(sum(coalesce(quality->>'mos_median', quality->>'mos')::float8), 0)",
  mos_worst: "min((quality->>'mos_worst')::float8)",
} as const;

const names = Object.keys(counted) as (keyof typeof counted)[];

/** The columns of what is rolled up. */
export const figureColumns = names.join(', ');

/** SQL: the columns, counted from calls. */
export const countedFigures = names.map((name) => `${counted[name]} AS ${name}`).join(', ');

/** Of what gateways of the version before have rolled up, that is not known. */
const summed: Partial<Record<keyof typeof counted, string>> = {
  conversations: 'sum(coalesce(conversations, calls))',
  mos_median_sum: 'sum(coalesce(mos_median_sum, mos_sum))',
  mos_worst: 'min(mos_worst)',
};

/** SQL: the same, added up from rows that have them. */
export const summedFigures = names.map((name) => `${summed[name] ?? `sum(${name})`} AS ${name}`).join(', ');

/** SQL: added up once more, as `CallFigures` has them. */
export const answeredFigures = `sum(calls)::float8 AS calls, sum(conversations)::float8 AS conversations,
    sum(outbound)::float8 AS outbound, sum(calls - outbound)::float8 AS inbound, sum(answered)::float8 AS answered,
    sum(missed)::float8 AS missed, sum(transferred)::float8 AS transferred, sum(talk_seconds)::float8 AS "talkSeconds",
    sum(hold_seconds)::float8 AS "holdSeconds", sum(inbound_answered)::float8 AS "inboundAnswered",
    sum(answer_ms)::float8 AS "answerMs", sum(measured)::float8 AS measured, sum(mos_sum)::float8 AS "mosSum",
    sum(mos_median_sum)::float8 AS "mosMedianSum", min(mos_worst)::float8 AS "mosWorst"`;

/** Stands for all agents, where figures are kept of each agent and of all. */
export const allAgents = '00000000-0000-0000-0000-000000000000';
