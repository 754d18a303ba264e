import type { CallReport, CallReportQuery } from '../../contract/reports.ts';
import { agentsWithin, type AgentScope, ledTeamsOf, type Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { beginningOfDay, localDay, timesOfRange } from '../../domain/reportTimes.ts';
import type { AgentTimes, CallFigures, ReportedCalls } from '../../ports/reports.ts';
import type { Team } from '../../ports/teams.ts';
import { agentScopeOf } from '../agents/agentScope.ts';
import { keepLiveMs } from '../retention.ts';
import type { Services } from '../services.ts';
import { nothing, sumOf, written, writtenTimes } from './figures.ts';

export type ReportNeeds = Pick<Services, 'agentCards' | 'clock' | 'reports' | 'shares' | 'teams'>;

/**
 * Of whom a report tells, and of which teams: of all of a company, or of those whom a supervisor of some teams sees.
 * `led` null: of every team.
 */
export type Reported = { companyId: CompanyId; scope: AgentScope; led: readonly TeamId[] | null };

/** As far as the caller sees the company. */
export async function shownTo(services: Pick<Services, 'ledAgents'>, principal: Principal): Promise<Reported> {
  return { companyId: principal.companyId, scope: await agentScopeOf(services, principal), led: ledTeamsOf(principal) };
}

/** For whoever may see all of the company. */
export function allOf(companyId: CompanyId): Reported {
  return { companyId, scope: 'all', led: null };
}

/** A year and the month that it is compared with. */
const mostDays = 400;

/**
 * The calls of a time in figures, by day, hour of the day, agent, team or disposition; all of it, with the total, of
 * the agents who are reported of. Refuses a time that is none or too long, and with `rate_limited` while too many of
 * the company's are being made.
 * @param at when it is asked for: ranges are told from there
 */
export async function reportCalls(
  services: ReportNeeds,
  { companyId, led, scope }: Reported,
  query: CallReportQuery,
  at = new Date(services.clock.now()),
): Promise<Outcome<CallReport>> {
  const { group_by: by, time_zone: timeZone } = query;
  const { since, until } = timesOf(query, at);
  if (since >= until) return refusedSince('must be before until', { code: 'ends_before_start' });
  if (until.getTime() - since.getTime() > mostDays * 86_400_000) {
    return refusedSince(`must be at most ${mostDays} days before until`, {
      code: 'span_too_long',
      params: { days: mostDays },
    });
  }
  const teams = by === 'team' || query.team_id !== undefined ? await services.teams.list(companyId, led) : [];
  const team =
    query.team_id === undefined
      ? null
      : (teams.find(({ id }) => id === toId<TeamId>(query.team_id ?? ''))?.agentIds ?? []);
  const agentIds = agentsWithin(scope, team);
  const which: ReportedCalls = { since, until, agentIds };
  const inTime = by === 'day' || by === 'hour' ? by : null;
  const isKnown = await isKnownSince(services, companyId, since);
  const read = await services.shares.reports.use(companyId, () =>
    Promise.all([
      services.reports.calls(companyId, which, by === 'team' ? 'agent' : by, timeZone),
      isKnown
        ? services.reports.times(companyId, which, inTime ?? 'agent', timeZone, new Date(services.clock.now()))
        : null,
      // Nobody took them, so they are of no team.
      isKnown && led === null
        ? services.reports.clicksRefused(companyId, since, until, inTime ?? 'day', timeZone)
        : null,
    ]),
  );
  if ('kind' in read) return read;
  const [counted, times, refused] = read;
  const rows =
    by === 'team'
      ? rowsOfTeams(teams, team, counted, times)
      : rowsByKey(counted, by === 'disposition' ? null : times, inTime === null ? null : refused);
  const named = by === 'agent' ? await withNames(services, companyId, rows) : rows;
  return ok({
    since: since.toISOString(),
    until: until.toISOString(),
    time_zone: timeZone,
    group_by: by,
    rows: named.map(({ key, name, figures, times: own, refused: clicks }) => ({
      key,
      name,
      ...written(figures),
      ...writtenTimes(own),
      clicks_refused: clicks,
    })),
    total: {
      ...written(counted.reduce<CallFigures>(sumOf, nothing)),
      ...writtenTimes(times),
      clicks_refused: refused?.reduce((sum, one) => sum + one.refused, 0) ?? null,
    },
  });
}

function timesOf(
  { range, since, time_zone: timeZone, until }: CallReportQuery,
  at: Date,
): { since: Date; until: Date } {
  if (range !== undefined) return timesOfRange(range, at, timeZone);
  return {
    since: since === undefined ? beginningOfDay(localDay(at, timeZone), timeZone) : new Date(since),
    until: until === undefined ? at : new Date(until),
  };
}

/**
 * Whether all is known of what agents did since then, and of clicks.
 * What was before the company was is nothing, and known.
 */
async function isKnownSince(
  { clock, reports }: Pick<Services, 'clock' | 'reports'>,
  companyId: CompanyId,
  since: Date,
): Promise<boolean> {
  const { knownSince } = (await reports.reach(companyId)) ?? { knownSince: new Date(clock.now() - keepLiveMs) };
  return knownSince === null || since >= knownSince;
}

type Row = {
  key: string | null;
  name: string | null;
  figures: CallFigures;
  times: readonly AgentTimes[] | null;
  refused: number | null;
};
type Counted = CallFigures & { key: string | null; name: string | null };
type KeyedTimes = AgentTimes & { key: string };

/** A row for each key of which anything is known: somebody may be signed in, or asked for, without a call. */
function rowsByKey(
  counted: Counted[],
  times: KeyedTimes[] | null,
  refused: { key: string; refused: number }[] | null,
): Row[] {
  const rows = new Map<string | null, Row>();
  const rowOf = (key: string | null) => {
    const row = rows.get(key) ?? {
      key,
      name: null,
      figures: nothing,
      times: times === null || key === null ? null : [],
      refused: refused === null ? null : 0,
    };
    rows.set(key, row);
    return row;
  };
  for (const { key, name, ...figures } of counted) Object.assign(rowOf(key), { name, figures });
  for (const one of times ?? []) if (one.signedInMs > 0) rowOf(one.key).times = [one];
  for (const one of refused ?? []) rowOf(one.key).refused = one.refused;
  return [...rows.values()].toSorted((one, other) => compareKeys(one.key, other.key));
}

/** In their order; null is the last. */
function compareKeys(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

/** A call counts in each team that its agent is in. Of those teams alone, where some agents were asked for. */
function rowsOfTeams(teams: Team[], agentIds: AgentId[] | null, counted: Counted[], times: KeyedTimes[] | null): Row[] {
  return teams
    .filter((team) => agentIds === null || team.agentIds.some((id) => agentIds.includes(id)))
    .map((team) => {
      const members = new Set<string>(team.agentIds);
      return {
        key: team.id,
        name: team.name,
        figures: counted.filter(({ key }) => key !== null && members.has(key)).reduce<CallFigures>(sumOf, nothing),
        times: times?.filter(({ key }) => members.has(key)) ?? null,
        refused: null,
      };
    });
}

/** Agents by name, those who were signed in without a call too. */
async function withNames(services: ReportNeeds, companyId: CompanyId, rows: Row[]): Promise<Row[]> {
  const cards = await services.agentCards(
    companyId,
    rows.flatMap(({ key }) => (key === null ? [] : [toId<AgentId>(key)])),
  );
  const named = rows.map((row) => ({
    ...row,
    name: row.key === null ? null : (cards.get(toId<AgentId>(row.key))?.name ?? null),
  }));
  return named.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
}

function refusedSince(
  message: string,
  cause: { code: 'ends_before_start' } | { code: 'span_too_long'; params: { days: number } },
) {
  return refuse('invalid_request', `since ${message}.`, { errors: [{ path: 'since', message, ...cause }] });
}
