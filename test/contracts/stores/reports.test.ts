import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallQuality } from '../../../src/contract/calls.ts';
import { durationSeconds, holdSeconds, type Call } from '../../../src/domain/calls.ts';
import { type CallId, toId } from '../../../src/domain/ids.ts';
import { localTimeOf } from '../../../src/domain/localTime.ts';
import type { CallDayToRollUp, CallFigures } from '../../../src/ports/reports.ts';
import { rollUpCalls } from '../../../src/usecases/reports/rollUpCalls.ts';
import { createManualClock } from '../../support/time/manualClock.ts';
import { makeCompany, newAgent, newCall, openStores, type MadeCompany, type Stores } from './openStores.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'];
/** The clocks of Europe go back an hour on this day, those of Newfoundland a week later. */
const since = new Date('2025-10-24T12:00:00.000Z');
const days = 10;
const until = new Date(since.getTime() + days * 86_400_000);

let stores: Stores;
let company: MadeCompany;
let calls: Call[];

beforeAll(async () => {
  stores = await openStores();
  company = await makeCompany(stores, 'https://example.com');
  const second = newAgent('second');
  await stores.agents.create(company.companyId, second);
  calls = [];
  // Every 47 minutes and some, from a day before to a day after; each kind of end in turn.
  for (let n = 0; n * 2_837_123 < (days + 2) * 86_400_000; n += 1) {
    const createdAt = new Date(since.getTime() - 86_400_000 + n * 2_837_123);
    const answeredAt = n % 3 === 0 ? null : new Date(createdAt.getTime() + (n % 17) * 1_370);
    const endedAt = n % 11 === 5 ? null : new Date((answeredAt ?? createdAt).getTime() + (n % 13) * 7_499);
    const agentId = n % 2 === 0 ? company.agentId : second.id;
    const disposition =
      endedAt === null || n % 4 !== 0
        ? null
        : {
            code: n % 8 === 0 ? 'resolved' : 'other',
            label: `Label ${n}`,
            notes: null,
            callbackAt: null,
            submittedAt: endedAt,
          };
    const lasting = answeredAt === null ? 'dialing' : 'connected';
    const how = answeredAt !== null && n % 5 === 2 ? 'transferred' : 'completed';
    const made: Call = {
      ...newCall(company, { id: toId<CallId>(newId({ msecs: createdAt.getTime() })) }),
      ...{ agentId, createdAt, answeredAt, endedAt, disposition, direction: n % 5 === 0 ? 'inbound' : 'outbound' },
      parentCallId: n % 9 === 4 ? calls.at(-1)!.id : null,
      state: endedAt === null ? lasting : 'ended',
      endReason: endedAt === null ? null : how,
      // An agent has one call at a time, so that those that last are of a platform.
      ...(endedAt === null
        ? {
            platform: {
              source: 'genesys',
              callId: `call-${n}`,
              round: 0,
              at: createdAt,
              rangAt: null,
              endedAt: null,
            },
          }
        : {}),
    };
    await stores.calls.create(made, []);
    const kept: Call = {
      ...made,
      version: 2,
      holdMs: (n % 9) * 1_731,
      quality: n % 7 === 0 ? qualityOf(n) : null,
    };
    await stores.calls.commit(kept, []);
    calls.push(kept);
  }
});
afterAll(() => stores.close());

/** Some are of softphones that tell neither the middle nor the worst of it. */
function qualityOf(n: number): CallQuality {
  const spread =
    n % 14 === 0
      ? { mos_median: 3 + (n % 8) / 10, mos_worst: 1 + (n % 20) / 10 }
      : { mos_median: null, mos_worst: null };
  return { mos: 3 + (n % 10) / 10, ...spread, rtt_ms: null, jitter_ms: n % 40, loss_percent: 0.5 };
}

/** Without what the row is of. */
function figuresOf({
  calls: count,
  conversations,
  outbound,
  inbound,
  answered,
  missed,
  transferred,
  talkSeconds,
  holdSeconds: held,
  inboundAnswered,
  answerMs,
  measured,
  mosSum,
  mosMedianSum,
  mosWorst,
}: CallFigures): CallFigures {
  return {
    calls: count,
    conversations,
    outbound,
    inbound,
    answered,
    missed,
    transferred,
    talkSeconds,
    holdSeconds: held,
    inboundAnswered,
    answerMs: Math.round(answerMs),
    measured,
    mosSum: Math.round(mosSum * 10),
    mosMedianSum: Math.round(mosMedianSum * 10),
    mosWorst,
  };
}

/** The same by reading every call. */
function counted(list: Call[]): CallFigures {
  const answered = list.filter((call) => call.answeredAt !== null);
  const inbound = list.filter(({ direction }) => direction === 'inbound');
  const inboundAnswered = inbound.filter((call) => call.answeredAt !== null);
  const worst = list.flatMap(({ quality }) => quality?.mos_worst ?? []);
  return {
    calls: list.length,
    conversations: list.filter(({ parentCallId }) => parentCallId === null).length,
    outbound: list.length - inbound.length,
    inbound: inbound.length,
    answered: answered.length,
    missed: inbound.filter(({ answeredAt, state }) => answeredAt === null && state === 'ended').length,
    transferred: list.filter(({ endReason }) => endReason === 'transferred').length,
    talkSeconds: list.reduce((sum, call) => sum + (durationSeconds(call) ?? 0), 0),
    holdSeconds: list.reduce((sum, call) => sum + holdSeconds(call), 0),
    measured: list.filter(({ quality }) => quality !== null).length,
    mosSum: Math.round(list.reduce((sum, { quality }) => sum + (quality?.mos ?? 0), 0) * 10),
    mosMedianSum: Math.round(
      list.reduce((sum, { quality }) => sum + (quality?.mos_median ?? quality?.mos ?? 0), 0) * 10,
    ),
    mosWorst: worst.length === 0 ? null : Math.min(...worst),
    inboundAnswered: inboundAnswered.length,
    answerMs: inboundAnswered.reduce((sum, call) => sum + (call.answeredAt!.getTime() - call.createdAt.getTime()), 0),
  };
}

const keys = {
  day: (call: Call, zone: string) => localTimeOf(call.createdAt, zone).slice(0, 10),
  hour: (call: Call, zone: string) => localTimeOf(call.createdAt, zone).slice(11, 13),
  agent: (call: Call) => call.agentId,
  disposition: (call: Call) => call.disposition?.code ?? null,
} as const;

/** What differs between the reports by that and the calls themselves; nothing. */
async function expectToAddUp(zone: string, by: keyof typeof keys, time = { since, until }): Promise<void> {
  const ofTime = calls.filter(({ createdAt }) => createdAt >= time.since && createdAt < time.until);
  const rows = await stores.reports.calls(company.companyId, { ...time, agentIds: null }, by, zone);
  const expected = groupBy(ofTime, (call) => keys[by](call, zone));
  expect(new Map(rows.map((row) => [row.key, figuresOf(row)]))).toEqual(
    new Map([...expected].map(([key, list]) => [key, counted(list)])),
  );
  const own = await stores.reports.calls(company.companyId, { ...time, agentIds: [company.agentId] }, by, zone);
  expect(own.reduce((sum, row) => sum + row.calls, 0)).toBe(
    ofTime.filter(({ agentId }) => agentId === company.agentId).length,
  );
}

async function expectNamesOfLatest(): Promise<void> {
  const rows = await stores.reports.calls(company.companyId, { since, until, agentIds: null }, 'disposition', 'UTC');
  const last = calls
    .filter(({ createdAt, disposition }) => createdAt >= since && createdAt < until && disposition?.code === 'resolved')
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .at(-1);
  expect(rows.map(({ key, name }) => [key, name])).toEqual(
    expect.arrayContaining([
      ['resolved', last?.disposition?.label],
      [null, null],
    ]),
  );
}

const groups = Object.keys(keys) as (keyof typeof keys)[];

describe.each(zones)('a report in %s', (zone) => {
  it.each(groups)('by %s adds up to the calls themselves', (by) => expectToAddUp(zone, by));
});

it('names a disposition as it was called last', () => expectNamesOfLatest());

describe('a report on calls that are rolled up', () => {
  const rollUp = (signal = new AbortController().signal, now = until.getTime() + 30 * 86_400_000) =>
    rollUpCalls(
      {
        callRollUps: stores.callRollUps,
        clock: createManualClock(now),
        observer: { problem: (what, error) => expect.fail(`${what}: ${String(error)}`) },
      },
      signal,
    );
  const rolledUpUntil = async () =>
    (
      await stores.pool.query<{ until: Date }>('SELECT until FROM call_roll_up WHERE company_id = $1', [
        company.companyId,
      ])
    ).rows[0]?.until;
  const staleDays = async () => (await stores.callRollUps.stale(100)).length;
  /** A time that neither begins nor ends with a day. */
  const odd = { since: new Date(since.getTime() + 3_721_000), until: new Date(until.getTime() - 86_400_000 - 7_000) };

  it('adds up where rolling up has come so far', async () => {
    // In the middle, and while some of the time lies before and after it.
    await rollUp(undefined, since.getTime() + 5.5 * 86_400_000);
    expect(await rolledUpUntil()).toEqual(new Date('2025-10-28T00:00:00.000Z'));
    for (const zone of zones) {
      for (const by of groups) for (const time of [undefined, odd]) await expectToAddUp(zone, by, time);
    }
    await expectNamesOfLatest();
  });

  it('adds up after it was ended midway, after a second run, and when it comes late', async () => {
    const ending = new AbortController();
    const { callRollUps } = stores;
    let days = 0;
    const endsAfterTwo = {
      ...callRollUps,
      rollUp: (day: CallDayToRollUp) =>
        callRollUps.rollUp(day).finally(() => void ((days += 1) === 2 && ending.abort())),
    };
    await rollUpCalls(
      {
        callRollUps: endsAfterTwo,
        clock: createManualClock(until.getTime() + 86_400_000),
        observer: { problem: (what) => expect.fail(what) },
      },
      ending.signal,
    );
    expect(await rolledUpUntil()).toEqual(new Date('2025-10-30T00:00:00.000Z'));
    await expectToAddUp('UTC', 'day');
    await rollUp();
    await rollUp();
    expect((await rolledUpUntil())!.getTime()).toBeGreaterThan(until.getTime());
    for (const zone of zones) {
      for (const by of groups) for (const time of [undefined, odd]) await expectToAddUp(zone, by, time);
    }
    await expectNamesOfLatest();
  });

  it('reads no call of a day that is rolled up', async () => {
    // As if all records were gone without anybody having been told.
    await stores.pool.query(
      'CREATE TABLE kept AS SELECT * FROM call; ALTER TABLE call DISABLE TRIGGER USER; DELETE FROM call',
    );
    const day = { since: new Date('2025-10-27T00:00:00Z'), until: new Date('2025-10-29T00:00:00Z') };
    try {
      for (const by of groups) await expectToAddUp('UTC', by, day);
    } finally {
      await stores.pool.query(
        'INSERT INTO call SELECT * FROM kept; DROP TABLE kept; ALTER TABLE call ENABLE TRIGGER USER',
      );
    }
  });

  it('has what is changed afterwards at once, and after it is rolled up again', async () => {
    await change(7, (call) => ({
      disposition: {
        code: 'corrected',
        label: 'Corrected',
        notes: null,
        callbackAt: null,
        submittedAt: call.createdAt,
      },
    }));
    await change(40, ({ createdAt }) => ({
      state: 'ended',
      endReason: 'transferred',
      answeredAt: createdAt,
      endedAt: new Date(createdAt.getTime() + 61_500),
      holdMs: 2_500,
    }));
    const late = {
      ...calls[70]!,
      id: toId<CallId>(newId({ msecs: calls[70]!.createdAt.getTime() + 1 })),
      version: 1,
      disposition: null,
      holdMs: 0,
      quality: null,
    };
    await stores.calls.create(
      {
        ...late,
        platform: {
          source: 'genesys',
          callId: 'late',
          round: 0,
          at: late.createdAt,
          rangAt: null,
          endedAt: null,
        },
      },
      [],
    );
    calls.push(late);
    expect(await staleDays()).toBe(3);
    const all = async () => {
      for (const zone of zones) for (const by of groups) await expectToAddUp(zone, by);
    };
    await all();
    await rollUp();
    expect(await staleDays()).toBe(0);
    await all();
  });

  it('keeps a change that comes while its day is rolled up', async () => {
    await change(12, () => ({ holdMs: 77_000 }));
    const [day] = await stores.callRollUps.stale(10);
    // Written, and not committed before the day is rolled up.
    const writer = stores.openSession();
    const client = await writer.connect();
    await client.query('BEGIN');
    const other = calls.findIndex(
      ({ createdAt }, index) =>
        index !== 12 && createdAt >= day!.day && createdAt.getTime() < day!.day.getTime() + 86_400_000,
    );
    await client.query('UPDATE call SET hold_ms = 99000 WHERE company_id = $1 AND id = $2', [
      company.companyId,
      calls[other]!.id,
    ]);
    expect(await stores.callRollUps.rollUp(day!)).toBe(true);
    await client.query('COMMIT');
    client.release();
    await writer.end();
    calls[other] = { ...calls[other]!, holdMs: 99_000 };
    await expectToAddUp('UTC', 'agent');
    expect(await staleDays()).toBe(1);
    await rollUp();
    await expectToAddUp('UTC', 'day');
  });

  it('is rolled up once by two gateways at a time, and again only where a figure has changed', async () => {
    await change(20, () => ({ holdMs: 5_000 }));
    const [day] = await stores.callRollUps.stale(10);
    expect((await Promise.all([stores.callRollUps.rollUp(day!), stores.callRollUps.rollUp(day!)])).toSorted()).toEqual([
      false,
      true,
    ]);
    await stores.pool.query("UPDATE call SET phone = NULL, notes_draft = 'x' WHERE company_id = $1", [
      company.companyId,
    ]);
    expect(await staleDays()).toBe(0);
    await expectToAddUp('UTC', 'day');
  });

  /** Changes a call as the gateways do. */
  async function change(index: number, changed: (call: Call) => Partial<Call>): Promise<void> {
    const before = calls[index]!;
    const next = { ...before, ...changed(before), version: before.version + 1 };
    expect(await stores.calls.commit(next, [])).not.toBe('conflict');
    calls[index] = next;
  }
});

describe('quarters of an hour', () => {
  const quarterOf = ({ createdAt }: Call) => createdAt.getTime() - (createdAt.getTime() % 900_000);

  it('add up to the calls themselves', async () => {
    const ofTime = calls.filter(({ createdAt }) => createdAt >= since && createdAt < until);
    const is = (direction: Call['direction'], isAnswered: boolean) => (call: Call) =>
      call.direction === direction &&
      (isAnswered ? call.answeredAt !== null : call.answeredAt === null && call.state === 'ended');
    const expected = [...groupBy(ofTime, quarterOf)].map(([at, list]) => ({
      at: new Date(at),
      inboundAnswered: list.filter(is('inbound', true)).length,
      inboundMissed: list.filter(is('inbound', false)).length,
      outboundAnswered: list.filter(is('outbound', true)).length,
      outboundUnanswered: list.filter(is('outbound', false)).length,
    }));
    const rows = await stores.reports.callQuarters(company.companyId, { since, until, agentIds: null });
    expect(rows.toSorted((one, other) => one.at.getTime() - other.at.getTime())).toEqual(expected);
    const own = await stores.reports.callQuarters(company.companyId, { since, until, agentIds: [company.agentId] });
    expect(own).toHaveLength(
      groupBy(
        ofTime.filter(({ agentId }) => agentId === company.agentId),
        quarterOf,
      ).size,
    );
  });

  it('tell for how long agents were Ready and on calls, from what they were doing before', async () => {
    const made = await makeCompany(stores);
    const at = (minutes: number) => new Date(since.getTime() + minutes * 60_000);
    const change = (minutes: number, state: 'ready' | 'on_call' | 'wrap_up' | 'offline', version: number) => ({
      companyId: made.companyId,
      agentId: made.agentId,
      since: at(minutes),
      version,
      state,
      reason: null,
      callId: null,
    });
    await stores.agentHistory.add([
      change(-500, 'ready', 1),
      change(20, 'on_call', 2),
      change(50, 'wrap_up', 3),
      change(50, 'ready', 4),
      change(100, 'offline', 5),
      change(118, 'ready', 6),
    ]);
    const quarters = async (from: number, to: number, agentIds: (typeof made.agentId)[] | null = null) =>
      (await stores.reports.stateQuarters(made.companyId, { since: at(from), until: at(to), agentIds }))
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .map(({ at: begun, readyMs, onCallMs }) => [
          (begun.getTime() - since.getTime()) / 60_000,
          readyMs / 60_000,
          onCallMs / 60_000,
        ]);
    expect(await quarters(0, 119)).toEqual([
      [0, 15, 0],
      [15, 5, 10],
      [30, 0, 15],
      [45, 10, 5],
      [60, 15, 0],
      [75, 15, 0],
      [90, 10, 0],
      [105, 1, 0],
    ]);
    expect(await quarters(30, 60)).toEqual([
      [30, 0, 15],
      [45, 10, 5],
    ]);
    expect(await quarters(-1_000, -600)).toEqual([]);
    expect(await quarters(0, 119, [company.agentId])).toEqual([]);
  });
});

/** Each under its key. */
function groupBy<T, K>(list: T[], keyOf: (one: T) => K): Map<K, T[]> {
  const sorted = new Map<K, T[]>();
  for (const one of list) sorted.set(keyOf(one), [...(sorted.get(keyOf(one)) ?? []), one]);
  return sorted;
}
