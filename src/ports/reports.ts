import type { Principal } from '../domain/access.ts';
import type { DayTrends, DayTrendsQuery } from '../contract/live.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Outcome } from '../domain/outcome.ts';

/**
 * Figures of calls that began in a time. `conversations`: without calls that a colleague has handed on. `answerMs`: how
 * long those waited who were answered, all together; `measured`: the calls whose quality is known, `mosSum`,
 * `mosMedianSum`: of theirs, `mosWorst`: the worst of them.
 */
export type CallFigures = {
  calls: number;
  conversations: number;
  outbound: number;
  inbound: number;
  answered: number;
  missed: number;
  transferred: number;
  talkSeconds: number;
  holdSeconds: number;
  inboundAnswered: number;
  answerMs: number;
  measured: number;
  mosSum: number;
  mosMedianSum: number;
  mosWorst: number | null;
};

/** Which calls. `agentIds` null: of every agent. */
export type ReportedCalls = { since: Date; until: Date; agentIds: AgentId[] | null };

/** How long agents were in which states. Milliseconds. */
export type AgentTimes = { signedInMs: number; busyMs: number; wrapUpMs: number };

/**
 * What rows can be of that PostgreSQL counts: days as `2026-11-23`, hours of the day as `09`, both in a time zone;
 * agents by id; dispositions by code.
 */
export type CountedBy = 'day' | 'hour' | 'agent' | 'disposition';

/**
 * Calls that began in the quarter of an hour that begins at `at`.
 * `missed`, `unanswered`: they have ended, and nobody talked.
 */
export type CallQuarter = {
  at: Date;
  inboundAnswered: number;
  inboundMissed: number;
  outboundAnswered: number;
  outboundUnanswered: number;
};

/** How long agents were in those states in that quarter, all together. Milliseconds. */
export type StateQuarter = { at: Date; readyMs: number; onCallMs: number };

export interface ReportStore {
  /** Rows in order of their keys; null: not wrapped up. `name`: as the disposition was called last; null for others. */
  calls(
    companyId: CompanyId,
    which: ReportedCalls,
    by: CountedBy,
    timeZone: string,
  ): Promise<(CallFigures & { key: string | null; name: string | null })[]>;
  /** What agents did in that time, up to `now`. Of what is rolled up: in the quarters of an hour that began in it. */
  times(
    companyId: CompanyId,
    which: ReportedCalls,
    by: 'day' | 'hour' | 'agent',
    timeZone: string,
    now: Date,
  ): Promise<(AgentTimes & { key: string })[]>;
  /** Quarters in which no call began are left out. */
  callQuarters(companyId: CompanyId, which: ReportedCalls): Promise<CallQuarter[]>;
  /**
   * What agents did up to `until`, which is not in the future.
   * Quarters in which nobody was Ready or on a call are left out.
   */
  stateQuarters(companyId: CompanyId, which: ReportedCalls): Promise<StateQuarter[]>;
  /** Clicks that nobody could take, in quarters of an hour that began in that time. */
  clicksRefused(
    companyId: CompanyId,
    since: Date,
    until: Date,
    by: 'day' | 'hour',
    timeZone: string,
  ): Promise<{ key: string; refused: number }[]>;
  /**
   * Since when times and clicks are all known (null: since there is the company).
   * Null: that has not been settled, as nothing is rolled up yet.
   */
  reach(companyId: CompanyId): Promise<{ knownSince: Date | null } | null>;
}

/**
 * A day of UTC of which a company's calls are to be rolled up. `version`: as the company's roll-ups were read;
 * 0: nothing is rolled up yet.
 */
export type CallDayToRollUp = { companyId: CompanyId; day: Date; version: number };

/** Calls in figures, by quarter of an hour and by day of UTC, so that a report need not read each. */
export interface CallRollUpStore {
  /** Companies that have calls which are not rolled up until then, each with the first day that is missing. */
  toRollUp(until: Date): Promise<CallDayToRollUp[]>;
  /** Days that are rolled up and whose calls were changed since. */
  stale(limit: number): Promise<CallDayToRollUp[]>;
  /**
   * Rolls the calls of a day up, in place of what was rolled up of it: all of it, or nothing.
   * False: another gateway has rolled up something meanwhile.
   */
  rollUp(day: CallDayToRollUp): Promise<boolean>;
}

/** A company whose agents' times are to be rolled up. `from` null: nothing is yet. */
export type ToRollUp = { companyId: CompanyId; from: Date | null };

/** What agents did, by quarter of an hour, for longer than their timelines are kept. */
export interface AgentTimeStore {
  /** Companies whose times are not rolled up until then. */
  toRollUp(until: Date): Promise<ToRollUp[]>;
  /** Where the company's timelines begin. Null: there are none. */
  beginning(companyId: CompanyId): Promise<Date | null>;
  /**
   * Rolls the timelines of that time up, if they are rolled up until `from` still (or not at all yet): all of it,
   * or nothing. False: another gateway has done so. Both are beginnings of quarters of an hour.
   * @param knownSince for a company of which nothing is rolled up yet: since when its timelines are complete
   */
  rollUp(companyId: CompanyId, time: { from: Date; until: Date }, knownSince: Date): Promise<boolean>;
  /**
   * Forgets quarters that began before then, at most `limit` at once, and that more was ever known.
   * @returns how many
   */
  prune(before: Date, limit: number): Promise<number>;
}

export interface TrendReader {
  /**
   * How the day has gone so far, of all whom the caller sees or of a team.
   * Refuses a team that the company has not, or that is not shown.
   */
  read(principal: Principal, query: DayTrendsQuery): Promise<Outcome<DayTrends>>;
}
