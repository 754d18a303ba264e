import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCallStore } from '../../../src/adapters/postgres/calls/callStore.ts';
import type { Call } from '../../../src/domain/calls.ts';
import { eventually } from '../../support/time/waiting.ts';
import {
  after,
  eventOf,
  makeCompany,
  newCall,
  openStores,
  start,
  type MadeCompany,
  type Stores,
} from './openStores.ts';

/** Time enough for a statement on a busy machine, and what is waited for where it has to be over. Milliseconds. */
const plenty = 60_000;
const shortly = 300;

describe('between the record of a call and its ruling out', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores, 'https://crm.example.com/hook');
  });
  afterAll(() => stores.close());

  const key = (name: string) => ({ key: name, heldUntil: after(30) });
  /** A call that has ended, with its event and an answer to remember. */
  const record = async (call: Call, within = plenty) => {
    await stores.idempotency.begin(company.companyId, call.id, 'a hash', start, after(30));
    const remember = { key: key(call.id), status: 201, body: {}, expiresAt: after(60) };
    return stores.calls.create(call, [eventOf(call, 1)], { remember, by: stores.clock.now() + within });
  };
  const aCall = () => newCall(company, { state: 'ended', sequence: 1 });
  const written = async (call: Call) => {
    const events = await stores.outbox.list(company.companyId, { callId: call.id }, { cursor: null, limit: 9 });
    const { kind } = await stores.idempotency.begin(company.companyId, call.id, 'a hash', start, after(30));
    return { fate: (await stores.calls.fate(company.companyId, call.id)).kind, events: events.items.length, key: kind };
  };
  const nothing = { events: 0, key: 'in_progress' };
  const everything = { fate: 'recorded', events: 1, key: 'answered' };
  /** Another gateway holds a lock until the record waits for it, and its time is over. */
  const heldUp = async (lock: string, call: Call, meanwhile: () => Promise<unknown> = async () => undefined) => {
    const session = stores.openSession();
    const other = await session.connect();
    await other.query(`BEGIN; ${lock}`);
    const recording = record(call, shortly);
    await eventually(
      async () =>
        (await other.query('SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))'))
          .rowCount === 1,
    );
    const done = meanwhile();
    await other.query(`SELECT pg_sleep(${shortly / 1000})`);
    await other.query('ROLLBACK');
    other.release();
    await session.end();
    return Promise.all([recording, done]);
  };

  it('what is recorded cannot be ruled out', async () => {
    const call = aCall();
    expect(await stores.calls.fate(company.companyId, call.id)).toEqual({ kind: 'open' });
    expect(await record(call)).toBe('created');
    expect(await stores.calls.ruleOut(company.companyId, call.id)).toBe('recorded');
    expect(await stores.calls.fate(company.companyId, call.id)).toEqual({ kind: 'recorded', call });
    expect(await written(call)).toEqual(everything);
  });

  it('what is ruled out is never recorded, nor announced, nor remembered', async () => {
    const call = aCall();
    expect(await stores.calls.ruleOut(company.companyId, call.id)).toBe('ruled_out');
    expect(await stores.calls.ruleOut(company.companyId, call.id)).toBe('ruled_out');
    expect(await record(call)).toBe('too_late');
    expect(await written(call)).toEqual({ fate: 'ruled_out', ...nothing });
  });

  it('whichever comes first has decided, dozens of times', async () => {
    for (let round = 0; round < 60; round++) {
      const call = aCall();
      await stores.idempotency.begin(company.companyId, call.id, 'a hash', start, after(30));
      const ruleOut = () => stores.calls.ruleOut(company.companyId, call.id);
      const [recorded, ruledOut] =
        round % 2 === 0
          ? await Promise.all([record(call), ruleOut()])
          : await Promise.all([ruleOut(), record(call)]).then(([one, other]) => [other, one] as const);
      const isRecorded = recorded === 'created';
      expect(ruledOut).toBe(isRecorded ? 'recorded' : 'ruled_out');
      expect(await written(call)).toEqual(isRecorded ? everything : { fate: 'ruled_out', ...nothing });
    }
  });

  it.each([
    ['before it writes anything', 'LOCK TABLE call IN SHARE MODE'],
    ['before it may even be planned', 'LOCK TABLE call IN ACCESS EXCLUSIVE MODE'],
    ['after the call is written', 'SELECT FROM webhook_endpoint FOR UPDATE'],
  ])('a record that is held up until its time is over writes nothing: %s', async (_, lock) => {
    const call = aCall();
    const [recorded] = await heldUp(lock, call);
    expect(recorded).toBe('too_late');
    expect(await written(call)).toEqual({ fate: 'open', ...nothing });
  });

  it('a record that is held up in the middle is waited for', async () => {
    const call = aCall();
    const ruleOut = () => stores.calls.ruleOut(company.companyId, call.id);
    expect(await heldUp('SELECT FROM webhook_endpoint FOR UPDATE', call, ruleOut)).toEqual(['too_late', 'ruled_out']);
    expect(await written(call)).toEqual({ fate: 'ruled_out', ...nothing });
  });

  it('a table that is locked does not keep anybody from ruling out', async () => {
    const call = aCall();
    const session = stores.openSession();
    await session.query('BEGIN; LOCK TABLE call IN ACCESS EXCLUSIVE MODE');
    expect(await stores.calls.ruleOut(company.companyId, call.id)).toBe('ruled_out');
    await session.query('ROLLBACK');
    await session.end();
  });

  it('is decided, and told, while all connections but those kept for it wait for something', async () => {
    const reserve = stores.openSession();
    const calls = createCallStore({ ...stores, reserve });
    const call = aCall();
    const taken = await Promise.all(Array.from({ length: stores.pool.options.max ?? 0 }, () => stores.pool.connect()));
    expect(taken.length).toBeGreaterThan(0);
    try {
      expect(await calls.ruleOut(company.companyId, call.id)).toBe('ruled_out');
      expect(await calls.fate(company.companyId, call.id)).toEqual({ kind: 'ruled_out' });
    } finally {
      for (const client of taken) client.release();
      await reserve.end();
    }
  });

  it('a record whose time is over is not sent', async () => {
    const call = aCall();
    expect(await record(call, 0)).toBe('too_late');
    expect(await written(call)).toEqual({ fate: 'open', ...nothing });
  });

  it('a record that lost its key rules its call out', async () => {
    const call = aCall();
    const remember = { key: key('nobody has it'), status: 201, body: {}, expiresAt: after(60) };
    expect(await stores.calls.create(call, [], { remember })).toBe('key_lost');
    expect(await stores.calls.fate(company.companyId, call.id)).toEqual({ kind: 'ruled_out' });
  });

  it('a record that fails may be made again', async () => {
    const [first, second] = [newCall(company), newCall(company)];
    await stores.calls.create(first, []);
    expect(await stores.calls.create(second, [])).toBe('agent_has_call');
    expect(await stores.calls.fate(company.companyId, second.id)).toEqual({ kind: 'open' });
    await stores.calls.commit({ ...first, state: 'ended', endedAt: start, version: 2 }, []);
    expect(await stores.calls.create(second, [])).toBe('created');
  });

  it('how calls of long ago were decided is forgotten, and what is recorded stays known', async () => {
    const call = aCall();
    await record(call);
    const long = new Date(Date.now() + 3_600_000);
    expect(await stores.calls.pruneDecided(new Date(start.getTime() - 86_400_000), 2)).toBe(0);
    expect(await stores.calls.pruneDecided(long, 2)).toBe(2);
    while ((await stores.calls.pruneDecided(long, 1_000)) > 0);
    expect(await stores.calls.fate(company.companyId, call.id)).toMatchObject({ kind: 'recorded' });
    expect(await stores.calls.fate(company.companyId, newId() as Call['id'])).toEqual({ kind: 'open' });
  });
});
