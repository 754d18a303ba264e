import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { durationSeconds, type Call } from '../../../src/domain/calls.ts';
import { type CallId, toId } from '../../../src/domain/ids.ts';
import { localTimeOf } from '../../../src/domain/localTime.ts';
import type { CallFigures } from '../../../src/ports/reports.ts';
import { makeCompany, newAgent, newCall, openStores, type MadeCompany, type Stores } from './openStores.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'];
/** The clocks of Europe go back an hour on this day, those of Newfoundland a week later. */
const since = new Date('2026-10-24T12:00:00.000Z');
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
    const disposition = endedAt === null || n % 4 !== 0 ? null : { code: n % 8 === 0 ? 'resolved' : 'other', label: `Label ${n}`, notes: null, callbackAt: null, submittedAt: endedAt };
    const made: Call = {
      ...newCall(company, { id: toId<CallId>(newId({ msecs: createdAt.getTime() })) }),
      ...{ agentId, createdAt, answeredAt, endedAt, disposition, direction: n % 5 === 0 ? 'inbound' : 'outbound' },
      ...{ state: endedAt === null ? (answeredAt === null ? 'dialing' : 'connected') : 'ended', endReason: endedAt === null ? null : 'completed' },
      // An agent has one call at a time, so that those that last are of a platform.
      ...(endedAt === null ? { platform: { source: 'genesys', callId: `call-${n}`, queue: null, at: createdAt } } : {}),
    };
    await stores.calls.create(made, []);
    calls.push(made);
  }
}, 60_000);
afterAll(() => stores.close());

/** Without what the row is of. */
function figuresOf({ calls: count, outbound, inbound, answered, missed, talkSeconds, inboundAnswered, answerMs }: CallFigures): CallFigures {
  return { calls: count, outbound, inbound, answered, missed, talkSeconds, inboundAnswered, answerMs: Math.round(answerMs) };
}

/** The same by reading every call. */
function counted(list: Call[]): CallFigures {
  const answered = list.filter((call) => call.answeredAt !== null);
  const inbound = list.filter(({ direction }) => direction === 'inbound');
  const inboundAnswered = inbound.filter((call) => call.answeredAt !== null);
  return {
    calls: list.length,
    outbound: list.length - inbound.length,
    inbound: inbound.length,
    answered: answered.length,
    missed: inbound.filter(({ answeredAt, state }) => answeredAt === null && state === 'ended').length,
    talkSeconds: list.reduce((sum, call) => sum + (durationSeconds(call) ?? 0), 0),
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

describe.each(zones)('a report in %s', (zone) => {
  it.each(Object.keys(keys) as (keyof typeof keys)[])('by %s adds up to the calls themselves', async (by) => {
    const ofTime = calls.filter(({ createdAt }) => createdAt >= since && createdAt < until);
    const rows = await stores.reports.calls(company.companyId, { since, until, agentIds: null }, by, zone);
    const expected = groupBy(ofTime, (call) => keys[by](call, zone));
    expect(new Map(rows.map((row) => [row.key, figuresOf(row)]))).toEqual(new Map([...expected].map(([key, list]) => [key, counted(list)])));
    const own = await stores.reports.calls(company.companyId, { since, until, agentIds: [company.agentId] }, by, zone);
    expect(own.reduce((sum, row) => sum + row.calls, 0)).toBe(ofTime.filter(({ agentId }) => agentId === company.agentId).length);
  });
});

it('names a disposition as it was called last', async () => {
  const rows = await stores.reports.calls(company.companyId, { since, until, agentIds: null }, 'disposition', 'UTC');
  const last = calls.findLast(({ createdAt, disposition }) => createdAt < until && disposition?.code === 'resolved')?.disposition?.label;
  expect(rows.map(({ key, name }) => [key, name])).toEqual(expect.arrayContaining([['resolved', last], [null, null]]));
});

describe('what agents did', () => {
  it('is counted from before the time to its end, and no further than now', async () => {
    const { companyId, agentId } = company;
    const at = (hours: number) => new Date(since.getTime() + hours * 3_600_000);
    const change = (hours: number, state: 'ready' | 'reserved' | 'on_call' | 'wrap_up' | 'not_ready' | 'offline', version: number) => ({ companyId, agentId, since: at(hours), version, state, reason: null, callId: null });
    await stores.agentHistory.add([change(-3, 'ready', 1), change(1, 'reserved', 2), change(1.5, 'on_call', 3), change(3, 'wrap_up', 4), change(3.5, 'not_ready', 5), change(5, 'offline', 6), change(9, 'ready', 7)]);
    const times = async (from: number, to: number, now = 240) => (await stores.reports.times(companyId, { since: at(from), until: at(to), agentIds: null }, at(now))).map(({ signedInMs, busyMs, wrapUpMs }) => [signedInMs, busyMs, wrapUpMs].map((ms) => ms / 3_600_000));
    expect(await times(0, 8)).toEqual([[5, 2.5, 0.5]]);
    expect(await times(2, 3.25)).toEqual([[1.25, 1.25, 0.25]]);
    expect(await times(6, 8)).toEqual([[0, 0, 0]]);
    expect(await times(8, 20, 10)).toEqual([[1, 0, 0]]);
    expect(await times(-9, -5)).toEqual([]);
  });
});

/** Each under its key. */
function groupBy<T, K>(list: T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
