import { LRUCache } from 'lru-cache';
import type { DayTrends } from '../../contract/live.ts';
import { ledTeamsOf } from '../../domain/access.ts';
import { type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, refuse } from '../../domain/outcome.ts';
import { beginningOfDay, localDay } from '../../domain/reportTimes.ts';
import type { CallQuarter, ReportedCalls, StateQuarter, TrendReader } from '../../ports/reports.ts';
import { createKeyedMutex } from '../concurrency/keyedMutex.ts';
import type { Services } from '../services.ts';

const quarterMs = 15 * 60_000;
/** All who look within this time are shown the same. Milliseconds. */
const freshForMs = 60_000;
/**
 * A quarter that ended so long ago is not counted again: its calls were answered or have ended,
 * its states are written. Milliseconds.
 */
const finalAfterMs = 30 * 60_000;
/** After this everything is counted anew, whatever was written late. Milliseconds. */
const countAnewAfterMs = 2 * 3_600_000;
const rememberAtMost = 1_000;
/** Read by one statement, so that none takes long. Milliseconds. */
const atOnceMs = 2 * 3_600_000;

type Quarter = Omit<CallQuarter, 'at'> & Omit<StateQuarter, 'at'>;
/** What was counted of a company or of teams. Times in milliseconds since the epoch. */
type Counted = {
  /** By where the quarter begins; those in which nothing was are left out. */
  quarters: ReadonlyMap<number, Quarter>;
  from: number;
  until: number;
  begunAt: number;
  /** Of the teams as they were then. */
  teamVersions: string;
};

const nothing: Quarter = {
  inboundAnswered: 0,
  inboundMissed: 0,
  outboundAnswered: 0,
  outboundUnanswered: 0,
  readyMs: 0,
  onCallMs: 0,
};

const noSuchTeam = refuse('unknown_team', 'The company has no such team, or it is not shown to you.');

type Needs = Pick<Services, 'clock' | 'reports' | 'teams'>;

/**
 * Counts for all who look at once, and of what was counted before only the last half an hour again. One count at a
 * time: the first of a day reads what thousands of agents did, and must not take the database from those who work.
 */
export function createTrendReader({ clock, reports, teams }: Needs): TrendReader {
  const known = new LRUCache<string, Counted>({ max: rememberAtMost });
  const counting = createKeyedMutex();

  const isFresh = (counted: Counted, since: number) =>
    counted.from <= since && clock.now() - counted.until < freshForMs;

  /** @param of teams; null: all agents */
  async function count(companyId: CompanyId, of: readonly TeamId[] | null, since: number): Promise<Counted | null> {
    const key = `${companyId} ${of === null ? '' : of.toSorted().join()}`;
    const shown = known.get(key);
    if (shown !== undefined && isFresh(shown, since)) return shown;
    return counting.run('', async () => {
      const now = clock.now();
      // Perhaps counted while this waited for its turn.
      const before = known.get(key);
      if (before !== undefined && isFresh(before, since)) return before;
      const found =
        of === null
          ? null
          : (await Promise.all(of.map((id) => teams.find(companyId, id)))).filter((team) => team !== null);
      if (found?.length === 0) return null;
      const teamVersions = found?.map(({ id, version }) => `${id} ${String(version)}`).join() ?? '';
      const agentIds = found === null ? null : [...new Set(found.flatMap((team) => team.agentIds))];
      const goesOn =
        before !== undefined &&
        before.from <= since &&
        before.teamVersions === teamVersions &&
        now - before.begunAt < countAnewAfterMs;
      let counted: Counted = goesOn
        ? before
        : { quarters: new Map(), from: since, until: since, begunAt: now, teamVersions };
      const from = Math.max(counted.from, quarterOf(counted.until - finalAfterMs));
      for (let at = from; at < now; at = counted.until) {
        const until = Math.min(at + atOnceMs, now);
        const quarters = await countPiece(companyId, { since: new Date(at), until: new Date(until), agentIds });
        counted = {
          ...counted,
          until,
          quarters: new Map([...[...counted.quarters].filter(([begins]) => begins < at), ...quarters]),
        };
        // What comes of a count that fails later is where the next one goes on.
        known.set(key, counted);
      }
      return counted;
    });
  }

  async function countPiece(companyId: CompanyId, which: ReportedCalls): Promise<Map<number, Quarter>> {
    const quarters = new Map<number, Quarter>();
    for (const { at, ...calls } of await reports.callQuarters(companyId, which))
      quarters.set(at.getTime(), { ...nothing, ...calls });
    for (const { at, ...times } of await reports.stateQuarters(companyId, which))
      quarters.set(at.getTime(), { ...(quarters.get(at.getTime()) ?? nothing), ...times });
    return quarters;
  }

  return {
    async read(principal, { time_zone: timeZone, team_id: team }) {
      const led = ledTeamsOf(principal);
      const asked = team === undefined ? led : [toId<TeamId>(team)];
      if (led !== null && asked?.every((id) => led.includes(id)) === false) return noSuchTeam;
      const since = quarterOf(beginningOfDay(localDay(new Date(clock.now()), timeZone), timeZone).getTime());
      const counted = await count(principal.companyId, asked, since);
      if (counted === null) return noSuchTeam;
      const { quarters, until } = counted;
      const beginnings = Array.from(
        { length: Math.max(0, Math.ceil((until - since) / quarterMs)) },
        (_, place) => since + place * quarterMs,
      );
      return ok({
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        time_zone: timeZone,
        quarters: beginnings.map((at) => quarterView(at, quarters.get(at) ?? nothing, Math.min(quarterMs, until - at))),
      });
    },
  };
}

/** Where that moment's quarter of an hour begins: midnight is the beginning of one in every time zone of today. */
function quarterOf(at: number): number {
  return at - (at % quarterMs);
}

/** @param lengthMs of which there is something to count so far */
function quarterView(
  at: number,
  { inboundAnswered, inboundMissed, outboundAnswered, outboundUnanswered, readyMs, onCallMs }: Quarter,
  lengthMs: number,
): DayTrends['quarters'][number] {
  const average = (ms: number) => Math.round((ms / lengthMs) * 10) / 10;
  return {
    at: new Date(at).toISOString(),
    inbound_answered: inboundAnswered,
    inbound_missed: inboundMissed,
    outbound_answered: outboundAnswered,
    outbound_unanswered: outboundUnanswered,
    ready: average(readyMs),
    on_call: average(onCallMs),
  };
}
