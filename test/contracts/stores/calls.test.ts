import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/contract/jsonText.ts';
import type { Call } from '../../../src/domain/calls.ts';
import { toId, type AgentId, type CallId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { ActiveCall, ListedCall } from '../../../src/ports/calls.ts';
import type { Page } from '../../../src/ports/queryResults.ts';
import {
  after,
  eventOf,
  makeCompany,
  newCall,
  openStores,
  phoneNumber,
  start,
  type MadeCompany,
  type Stores,
} from './openStores.ts';

const url = 'https://crm.example.com/hook';

describe('the call store', () => {
  let stores: Stores;
  let company: MadeCompany;
  let other: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores, url);
    other = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  const stored = async (call: Call) => {
    const found = await stores.calls.find(call.companyId, call.id);
    if (found.kind !== 'found') throw new Error(found.kind);
    return found.value;
  };
  const eventsOf = async (call: Call) => {
    const page = await stores.outbox.list(call.companyId, { callId: call.id }, { cursor: null, limit: 50 });
    return page.items.map(({ sequence }) => sequence).toSorted();
  };

  it('keeps every field of a call', async () => {
    const call = newCall(company, {
      externalId: 'C-1',
      contactId: newId(),
      campaignId: newId(),
      metadata: new JsonText('{"z":{"list":[1,"two",null]},"10":554023000000235001,"2":1.10}'),
      screenPop: { name: 'Ada', vip_tier: null, crm: new JsonText('{"tickets":3,"7":9007199254740993,"1":-0.0}') },
    });
    await stores.calls.create(call, []);
    expect(await stored(call)).toEqual(call);
    const ended: Call = {
      ...call,
      state: 'ended',
      ringingAt: after(1),
      answeredAt: new Date(start.getTime() + 2_345),
      endedAt: after(60),
      endReason: 'completed',
      endedBy: 'customer',
      endDetail: 'softphone_lost',
      sipCode: 200,
      disposition: {
        code: 'callback',
        label: 'Call back',
        notes: 'later',
        callbackAt: after(3_600),
        submittedAt: after(70),
      },
      sequence: 3,
      version: 2,
    };
    expect(await stores.calls.commit(ended, [])).not.toBe('conflict');
    expect(await stored(call)).toEqual(ended);
  });

  it('recalls a call as it was written here last, until it has ended or somebody else was faster, to its own company alone', async () => {
    const fresh = await makeCompany(stores);
    const call = newCall(fresh, { state: 'ringing' });
    expect(stores.calls.recall(fresh.companyId, call.id)).toBeNull();
    await stores.calls.create(call, []);
    expect(stores.calls.recall(fresh.companyId, call.id)).toEqual(call);
    expect(stores.calls.recall(company.companyId, call.id)).toBeNull();
    const connected: Call = { ...call, state: 'connected', version: 2 };
    await stores.calls.commit(connected, []);
    expect(stores.calls.recall(fresh.companyId, call.id)).toEqual(connected);
    expect(await stores.calls.commit(connected, [])).toBe('conflict');
    expect(stores.calls.recall(fresh.companyId, call.id)).toBeNull();
    await stores.calls.commit({ ...connected, state: 'held', version: 3 }, []);
    await stores.calls.commit({ ...connected, state: 'ended', endedAt: start, version: 4 }, []);
    expect(stores.calls.recall(fresh.companyId, call.id)).toBeNull();
  });

  it('has a call that is over from the beginning logged in the CRM, in the write that records it, where that logs such calls', async () => {
    const logged = async (logCalls: 'all' | 'answered' | 'none') => {
      const its = await makeCompany(stores);
      await stores.crmConnections.connect(
        its.companyId,
        {
          provider: 'hubspot',
          credentialsEncrypted: 'sealed',
          options: {},
          facts: {},
          account: 'HubSpot 1',
          keepSeconds: 600,
          logCalls,
          dispositions: {},
        },
        null,
      );
      const call = newCall(its, { state: 'ended', endedAt: after(1) });
      const log = { id: toId<DeliveryId>(newId()), dueAt: after(9) };
      await stores.calls.create(call, [], { log });
      const { rows } = await stores.pool.query<{ id: string; due_at: Date }>(
        'SELECT id, due_at FROM crm_delivery WHERE company_id = $1 AND call_id = $2',
        [its.companyId, call.id],
      );
      return rows.map(({ id, due_at: dueAt }) => id === log.id && dueAt.getTime() === log.dueAt.getTime());
    };
    expect([await logged('all'), await logged('answered'), await logged('none')]).toEqual([[true], [], []]);
  });

  it('answers a change with what the agent has entered meanwhile', async () => {
    const call = newCall(await makeCompany(stores));
    await stores.calls.create(call, []);
    await stores.calls.saveDraft(call.companyId, call.id, { notesDraft: 'asks for a refund', draftAt: after(1) });
    const entered = { notesDraft: 'asks for a refund', draftAt: after(1) };
    expect(await stores.calls.commit({ ...call, state: 'connected', version: 2 }, [])).toEqual({
      ...call,
      ...entered,
      state: 'connected',
      version: 2,
    });
    expect(stores.calls.recall(call.companyId, call.id)).toMatchObject(entered);
  });

  it('tells a foreign id from an unknown one, and commits to neither', async () => {
    const call = newCall(other, { state: 'ended' });
    await stores.calls.create(call, []);
    expect(await stores.calls.find(company.companyId, call.id)).toEqual({ kind: 'wrong_company' });
    expect(await stores.calls.find(company.companyId, toId<CallId>(newId()))).toEqual({ kind: 'unknown' });
    const stolen = {
      ...call,
      companyId: company.companyId,
      state: 'ended',
      endedAt: start,
      sequence: 1,
      version: 2,
    } as const;
    expect(await stores.calls.commit(stolen, [eventOf(stolen, 1)])).toBe('conflict');
    expect(await stored(call)).toEqual(call);
    expect(await eventsOf(stolen)).toEqual([]);
  });

  it('lets one of many concurrent changes win, with its event alone', async () => {
    for (let round = 0; round < 30; round++) {
      const call = newCall(company, { state: 'ended' });
      await stores.calls.create(call, []);
      const changes = Array.from({ length: 8 }, (_, n) => ({ ...call, sipCode: n, sequence: 1, version: 2 }));
      const outcomes = await Promise.all(changes.map((next) => stores.calls.commit(next, [eventOf(next, 1)])));
      expect(outcomes.filter((outcome) => outcome !== 'conflict')).toHaveLength(1);
      expect((await stored(call)).sipCode).toBe(outcomes.findIndex((outcome) => outcome !== 'conflict'));
      expect(await eventsOf(call)).toEqual([1]);
    }
  });

  it('writes events only for a company that has an endpoint', async () => {
    const quiet = newCall(other, { state: 'ended', sequence: 1 });
    await stores.calls.create(quiet, [eventOf(quiet, 1)]);
    expect(await stores.calls.commit({ ...quiet, sequence: 2, version: 2 }, [eventOf(quiet, 2)])).not.toBe('conflict');
    expect(await eventsOf(quiet)).toEqual([]);

    const loud = newCall(company, { state: 'ended', sequence: 2 });
    await stores.calls.create(loud, [eventOf(loud, 1, 'cti_click_to_dial'), eventOf(loud, 2)]);
    const later = eventOf(loud, 3, 'call_answered');
    await stores.calls.commit({ ...loud, sequence: 3, version: 2 }, [later]);
    expect(await eventsOf(loud)).toEqual([1, 2, 3]);
    expect(await stores.outbox.find(company.companyId, later.id)).toMatchObject({
      value: { event: 'call_answered', callId: loud.id, sequence: 3, body: later.body, state: 'pending', dueAt: start },
    });
  });

  it('keeps neither call nor event nor answer where one of them cannot be written', async () => {
    const first = newCall(company, { state: 'ended', sequence: 1 });
    const event = eventOf(first, 1);
    await stores.calls.create(first, [event]);
    await stores.idempotency.begin(company.companyId, 'torn', 'a hash', start, after(30));
    const second = newCall(company, { state: 'ended', sequence: 1 });
    const remember = { key: { key: 'torn', heldUntil: after(30) }, status: 201, body: {}, expiresAt: after(60) };
    await expect(
      stores.calls.create(second, [{ ...eventOf(second, 1), id: event.id }], { remember }),
    ).rejects.toThrow();
    expect(await stores.calls.find(company.companyId, second.id)).toEqual({ kind: 'unknown' });
    const claim = await stores.idempotency.begin(company.companyId, 'torn', 'a hash', start, after(30));
    expect(claim).toEqual({ kind: 'in_progress' });

    const changed = { ...first, sequence: 2, version: 2 };
    await expect(stores.calls.commit(changed, [{ ...eventOf(changed, 2), id: event.id }])).rejects.toThrow();
    expect(await stored(first)).toEqual(first);
  });

  it.each([
    ['metadata', { metadata: JsonText.of({ note: 'nul \0' }) }],
    ['screen_pop', { screenPop: { name: 'half \ud83d' } }],
    ['external_id', { externalId: '\0' }],
    ['notes', { disposition: { code: 'other', label: 'Other', notes: '\0', callbackAt: null, submittedAt: start } }],
  ] satisfies [string, Partial<Call>][])('refuses text in %s that no store can keep', async (field, poison) => {
    const call = newCall(company, poison);
    await expect(stores.calls.create(call, [])).rejects.toMatchObject({ name: 'InvalidTextError', field });
    expect(await stores.calls.find(company.companyId, call.id)).toEqual({ kind: 'unknown' });
  });

  it('finds the calls of an agent that have not ended, the first one first', async () => {
    const own = await makeCompany(stores);
    expect(await stores.calls.findActive(own.companyId, own.agentId)).toEqual([]);
    const [older, held, ended] = [
      newCall(own, { state: 'ended' }),
      newCall(own, { state: 'held' }),
      newCall(own, { state: 'ended' }),
    ];
    for (const call of [older, held, ended]) await stores.calls.create(call, []);
    expect(await stores.calls.findActive(own.companyId, own.agentId)).toEqual([held]);
    const beside = newCall(own, { state: 'ringing', slot: 1 });
    expect(await stores.calls.create(beside, [])).toBe('created');
    expect(await stores.calls.create(newCall(own, { slot: 1 }), [])).toBe('agent_has_call');
    expect(await stores.calls.findActive(own.companyId, own.agentId)).toEqual([held, beside]);
    expect(await stores.calls.findActive(company.companyId, own.agentId)).toEqual([]);
    const mixedUp = { companyId: company.companyId, agentId: own.agentId };
    expect(await stores.calls.findActiveOf([own, await makeCompany(stores)])).toEqual(
      new Map([[own.agentId, [held.id, beside.id]]]),
    );
    expect(await stores.calls.findActiveOf([mixedUp])).toEqual(new Map());
  });

  it('lists the calls of the company, newest first, filtered, page by page', async () => {
    const own = await makeCompany(stores);
    const made: ListedCall[] = [];
    const record = { external_system: 'hubspot', record_url: 'https://crm.example/ada' };
    for (let n = 0; n < 5; n++) {
      const direction = n % 2 === 0 ? 'outbound' : 'inbound';
      const state = n === 3 ? 'dialing' : 'ended';
      const call = newCall(own, {
        phone: phoneNumber(n % 2),
        direction,
        state,
        screenPop: n === 0 ? null : { name: `Ada ${n}`, ...(n === 1 ? record : {}) },
      });
      await stores.calls.create(call, []);
      const { metadata: _metadata, screenPop, ...listed } = call;
      made.unshift({
        ...listed,
        customerName: screenPop?.name ?? null,
        externalSystem: screenPop?.external_system ?? null,
        recordUrl: screenPop?.record_url ?? null,
      });
    }
    const list = (filter: Parameters<Stores['calls']['list']>[1], cursor: string | null = null, limit = 10) =>
      stores.calls.list(own.companyId, filter, { cursor, limit });
    const first = await list({}, null, 2);
    expect(first).toEqual({ items: made.slice(0, 2), nextCursor: made[1]?.id });
    expect(await list({}, first.nextCursor, 3)).toEqual({ items: made.slice(2), nextCursor: null });
    expect((await list({ phones: [phoneNumber(1)] })).items).toEqual([made[1], made[3]]);
    expect((await list({ direction: 'inbound', state: 'ended' })).items).toEqual([made[3]]);
    expect((await list({ agentIds: [company.agentId] })).items).toEqual([]);
    expect(
      (await stores.calls.list(company.companyId, { agentIds: [own.agentId] }, { cursor: null, limit: 10 })).items,
    ).toEqual([]);
  });

  it('knows the customer of a call that a gateway of before has made, and lets it read those of this one', async () => {
    const own = await makeCompany(stores);
    const call = newCall(own, {
      metadata: new JsonText('{"b":9007199254740993,"a":1}'),
      screenPop: { name: 'Ada', crm: new JsonText('{"z":1.10,"y":2}') },
    });
    await stores.calls.create(call, []);
    const { rows } = await stores.pool.query('SELECT metadata, screen_pop FROM call WHERE id = $1', [call.id]);
    expect(rows).toEqual([
      { metadata: { a: 1, b: 9007199254740992 }, screen_pop: { name: 'Ada', crm: { y: 2, z: 1.1 } } },
    ]);
    await stores.pool.query(
      'UPDATE call SET metadata_text = NULL, screen_pop_text = NULL, customer_name = NULL WHERE id = $1',
      [call.id],
    );
    const older = await stored(call);
    expect([older.metadata?.plain(), older.screenPop?.name, older.screenPop?.crm?.plain()]).toEqual([
      { a: 1, b: '9007199254740993' },
      'Ada',
      { y: 2, z: 1.1 },
    ]);
    const [listed] = (await stores.calls.list(own.companyId, {}, { cursor: null, limit: 1 })).items;
    const [live] = await stores.calls.listInProgress(own.companyId, null);
    expect([listed?.customerName, live?.name]).toEqual(['Ada', 'Ada']);
  });

  it('shows supervisors the calls of the company that last, with the name that popped', async () => {
    const [own, other] = [await makeCompany(stores), await makeCompany(stores)];
    const [externalSystem, recordUrl] = ['hubspot', 'https://crm.example/ada'];
    const call = newCall(own, {
      phone: null,
      caller: '200',
      state: 'connected',
      answeredAt: after(2),
      screenPop: { name: 'Ada Lovelace', external_system: externalSystem, record_url: recordUrl },
    });
    for (const each of [newCall(own, { state: 'ended' }), call, newCall(other)]) await stores.calls.create(each, []);
    const { id, agentId, direction, trigger, state, phone, caller, createdAt, answeredAt, version } = call;
    expect(await stores.calls.listInProgress(own.companyId, null)).toEqual([
      {
        id,
        agentId,
        direction,
        trigger,
        state,
        phone,
        caller,
        createdAt,
        answeredAt,
        version,
        name: 'Ada Lovelace',
        externalSystem,
        recordUrl,
        source: null,
        handedOnBy: null,
      },
    ]);
    expect(await stores.calls.listInProgress(own.companyId, [other.agentId])).toEqual([]);
    expect(await stores.calls.listInProgress(own.companyId, [own.agentId])).toHaveLength(1);
    await stores.calls.commit({ ...call, state: 'ended', endedAt: start, version: 2 }, []);
    expect(await stores.calls.listInProgress(own.companyId, null)).toEqual([]);
  });

  it('lets an agent have one call that has not ended, and writes nothing of a second', async () => {
    const own = await makeCompany(stores, url);
    await stores.idempotency.begin(own.companyId, 'second', 'a hash', start, after(30));
    const [first, second] = [newCall(own, { state: 'connected' }), newCall(own, { sequence: 1 })];
    expect(await stores.calls.create(first, [])).toBe('created');
    const remember = { key: { key: 'second', heldUntil: after(30) }, status: 201, body: {}, expiresAt: after(60) };
    expect(await stores.calls.create(second, [eventOf(second, 1)], { remember })).toBe('agent_has_call');
    expect(await stores.calls.find(own.companyId, second.id)).toEqual({ kind: 'unknown' });
    expect(await eventsOf(second)).toEqual([]);
    const claim = await stores.idempotency.begin(own.companyId, 'second', 'a hash', start, after(30));
    expect(claim).toEqual({ kind: 'in_progress' });
    await stores.calls.commit({ ...first, state: 'ended', endedAt: start, version: 2 }, []);
    expect(await stores.calls.create(second, [eventOf(second, 1)], { remember })).toBe('created');
  });

  it("lets one of many concurrent records of an agent's calls win", async () => {
    for (let round = 0; round < 30; round++) {
      const own = await makeCompany(stores);
      const calls = Array.from({ length: 8 }, () => newCall(own));
      const outcomes = await Promise.all(calls.map((call) => stores.calls.create(call, [])));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      expect((await stores.calls.findActive(own.companyId, own.agentId)).map(({ id }) => id)).toEqual([
        calls[outcomes.indexOf('created')]?.id,
      ]);
    }
  });

  it('takes no other fault of a record for a call that lasts', async () => {
    const own = await makeCompany(stores);
    const call = newCall({ ...own, agentId: toId<AgentId>(newId()) });
    await expect(stores.calls.create(call, [])).rejects.toMatchObject({ constraint: 'call_company_id_agent_id_fkey' });
  });

  it('lists for the reaper what began before and has not ended, of every company, each call on one page', async () => {
    const long = new Date(start.getTime() - 86_400_000);
    const calls: Call[] = [];
    for (let n = 0; n < 5; n++) {
      const own = await makeCompany(stores);
      calls.push(newCall(own, { createdAt: long }));
      if (n === 1) calls.push(newCall(own, { createdAt: long, slot: 1 }));
      await stores.calls.create(newCall(own, { createdAt: long, state: 'ended' }), []);
    }
    for (const call of calls) await stores.calls.create(call, []);
    const list = async (before: Date, limit: number) => {
      const pages: ActiveCall[][] = [];
      let cursor: string | null = null;
      do {
        const page: Page<ActiveCall> = await stores.calls.listActive(before, { cursor, limit });
        pages.push(page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return pages;
    };
    const byId = (a: ActiveCall, b: ActiveCall) => (a.id < b.id ? -1 : 1);
    const pages = await list(start, 2);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(pages.flat().toSorted(byId)).toEqual(
      calls
        .toSorted(byId)
        .map(({ id, companyId, agentId, slot, state, version }) => ({ id, companyId, agentId, slot, state, version })),
    );
    // Two calls of one agent may be on two pages.
    expect((await list(start, 1)).flat()).toHaveLength(6);
    expect((await list(start, 6)).map(({ length }) => length)).toEqual([6]);
    expect(await list(long, 5)).toEqual([[]]);
  });
});
