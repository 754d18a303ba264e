import type { ClickTally, DayTrends } from '../../../../../src/contract/live.ts';

/** A quarter of an hour, or an hour, as the trends show it. `at`: ISO 8601. */
export type TrendRow = {
  at: string;
  inboundAnswered: number;
  inboundMissed: number;
  outboundAnswered: number;
  outboundUnanswered: number;
  dialed: number;
  refused: number;
  /** On average. */
  ready: number;
  onCall: number;
};

const summed = [
  'inboundAnswered',
  'inboundMissed',
  'outboundAnswered',
  'outboundUnanswered',
  'dialed',
  'refused',
] as const;
const averaged = ['ready', 'onCall'] as const;
type Summed = Record<(typeof summed)[number], number>;

/** The quarters of the day, from the hour in which it began for the company; none where nothing was. */
export function quarterRows({ quarters }: Pick<DayTrends, 'quarters'>, clicks: readonly ClickTally[]): TrendRow[] {
  const clicked = new Map(clicks.map((tally) => [Date.parse(tally.at), tally]));
  const rows = quarters.map(
    ({ at, inbound_answered, inbound_missed, outbound_answered, outbound_unanswered, ready, on_call }): TrendRow => {
      const tally = clicked.get(Date.parse(at));
      return {
        at,
        inboundAnswered: inbound_answered,
        inboundMissed: inbound_missed,
        outboundAnswered: outbound_answered,
        outboundUnanswered: outbound_unanswered,
        dialed: tally?.dialed ?? 0,
        refused: tally === undefined ? 0 : tally.no_ready_agent + tally.agent_not_ready + tally.failed,
        ready,
        onCall: on_call,
      };
    },
  );
  const first = rows.findIndex((row) => [...summed, ...averaged].some((key) => row[key] > 0));
  return first < 0 ? [] : rows.slice(first - (first % 4));
}

/** The same by hours: who hears them has not to hear each quarter. */
export function hourRows(quarters: readonly TrendRow[]): TrendRow[] {
  const hours = Array.from({ length: Math.ceil(quarters.length / 4) }, (_, hour) =>
    quarters.slice(hour * 4, hour * 4 + 4),
  );
  return hours.map((rows) => {
    const average = (key: (typeof averaged)[number]) =>
      Math.round((rows.reduce((sum, row) => sum + row[key], 0) / rows.length) * 10) / 10;
    return { at: rows[0]?.at ?? '', ...totalOf(rows), ready: average('ready'), onCall: average('onCall') };
  });
}

/** All together. */
export function totalOf(rows: readonly TrendRow[]): Summed {
  return Object.fromEntries(summed.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)])) as Summed;
}
