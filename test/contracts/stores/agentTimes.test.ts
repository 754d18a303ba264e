import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentId, toId } from '../../../src/domain/ids.ts';
import { localTimeOf } from '../../../src/domain/localTime.ts';
import { quarterMs } from '../../../src/domain/reportTimes.ts';
import type { AgentTimes } from '../../../src/ports/reports.ts';
import type { StateChange } from '../../../src/ports/wallboard.ts';
import { rollUpAfterMs, rollUpTimes } from '../../../src/usecases/reports/rollUpTimes.ts';
import { pruneFigures, pruneTimelines, keepLiveMs } from '../../../src/usecases/retention.ts';
import { createManualClock } from '../../support/time/manualClock.ts';
import { makeCompany, newAgent, openStores, type MadeCompany, type Stores } from './openStores.ts';

/** The clocks of Europe go back an hour on the second day. */
const first = new Date('2025-10-25T00:00:00.000Z').getTime();
const dayMs = 86_400_000;
const days = 6;
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'];
const busy = new Set(['reserved', 'on_call', 'wrap_up']);

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

/** What an agent did, in order of time. */
type Course = { agentId: AgentId; changes: StateChange[] };

/** The same by looking at each moment of the agents' courses, a second at a time. */
function counted(
  courses: Course[],
  { since, until }: { since: number; until: number },
  keyOf: (agentId: AgentId, at: Date) => string,
): Map<string, AgentTimes> {
  const times = new Map<string, AgentTimes>();
  for (const { agentId, changes } of courses) {
    for (const [place, { since: from, state }] of changes.entries()) {
      if (state === 'offline') continue;
      const end = Math.min(changes[place + 1]?.since.getTime() ?? until, until);
      for (let at = Math.max(from.getTime(), since); at < end;) {
        const next = Math.min(end, Math.floor(at / quarterMs) * quarterMs + quarterMs);
        const key = keyOf(agentId, new Date(at));
        const { busyMs, signedInMs, wrapUpMs } = times.get(key) ?? { signedInMs: 0, busyMs: 0, wrapUpMs: 0 };
        const ms = next - at;
        times.set(key, {
          signedInMs: signedInMs + ms,
          busyMs: busyMs + (busy.has(state) ? ms : 0),
          wrapUpMs: wrapUpMs + (state === 'wrap_up' ? ms : 0),
        });
        at = next;
      }
    }
  }
  return times;
}

const keys = {
  day: (zone: string) => (_: AgentId, at: Date) => localTimeOf(at, zone).slice(0, 10),
  hour: (zone: string) => (_: AgentId, at: Date) => localTimeOf(at, zone).slice(11, 13),
  agent: () => (agentId: AgentId) => agentId as string,
} as const;

async function expectToAddUp(
  { companyId }: MadeCompany,
  courses: Course[],
  time = { since: first, until: first + days * dayMs },
): Promise<void> {
  for (const zone of zones) {
    for (const by of ['day', 'hour', 'agent'] as const) {
      const rows = await stores.reports.times(
        companyId,
        { since: new Date(time.since), until: new Date(time.until), agentIds: null },
        by,
        zone,
        new Date(first + 90 * dayMs),
      );
      const found = new Map(rows.map(({ key, ...times }) => [key, times]));
      expect([zone, by, found]).toEqual([zone, by, counted(courses, time, keys[by](zone))]);
    }
  }
}

/** Rolls up and forgets what is old enough at that time, as a gateway does. */
const upTo = (at: number) => ({
  clock: createManualClock(at + rollUpAfterMs),
  agentTimes: stores.agentTimes,
  observer: { ...quiet },
});
const quiet = { problem: (what: string, error: unknown) => expect.fail(`${what}: ${String(error)}`) };
const rollUpTo = (at: number, signal = new AbortController().signal) => rollUpTimes(upTo(at), signal);
const forget = (at: number) =>
  pruneTimelines(
    { agentHistory: stores.agentHistory, clock: createManualClock(at + keepLiveMs) },
    new AbortController().signal,
  );

/** A company of two whose days are as they were drawn: pairs of a second of the time and a state. */
async function makeCourses(
  drawn: { second: number; state: StateChange['state'] }[][],
): Promise<{ company: MadeCompany; courses: Course[] }> {
  const company = await makeCompany(stores);
  const second = newAgent('second');
  await stores.agents.create(company.companyId, second);
  const courses = [company.agentId, second.id].map((agentId, agent): Course => {
    const moments = [...new Map((drawn[agent] ?? []).map((one) => [one.second, one])).values()].toSorted(
      (one, other) => one.second - other.second,
    );
    const changes = moments.map((one, place): StateChange => ({
      companyId: company.companyId,
      agentId,
      since: new Date(first + one.second * 1_000),
      version: place + 1,
      state: one.state,
      reason: null,
      callId: null,
    }));
    return { agentId, changes };
  });
  await stores.agentHistory.add(courses.flatMap(({ changes }) => changes));
  return { company, courses };
}

const change = fc.record({
  second: fc.integer({ min: -dayMs / 1_000, max: (days * dayMs) / 1_000 - 1 }),
  state: fc.constantFrom<StateChange['state']>('ready', 'not_ready', 'reserved', 'on_call', 'wrap_up', 'offline'),
});
const course = fc.array(change, { maxLength: 30 });

describe('what agents did, rolled up', () => {
  it('adds up to their timelines, however far they are rolled up and forgotten', async () => {
    const at = fc.integer({ min: -10, max: days * 24 * 4 + 10 }).map((quarter) => first + quarter * quarterMs);
    const cuts = fc.array(at, { minLength: 1, maxLength: 3 }).map((list) => list.toSorted((one, other) => one - other));
    await fc.assert(
      fc.asyncProperty(fc.tuple(course, course), cuts, at, at, async (drawn, until, one, other) => {
        const { company, courses } = await makeCourses(drawn);
        const time = { since: Math.min(one, other), until: Math.max(one, other) + quarterMs };
        await expectToAddUp(company, courses, time);
        for (const cut of until) {
          await rollUpTo(cut);
          await forget(cut);
          await expectToAddUp(company, courses, time);
        }
      }),
      { numRuns: 8 },
    );
  });

  const usual = [
    [
      { second: -40_000, state: 'ready' as const },
      { second: 29_113, state: 'on_call' as const },
      { second: 95_001, state: 'wrap_up' as const },
      { second: 95_031, state: 'offline' as const },
      { second: 300_007, state: 'not_ready' as const },
    ],
    [{ second: 1, state: 'not_ready' as const }],
  ];

  it('adds up where it was ended midway, when it is run twice, and by two gateways at once', async () => {
    const { company, courses } = await makeCourses(usual);
    const ending = new AbortController();
    const { agentTimes } = stores;
    let pieces = 0;
    const endsAfterOne = {
      ...agentTimes,
      rollUp: (...given: Parameters<typeof agentTimes.rollUp>) =>
        agentTimes
          .rollUp(...given)
          .finally(() => void ((pieces += 1), given[0] === company.companyId && ending.abort())),
    };
    const until = first + days * dayMs;
    await rollUpTimes({ ...upTo(until), agentTimes: endsAfterOne }, ending.signal);
    await forget(until);
    await expectToAddUp(company, courses);
    expect(pieces).toBeGreaterThan(0);
    await Promise.all([rollUpTo(until), rollUpTo(until), rollUpTo(until)]);
    await rollUpTo(until);
    await forget(until);
    await expectToAddUp(company, courses);
    // What reaches into the time that is not rolled up is all that is left.
    const { rows } = await stores.pool.query('SELECT agent_id FROM agent_state_change WHERE company_id = $1', [
      company.companyId,
    ]);
    expect(rows.map(({ agent_id: id }) => id).toSorted()).toEqual(courses.map(({ agentId }) => agentId).toSorted());
  });

  it('is counted of some agents alone, too', async () => {
    const {
      company: { companyId, agentId },
      courses,
    } = await makeCourses(usual);
    await rollUpTo(first + 3 * dayMs);
    const which = { since: new Date(first), until: new Date(first + days * dayMs), agentIds: [agentId] };
    const [own] = await stores.reports.times(companyId, which, 'agent', 'UTC', which.until);
    expect(own).toEqual({
      key: agentId,
      ...counted(courses.slice(0, 1), { since: first, until: first + days * dayMs }, keys.agent()).get(agentId),
    });
    expect(
      await stores.reports.times(
        companyId,
        { ...which, agentIds: [toId<AgentId>('00000000-0000-7000-8000-000000000000')] },
        'day',
        'UTC',
        which.until,
      ),
    ).toEqual([]);
  });

  it('is not forgotten of a company whose roll-up fails, and the others go on', async () => {
    const [broken, sound] = [await makeCourses(usual), await makeCourses(usual)];
    const problems: string[] = [];
    const { agentTimes } = stores;
    const fails = {
      ...agentTimes,
      rollUp: (...given: Parameters<typeof agentTimes.rollUp>) =>
        given[0] === broken.company.companyId ? Promise.reject(new Error('away')) : agentTimes.rollUp(...given),
    };
    const until = first + days * dayMs;
    await rollUpTimes(
      { ...upTo(until), agentTimes: fails, observer: { problem: (what) => void problems.push(what) } },
      new AbortController().signal,
    );
    expect(problems).toEqual(['what agents did could not be rolled up']);
    await forget(until);
    for (const { company, courses } of [broken, sound]) await expectToAddUp(company, courses);
  });
});

describe('how far back reports reach', () => {
  const month = (at: number) => new Date(new Date(at).setUTCMonth(new Date(at).getUTCMonth() - 13));
  const prune = (now: number) =>
    pruneFigures(
      { agentTimes: stores.agentTimes, clickTallies: stores.clickTallies, clock: createManualClock(now) },
      13,
      new AbortController().signal,
    );

  it('is to where the company began, and later than what was forgotten', async () => {
    const {
      company: { companyId },
    } = await makeCourses([[{ second: 0, state: 'ready' }]]);
    const counts = { dialed: 0, noReadyAgent: 1, agentNotReady: 0, failed: 0 };
    await stores.clickTallies.add([
      { companyId, at: new Date(first), counts },
      { companyId, at: new Date(first + dayMs), counts },
    ]);
    expect(await stores.reports.reach(companyId)).toBeNull();
    await rollUpTo(first + days * dayMs);
    expect(await stores.reports.reach(companyId)).toEqual({ knownSince: null });
    const now = Date.parse('2026-11-26T00:07:00Z');
    expect(month(now).toISOString()).toBe('2025-10-26T00:07:00.000Z');
    await prune(now);
    const knownSince = new Date('2025-10-26T00:00:00.000Z');
    expect(await stores.reports.reach(companyId)).toEqual({ knownSince });
    const all = { since: new Date(first), until: new Date(first + days * dayMs), agentIds: null };
    expect((await stores.reports.times(companyId, all, 'day', 'UTC', all.until)).map(({ key }) => key)).toEqual([
      '2025-10-26',
      '2025-10-27',
      '2025-10-28',
      '2025-10-29',
      '2025-10-30',
    ]);
    expect(await stores.reports.clicksRefused(companyId, all.since, all.until, 'day', 'UTC')).toEqual([
      { key: '2025-10-26', refused: 1 },
    ]);
    expect(await stores.reports.clicksRefused(companyId, all.since, all.until, 'hour', 'Asia/Kathmandu')).toEqual([
      { key: '05', refused: 1 },
    ]);
  });

  it('is 30 days before the first roll-up for a company of before', async () => {
    const {
      company: { companyId },
    } = await makeCourses([[{ second: 0, state: 'ready' }]]);
    await stores.pool.query("UPDATE company SET created_at = '2020-01-01' WHERE id = $1", [companyId]);
    const until = first + days * dayMs;
    await rollUpTo(until);
    expect(await stores.reports.reach(companyId)).toEqual({ knownSince: new Date(until + rollUpAfterMs - keepLiveMs) });
  });
});
