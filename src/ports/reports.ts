import type { AgentId, CompanyId } from '../domain/ids.ts';

/** Figures of calls that began in a time. `answerMs`: how long those waited who were answered, all together. */
export type CallFigures = { calls: number; outbound: number; inbound: number; answered: number; missed: number; talkSeconds: number; inboundAnswered: number; answerMs: number };

/** Which calls. `agentIds` null: of every agent. */
export type ReportedCalls = { since: Date; until: Date; agentIds: AgentId[] | null };

/** How long an agent was in which states. Milliseconds. */
export type AgentTimes = { agentId: AgentId; signedInMs: number; busyMs: number; wrapUpMs: number };

export interface ReportStore {
  /**
   * Rows in order of their keys: days as `2026-11-23`, hours of the day as `09`, agents' ids, codes of dispositions (null: not wrapped up), in
   * that time zone. `name`: as the disposition was called last; null for others.
   */
  calls(companyId: CompanyId, which: ReportedCalls, by: 'day' | 'hour' | 'agent' | 'disposition', timeZone: string): Promise<(CallFigures & { key: string | null; name: string | null })[]>;
  /** What agents did in that time, up to `now`. */
  times(companyId: CompanyId, which: ReportedCalls, now: Date): Promise<AgentTimes[]>;
  /** Clicks that nobody could take, in quarters of an hour that began in that time. */
  clicksRefused(companyId: CompanyId, since: Date, until: Date): Promise<number>;
}
