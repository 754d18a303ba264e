import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentId, type CallId, toId } from '../../../src/domain/ids.ts';
import type { PastState, StateChange } from '../../../src/ports/wallboard.ts';
import { after, type MadeCompany, makeCompany, openStores, type Stores } from './openStores.ts';

const whole = { since: after(-1_000), until: after(1_000) };

describe('the history of agents', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
  });
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE agent_state_change');
    company = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  const past = (seconds: number, version: number, more: Partial<PastState> = {}): PastState => ({
    ...{ since: after(seconds), version, state: 'ready', reason: null, callId: null },
    ...more,
  });
  const changesOf = (of: MadeCompany, ...states: PastState[]): StateChange[] =>
    states.map((state) => ({ ...of, ...state }));
  const list = (of: MadeCompany, window = whole, limit = 10) =>
    stores.agentHistory.list(of.companyId, of.agentId, window, limit);

  it('keeps what it is given, in order, and once however often it is given', async () => {
    const onCall = past(2, 3, { state: 'on_call', callId: toId<CallId>(newId()) });
    const states = [past(1, 1, { state: 'not_ready', reason: 'login' }), past(2, 2), onCall];
    await stores.agentHistory.add(changesOf(company, ...states.toReversed()));
    await stores.agentHistory.add(changesOf(company, onCall, past(2, 3, { state: 'offline' })));
    expect(await list(company)).toEqual(states);
  });

  it('passes over who is gone, or of another company, and keeps the others', async () => {
    const other = await makeCompany(stores);
    const gone = { ...company, agentId: toId<AgentId>(newId()) };
    const mixedUp = { companyId: company.companyId, agentId: other.agentId };
    await stores.agentHistory.add([gone, mixedUp, company].flatMap((of) => changesOf(of, past(1, 1))));
    expect(await list(company)).toEqual([past(1, 1)]);
    expect([await list(gone), await list(mixedUp), await list(other)]).toEqual([[], [], []]);
    expect(await list({ companyId: other.companyId, agentId: company.agentId })).toEqual([]);
  });

  it('lists a time with the state that reaches into it, and of too many the latest', async () => {
    const states = [past(1, 1), past(2, 2), past(3, 3), past(4, 4)];
    await stores.agentHistory.add(changesOf(company, ...states));
    expect(await list(company, { since: after(3), until: after(4) })).toEqual(states.slice(1, 3));
    expect(await list(company, whole, 2)).toEqual(states.slice(2));
  });

  it('ends whoever is in a state, and nobody who is offline or was never there', async () => {
    const [left, never] = [await makeCompany(stores), await makeCompany(stores)];
    const leaving = [past(1, 1), past(2, 2, { state: 'offline' })];
    await stores.agentHistory.add([...changesOf(company, past(1, 1)), ...changesOf(left, ...leaving)]);
    await stores.agentHistory.endAll(after(5));
    const ended = [past(1, 1), past(5, 0, { state: 'offline' })];
    expect([await list(company), await list(left), await list(never)]).toEqual([ended, leaving, []]);
    await stores.agentHistory.endAll(after(6));
    expect(await list(company)).toEqual(ended);
  });

  it('is forgotten oldest first, so many at once, once it is rolled up', async () => {
    await stores.agentHistory.add(changesOf(company, past(1, 1), past(2, 2), past(3, 3), past(4, 4)));
    expect(await stores.agentHistory.prune(after(4), 2)).toBe(0);
    await rolledUp(after(900));
    expect(await stores.agentHistory.prune(after(4), 2)).toBe(2);
    expect(await list(company)).toEqual([past(3, 3), past(4, 4)]);
    expect(await stores.agentHistory.prune(after(4), 2)).toBe(1);
    expect(await stores.agentHistory.prune(after(4), 2)).toBe(0);
    expect(await list(company)).toEqual([past(4, 4)]);
  });

  it('keeps of who is signed in what reaches into the time that is not rolled up', async () => {
    const other = await makeCompany(stores);
    await stores.agentHistory.add([
      ...changesOf(company, past(1, 1, { state: 'ready' })),
      ...changesOf(other, past(1, 1), past(2, 2, { state: 'offline' })),
    ]);
    await rolledUp(after(900));
    await rolledUp(after(900), other);
    expect(await stores.agentHistory.prune(after(1_000), 10)).toBe(2);
    expect([await list(company), await list(other)]).toEqual([[past(1, 1)], []]);
  });

  it('is forgotten no further than it is rolled up', async () => {
    await stores.agentHistory.add(changesOf(company, past(1, 1), past(950, 2), past(960, 3)));
    await rolledUp(after(900));
    expect(await stores.agentHistory.prune(after(2_000), 10)).toBe(0);
    await rolledUp(after(1_800), company, after(900));
    expect(await stores.agentHistory.prune(after(2_000), 10)).toBe(2);
  });

  const rolledUp = async (until: Date, of = company, from = after(0)) =>
    expect(await stores.agentTimes.rollUp(of.companyId, { from, until }, after(0))).toBe(true);
});
