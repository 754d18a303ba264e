import type { CallReport, CallReportQuery } from '../../contract/reports.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { instantOf, localTimeOf } from '../../domain/localTime.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import type { AgentTimes, CallFigures, ReportedCalls } from '../../ports/reports.ts';
import type { Team } from '../../ports/teams.ts';
import { byteOrderMark } from '../imports/refusedRows.ts';
import { keepLiveMs } from '../retention.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'agentCards' | 'clock' | 'reports' | 'teams'>;

/** A year and the month that it is compared with. */
const mostDays = 400;

const nothing: CallFigures = { calls: 0, outbound: 0, inbound: 0, answered: 0, missed: 0, talkSeconds: 0, inboundAnswered: 0, answerMs: 0 };

/** The calls of a time in figures, by day, hour of the day, agent, team or disposition. Refuses a time that is none or too long. */
export async function reportCalls(services: Needs, companyId: CompanyId, query: CallReportQuery): Promise<Outcome<CallReport>> {
  const now = services.clock.now();
  const { group_by: by, time_zone: timeZone } = query;
  const until = new Date(query.until === undefined ? now : Date.parse(query.until));
  const since = query.since === undefined ? midnightBefore(new Date(now), timeZone) : new Date(query.since);
  if (since >= until) return refusedSince('must be before until', { code: 'ends_before_start' });
  if (until.getTime() - since.getTime() > mostDays * 86_400_000) return refusedSince(`must be at most ${mostDays} days before until`, { code: 'span_too_long', params: { days: mostDays } });
  const teams = by === 'team' || query.team_id !== undefined ? await services.teams.list(companyId) : [];
  const agentIds = query.team_id === undefined ? null : (teams.find(({ id }) => id === toId<TeamId>(query.team_id ?? ''))?.agentIds ?? []);
  const which: ReportedCalls = { since, until, agentIds };
  // What agents did, and clicks, are kept for 30 days.
  const isKept = since.getTime() >= now - keepLiveMs;
  const [counted, times, refused] = await Promise.all([
    services.reports.calls(companyId, which, by === 'team' ? 'agent' : by, timeZone),
    isKept ? services.reports.times(companyId, which, new Date(now)) : null,
    isKept ? services.reports.clicksRefused(companyId, since, until) : null,
  ]);
  const timesOf = by === 'agent' || by === 'team' ? new Map(times?.map((one) => [one.agentId, one])) : null;
  const rows = by === 'team' ? rowsOfTeams(teams, agentIds, counted, times) : counted.map(({ key, name, ...figures }) => ({ key, name, figures, times: timesOfKey(key, timesOf, times !== null) }));
  const named = by === 'agent' ? await withNames(services, companyId, rows, timesOf) : rows;
  return ok({
    since: since.toISOString(),
    until: until.toISOString(),
    time_zone: timeZone,
    group_by: by,
    rows: named.map(({ key, name, figures, times: own }) => ({ key, name, ...written(figures), ...writtenTimes(own) })),
    total: { ...written(counted.reduce<CallFigures>(sumOf, nothing)), ...writtenTimes(times === null ? null : times), clicks_refused: refused },
  });
}

/** The rows of the report as CSV, with a line for the total. */
export function reportAsCsv({ rows, total, group_by: by }: CallReport): string {
  const columns = ['calls', 'outbound', 'inbound', 'answered', 'missed', 'talk_seconds', 'answer_seconds', 'signed_in_seconds', 'wrap_up_seconds', 'occupancy'] as const;
  const line = (key: string | null, name: string | null, row: Pick<CallReport['total'], (typeof columns)[number]>) => csvLine([key, name, ...columns.map((column) => row[column]?.toString() ?? null)]);
  return [byteOrderMark + csvLine([by, 'name', ...columns]), ...rows.map((row) => line(row.key, row.name, row)), line('total', null, total)].join('');
}

type Row = { key: string | null; name: string | null; figures: CallFigures; times: readonly AgentTimes[] | null };

/** A call counts in each team that its agent is in. Of those teams alone, where some agents were asked for. */
function rowsOfTeams(teams: Team[], agentIds: AgentId[] | null, counted: (CallFigures & { key: string | null })[], times: AgentTimes[] | null): Row[] {
  return teams
    .filter((team) => agentIds === null || team.agentIds.some((id) => agentIds.includes(id)))
    .map((team) => {
      const members = new Set<string>(team.agentIds);
      return {
        key: team.id,
        name: team.name,
        figures: counted.filter(({ key }) => key !== null && members.has(key)).reduce<CallFigures>(sumOf, nothing),
        times: times?.filter(({ agentId }) => members.has(agentId)) ?? null,
      };
    });
}

/** Agents by name, those who were signed in without a call too. */
async function withNames(services: Needs, companyId: CompanyId, rows: Row[], timesOf: ReadonlyMap<string, AgentTimes> | null): Promise<Row[]> {
  const withoutCalls = [...(timesOf?.values() ?? [])].filter(({ agentId, signedInMs }) => signedInMs > 0 && !rows.some(({ key }) => key === agentId));
  const all = [...rows, ...withoutCalls.map((times): Row => ({ key: times.agentId, name: null, figures: nothing, times: [times] }))];
  const cards = await services.agentCards(companyId, all.flatMap(({ key }) => (key === null ? [] : [toId<AgentId>(key)])));
  const named = all.map((row) => ({ ...row, name: row.key === null ? null : (cards.get(toId<AgentId>(row.key))?.name ?? null) }));
  return named.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
}

function timesOfKey(key: string | null, timesOf: ReadonlyMap<string, AgentTimes> | null, isKept: boolean): AgentTimes[] | null {
  if (timesOf === null || !isKept || key === null) return null;
  const own = timesOf.get(key);
  return own === undefined ? [] : [own];
}

function sumOf(sum: CallFigures, { calls, outbound, inbound, answered, missed, talkSeconds, inboundAnswered, answerMs }: CallFigures): CallFigures {
  return {
    calls: sum.calls + calls,
    outbound: sum.outbound + outbound,
    inbound: sum.inbound + inbound,
    answered: sum.answered + answered,
    missed: sum.missed + missed,
    talkSeconds: sum.talkSeconds + talkSeconds,
    inboundAnswered: sum.inboundAnswered + inboundAnswered,
    answerMs: sum.answerMs + answerMs,
  };
}

function written({ calls, outbound, inbound, answered, missed, talkSeconds, inboundAnswered, answerMs }: CallFigures) {
  const average = inboundAnswered === 0 ? null : Math.round(answerMs / inboundAnswered / 100) / 10;
  return { calls, outbound, inbound, answered, missed, talk_seconds: talkSeconds, answer_seconds: average };
}

function writtenTimes(times: readonly AgentTimes[] | null) {
  if (times === null) return { signed_in_seconds: null, wrap_up_seconds: null, occupancy: null };
  const sum = (of: (one: AgentTimes) => number) => times.reduce((total, one) => total + of(one), 0);
  const [signedInMs, busyMs, wrapUpMs] = [sum((one) => one.signedInMs), sum((one) => one.busyMs), sum((one) => one.wrapUpMs)];
  const occupancy = signedInMs === 0 ? null : Math.round((busyMs / signedInMs) * 1_000) / 1_000;
  return { signed_in_seconds: Math.round(signedInMs / 1_000), wrap_up_seconds: Math.round(wrapUpMs / 1_000), occupancy };
}

function midnightBefore(now: Date, timeZone: string): Date {
  return instantOf(`${localTimeOf(now, timeZone).slice(0, 10)}T00:00`, timeZone);
}

function refusedSince(message: string, cause: { code: 'ends_before_start' } | { code: 'span_too_long'; params: { days: number } }) {
  return refuse('invalid_request', `since ${message}.`, { errors: [{ path: 'since', message, ...cause }] });
}
