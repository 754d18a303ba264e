import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { AgentId, CompanyId } from '../../src/domain/ids.ts';
import { claimTtlMs, logoutAfterMs, reconnectGraceMs, type Presence } from '../../src/domain/presence.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import {
  after,
  applyTo,
  ask,
  changed,
  fresh,
  newClaim,
  noon,
  openSession,
  ready,
  seatReady,
  signedIn,
} from '../support/stores/presenceFixtures.ts';
import { presenceBackends } from './presenceStores.ts';

describe.each(presenceBackends())('presence in $name', (backend) => {
  let time: number;
  let stores: PresenceStore[];
  let store: PresenceStore;
  let companyId: CompanyId;

  beforeAll(() => backend.start());
  afterAll(() => backend.stop());
  beforeEach(async () => {
    time = noon;
    companyId = fresh<CompanyId>();
    stores = await backend.open(() => time);
    store = pick(0);
  });

  /** Spreads work over the gateways. */
  function pick(index: number): PresenceStore {
    const chosen = stores[index % stores.length];
    if (!chosen) throw new Error('no store is open');
    return chosen;
  }

  async function claimAny(by = store, company = companyId): Promise<AgentId | null> {
    const outcome = await by.claim(company, newClaim());
    return outcome.kind === 'claimed' ? outcome.presence.agentId : null;
  }

  async function release(agentId: AgentId, by = store): Promise<void> {
    const reserved = await by.find(companyId, agentId);
    if (!reserved?.callId) throw new Error('the agent is not reserved');
    await applyTo(by, companyId, agentId, { type: 'cancel', callId: reserved.callId });
  }

  describe('find, list and commit', () => {
    it('knows nothing of an agent who never came', async () => {
      expect(await store.find(companyId, fresh<AgentId>())).toBeNull();
      expect(await store.list(companyId)).toEqual([]);
    });

    it('gives back every field as it was written, to the millisecond', async () => {
      const waiting = signedIn(noon);
      const { agentId, lease } = waiting;
      const presences = [
        waiting,
        changed(waiting, ask('not_ready', { reason: 'break' }), noon + 7),
        changed(waiting, ask('not_ready', { reason: '' }), noon + 7),
        changed(waiting, { type: 'ring', ...newClaim(), lease: lease!, takesSecond: false }, noon + 86_400_001),
        after(waiting, noon, ask('ready'), { type: 'claim', ...newClaim() }, ask('not_ready', { reason: 'meal: 🍜' })),
        { ...changed(waiting, { type: 'lose_connection', lease: lease! }, noon), version: 4_503_599_627_370_497 },
      ].map((presence) => ({ ...presence, companyId }));
      let version = 0;
      for (const presence of presences) {
        expect(await store.commit(companyId, version, presence)).toBe('committed');
        expect(await pick(1).find(companyId, agentId)).toEqual(presence);
        version = presence.version;
      }
    });

    it('refuses a write that was decided on an older version, and changes nothing', async () => {
      const first = await seatReady(store, companyId, noon);
      const second = changed(first, ask('not_ready', { reason: 'break' }), noon);
      expect(await store.commit(companyId, first.version, second)).toBe('committed');
      const late = changed(first, { type: 'lose_connection', lease: first.lease! }, noon);
      expect(await pick(1).commit(companyId, first.version, late)).toBe('conflict');
      expect(await store.commit(companyId, 0, { ...first, version: 1 })).toBe('conflict');
      expect(await store.commit(companyId, second.version + 1, { ...late, version: second.version + 2 })).toBe(
        'conflict',
      );
      expect(await store.find(companyId, first.agentId)).toEqual(second);
      expect(await claimAny()).toBeNull();
      time += logoutAfterMs;
      expect(await store.due(10)).toEqual([]);
    });

    it('refuses a write on something that is not there any more', async () => {
      const gone = changed(signedIn(noon, companyId), ask('ready'), noon);
      expect(await store.commit(companyId, 1, gone)).toBe('conflict');
      expect(await store.list(companyId)).toEqual([]);
    });

    it('lets exactly one of many writers through', async () => {
      const { agentId, version, ...rest } = await seatReady(store, companyId, noon);
      const writes = Array.from({ length: 30 }, (_, index) => {
        const next = { ...rest, agentId, version: version + 1, reason: `writer ${index}` };
        return pick(index)
          .commit(companyId, version, next)
          .then((result) => ({ result, next }));
      });
      const committed = (await Promise.all(writes)).filter(({ result }) => result === 'committed');
      expect(committed).toHaveLength(1);
      expect(await store.find(companyId, agentId)).toEqual(committed[0]?.next);
    });

    it('forgets an agent who goes offline', async () => {
      const { agentId, version } = await seatReady(store, companyId, noon);
      await applyTo(store, companyId, agentId, ask('offline'));
      expect(await pick(1).find(companyId, agentId)).toBeNull();
      expect(await store.list(companyId)).toEqual([]);
      expect(await claimAny()).toBeNull();
      time += logoutAfterMs;
      expect(await store.due(10)).toEqual([]);
      expect(await store.commit(companyId, version, ready(noon, companyId, agentId))).toBe('conflict');
      expect((await seatReady(store, companyId, noon, agentId)).version).toBe(2);
    });

    it('lists everyone of the company who is not offline', async () => {
      const seats = [];
      for (let i = 0; i < 5; i += 1) seats.push(await seatReady(store, companyId, noon + i));
      const away = changed(seats[4]!, ask('not_ready', { reason: 'meal' }), noon + 9);
      await store.commit(companyId, seats[4]!.version, away);
      await applyTo(store, companyId, seats[0]!.agentId, ask('offline'));
      await seatReady(store, fresh<CompanyId>(), noon);
      expect(byId(await pick(1).list(companyId))).toEqual(byId([...seats.slice(1, 4), away]));
    });

    it('is not changed by what a caller does to an answer', async () => {
      const presence = await seatReady(store, companyId, noon);
      const copy = { ...presence };
      expect(await store.find(companyId, presence.agentId)).toEqual(copy);
      presence.state = 'on_call';
      expect(await store.find(companyId, presence.agentId)).toEqual(copy);
    });
  });

  describe('claim', () => {
    it('takes the agent idle longest', async () => {
      const seats: Presence[] = [];
      for (const offset of [30, 10, 40, 20]) seats.push(await seatReady(store, companyId, noon + offset));
      const order = [await claimAny(), await claimAny(pick(1)), await claimAny(pick(2)), await claimAny()];
      expect(order).toEqual([1, 3, 0, 2].map((seat) => seats[seat]?.agentId));
      expect(await claimAny()).toBeNull();
    });

    it('takes the agent idle longest among those given, and nobody else', async () => {
      const seats: AgentId[] = [];
      for (const offset of [30, 10, 40, 20]) seats.push((await seatReady(store, companyId, noon + offset)).agentId);
      const [third, first, fourth] = seats as [AgentId, AgentId, AgentId];
      // Among more than one command asks for.
      const among = [...Array.from({ length: 1_500 }, () => fresh<AgentId>()), fourth, third];
      const claimAmong = async (ids: AgentId[], by = store) => {
        const outcome = await by.claim(companyId, { among: ids, ...newClaim() });
        return outcome.kind === 'claimed' ? outcome.presence.agentId : outcome.kind;
      };
      expect([await claimAmong(among), await claimAmong(among, pick(1)), await claimAmong(among, pick(2))]).toEqual([
        third,
        fourth,
        'none_ready',
      ]);
      expect(await claimAmong([])).toBe('none_ready');
      expect(await claimAny()).toBe(first);
    });

    it('never shares an agent among fifty claims of two teams that overlap', async () => {
      const seats: AgentId[] = [];
      for (let i = 0; i < 30; i += 1) seats.push((await seatReady(store, companyId, noon + i)).agentId);
      const teams = [seats.slice(0, 20), seats.slice(10)];
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          pick(index).claim(companyId, { among: teams[index % 2] ?? [], ...newClaim() }),
        ),
      );
      const taken = outcomes.flatMap((outcome) => (outcome.kind === 'claimed' ? [outcome.presence.agentId] : []));
      expect(taken.toSorted()).toEqual(seats.toSorted());
    });

    it('changes the presence exactly as the rules decide', async () => {
      const seat = await seatReady(store, companyId, noon);
      const claim = newClaim();
      time += 12_345;
      const outcome = await store.claim(companyId, claim);
      const decided = decidePresence(seat, { type: 'claim', ...claim }, time);
      expect(decided.kind).toBe('changed');
      expect({ kind: 'changed', next: outcome.kind === 'claimed' && outcome.presence }).toEqual(decided);
      expect(await pick(1).find(companyId, seat.agentId)).toEqual(outcome.kind === 'claimed' && outcome.presence);
    });

    it('takes the named agent and nobody else', async () => {
      await seatReady(store, companyId, noon);
      const { agentId } = await seatReady(store, companyId, noon + 1);
      expect(await store.claim(companyId, { agentId, ...newClaim() })).toMatchObject({
        kind: 'claimed',
        presence: { agentId, state: 'reserved', idleSince: noon + 1 },
      });
      const reserved = await store.find(companyId, agentId);
      expect(await store.claim(companyId, { agentId, ...newClaim() })).toEqual({
        kind: 'not_ready',
        presence: reserved,
      });
      expect(await store.find(companyId, agentId)).toEqual(reserved);
    });

    it('tells when the named agent has no presence', async () => {
      await seatReady(store, companyId, noon);
      const outcome = await store.claim(companyId, { agentId: fresh<AgentId>(), ...newClaim() });
      expect(outcome).toEqual({ kind: 'not_ready', presence: null });
    });

    it('gives a released agent its place in the order back', async () => {
      const first = await seatReady(store, companyId, noon);
      await seatReady(store, companyId, noon + 1);
      expect(await claimAny()).toBe(first.agentId);
      await release(first.agentId, pick(1));
      expect(await claimAny()).toBe(first.agentId);
    });

    it('gives an agent its place among those of a team back, after a release and after a reconnect', async () => {
      const [first, second, third] = [
        await seatReady(store, companyId, noon),
        await seatReady(store, companyId, noon + 1),
        await seatReady(store, companyId, noon + 2),
      ];
      const among = [
        first.agentId,
        second.agentId,
        third.agentId,
        ...Array.from({ length: 30 }, () => fresh<AgentId>()),
      ];
      const claimAmong = async (by = store) => {
        const outcome = await by.claim(companyId, { among, ...newClaim() });
        return outcome.kind === 'claimed' ? outcome.presence.agentId : outcome.kind;
      };
      expect(await claimAmong()).toBe(first.agentId);
      await release(first.agentId, pick(1));
      await applyTo(pick(2), companyId, second.agentId, { type: 'lose_connection', lease: second.lease! });
      expect([await claimAmong(pick(1)), await claimAmong(pick(2))]).toEqual([first.agentId, third.agentId]);
      await release(third.agentId);
      await applyTo(store, companyId, second.agentId, openSession(companyId, second.agentId));
      expect([await claimAmong(), await claimAmong(pick(1)), await claimAmong()]).toEqual([
        second.agentId,
        third.agentId,
        'none_ready',
      ]);
    });

    it.each([
      { of: 'a few', others: 3 },
      { of: 'a team', others: 30 },
    ])('takes none of those who are not to be taken, of $of, until a claim may take them', async ({ others }) => {
      const seats = [
        await seatReady(store, companyId, noon),
        await seatReady(store, companyId, noon + 1),
        await seatReady(store, companyId, noon + 2),
      ];
      const [first, second, third] = seats.map(({ agentId }) => agentId) as [AgentId, AgentId, AgentId];
      const among = [first, second, third, ...Array.from({ length: others }, () => fresh<AgentId>())];
      const claimWithout = async (...except: AgentId[]) => {
        const outcome = await pick(1).claim(companyId, { among, except, ...newClaim() });
        return outcome.kind === 'claimed' ? outcome.presence.agentId : outcome.kind;
      };
      expect(await claimWithout(first, third)).toBe(second);
      expect([await claimWithout(first, third), await claimWithout(first, second, third)]).toEqual([
        'none_ready',
        'none_ready',
      ]);
      expect([await claimWithout(first), await claimWithout(), await claimWithout()]).toEqual([
        third,
        first,
        'none_ready',
      ]);
    });

    it('passes over an agent whose softphone is reconnecting, and keeps its place', async () => {
      const first = await seatReady(store, companyId, noon);
      const second = await seatReady(store, companyId, noon + 1);
      const { agentId, lease } = first;
      await applyTo(store, companyId, agentId, { type: 'lose_connection', lease: lease! });
      expect((await store.claim(companyId, { agentId, ...newClaim() })).kind).toBe('not_ready');
      expect(await claimAny()).toBe(second.agentId);
      expect(await claimAny()).toBeNull();
      await release(second.agentId);
      time += reconnectGraceMs - 1;
      await applyTo(pick(1), companyId, agentId, openSession(companyId, agentId));
      expect(await claimAny()).toBe(agentId);
    });

    it('keeps companies apart', async () => {
      const other = fresh<CompanyId>();
      const agentIds = [fresh<AgentId>(), fresh<AgentId>(), fresh<AgentId>()];
      for (const [index, agentId] of agentIds.entries()) {
        await seatReady(store, companyId, noon + index, agentId);
        await seatReady(store, other, noon + index, agentId);
      }
      const elsewhere = await store.list(other);
      expect([await claimAny(), await claimAny(), await claimAny(), await claimAny()]).toEqual([...agentIds, null]);
      expect(byId(await store.list(other))).toEqual(byId(elsewhere));
      expect(await claimAny(store, other)).toBe(agentIds[0]);
    });

    it('never shares an agent among fifty claims at once', async () => {
      const seats: AgentId[] = [];
      for (let i = 0; i < 20; i += 1) seats.push((await seatReady(store, companyId, noon + i)).agentId);
      const claims = await Promise.all(Array.from({ length: 50 }, (_, index) => claimAny(pick(index))));
      const taken = claims.filter((agentId) => agentId !== null);
      expect([...taken].sort()).toEqual([...seats].sort());
    });

    it('gives exactly one of many claims on the same named agent', async () => {
      const { agentId } = await seatReady(store, companyId, noon);
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, index) => pick(index).claim(companyId, { agentId, ...newClaim() })),
      );
      expect(outcomes.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    });

    it('fills exactly min(claims, Ready agents), round after round', async () => {
      const seats: AgentId[] = [];
      for (let i = 0; i < 12; i += 1) seats.push((await seatReady(store, companyId, noon + i)).agentId);
      for (let round = 0; round < 300; round += 1) {
        const claims = 1 + ((round * 7) % 19);
        const away = seats.slice(0, round % 5);
        await Promise.all(away.map((agentId, index) => applyTo(pick(index), companyId, agentId, ask('not_ready'))));
        const taken = await Promise.all(Array.from({ length: claims }, (_, index) => claimAny(pick(index))));
        const agents = taken.filter((agentId) => agentId !== null);
        expect(new Set(agents).size).toBe(agents.length);
        expect(agents.length).toBe(Math.min(claims, seats.length - away.length));
        await Promise.all([
          ...agents.map((agentId, index) => release(agentId, pick(index + 1))),
          ...away.map((agentId, index) => applyTo(pick(index), companyId, agentId, ask('ready'))),
        ]);
      }
    });

    it('loses and doubles nobody when releases run beside the claims', async () => {
      for (let i = 0; i < 10; i += 1) await seatReady(store, companyId, noon + i);
      let held: AgentId[] = [];
      for (let round = 0; round < 200; round += 1) {
        const readyAtFirst = 10 - held.length;
        const claims = 1 + ((round * 5) % 13);
        const [taken] = await Promise.all([
          Promise.all(Array.from({ length: claims }, (_, index) => claimAny(pick(index)))),
          Promise.all(held.map((agentId, index) => release(agentId, pick(index + 1)))),
        ]);
        held = taken.filter((agentId) => agentId !== null);
        expect(new Set(held).size).toBe(held.length);
        expect(held.length).toBeGreaterThanOrEqual(Math.min(claims, readyAtFirst));
        expect(held.length).toBeLessThanOrEqual(Math.min(claims, 10));
        const states = (await store.list(companyId)).map(({ state }) => state);
        expect(states.filter((state) => state === 'reserved')).toHaveLength(held.length);
        expect(states.filter((state) => state === 'ready')).toHaveLength(10 - held.length);
      }
    });

    it('never answers that nobody is Ready while somebody is, whatever is written meanwhile', async () => {
      // Ten clicks and two agents on the move hold at most eleven of twelve while one more claim runs.
      for (let i = 0; i < 12; i += 1) await seatReady(store, companyId, noon + i);
      const movers = (await store.list(companyId)).slice(0, 2);
      let refused = 0;
      const clicks = Array.from({ length: 10 }, async (_, index) => {
        for (let round = 0; round < 60; round += 1) {
          const agentId = await claimAny(pick(index));
          if (agentId === null) refused += 1;
          else await release(agentId, pick(index + round));
        }
      });
      const moves = movers.map(async ({ agentId }, index) => {
        for (let round = 0; round < 60; round += 1) {
          const by = pick(index + round);
          const { lease } = (await by.find(companyId, agentId))!;
          await applyTo(by, companyId, agentId, { type: 'lose_connection', lease: lease! });
          await applyTo(by, companyId, agentId, openSession(companyId, agentId));
        }
      });
      await Promise.all([...clicks, ...moves]);
      expect(refused).toBe(0);
      expect((await store.list(companyId)).map(({ state }) => state)).toEqual(Array(12).fill('ready'));
    });
  });

  describe('due', () => {
    it('tells nothing before the time and everyone overdue after it, the longest overdue first', async () => {
      const other = fresh<CompanyId>();
      const late = await lose(await seatReady(store, companyId, noon), noon + 20);
      const early = await lose(await seatReady(store, other, noon), noon + 10);
      const middle = await lose(await seatReady(store, companyId, noon), noon + 15);
      await seatReady(store, companyId, noon);
      time = noon + 10 + reconnectGraceMs - 1;
      expect(await store.due(10)).toEqual([]);
      time += 1;
      expect(await pick(1).due(10)).toEqual([early]);
      time = noon + logoutAfterMs;
      expect(await store.due(10)).toEqual([early, middle, late]);
      expect(await pick(1).due(2)).toEqual([early, middle]);
      expect(await store.due(10)).toEqual([early, middle, late]);
    });

    it('no longer tells an agent whose deadline was dealt with', async () => {
      const first = await lose(await seatReady(store, companyId, noon), noon);
      const second = await lose(await seatReady(store, companyId, noon), noon);
      time = noon + reconnectGraceMs;
      await applyTo(store, companyId, first.agentId, { type: 'fall_due' });
      expect(await store.due(10)).toEqual([second]);
      await applyTo(pick(1), companyId, second.agentId, openSession(companyId, second.agentId));
      expect(await store.due(10)).toEqual([]);
      time = noon + logoutAfterMs;
      expect(await store.due(10)).toEqual([first]);
      await applyTo(store, companyId, first.agentId, { type: 'fall_due' });
      expect(await store.due(10)).toEqual([]);
    });

    it('tells a claim that nobody confirmed when its time is over', async () => {
      const { agentId } = await seatReady(store, companyId, noon);
      time += 60_000;
      expect(await store.due(10)).toEqual([]);
      await claimAny();
      time += claimTtlMs - 1;
      expect(await store.due(10)).toEqual([]);
      time += 1;
      expect(await store.due(10)).toEqual([{ companyId, agentId }]);
      await release(agentId);
      expect(await store.due(10)).toEqual([]);
    });

    it('tells a deadline that came nearer', async () => {
      const { agentId } = await seatReady(store, companyId, noon);
      await claimAny();
      const { callId } = (await store.find(companyId, agentId))!;
      await applyTo(store, companyId, agentId, { type: 'cancel', callId: callId! });
      await applyTo(store, companyId, agentId, {
        type: 'dial_by_hand',
        callId: callId!,
        lease: (await leaseOf(agentId))!,
      });
      expect(await store.due(10)).toEqual([]);
      await applyTo(store, companyId, agentId, { type: 'end_call', callId: callId!, wrapUpMs: 1_000 });
      time += 999;
      expect(await store.due(10)).toEqual([]);
      time += 1;
      expect(await store.due(10)).toEqual([{ companyId, agentId }]);
    });

    it('finds a company again that was empty for a while', async () => {
      const { agentId } = await seatReady(store, companyId, noon);
      await applyTo(store, companyId, agentId, ask('offline'));
      time += 60_000;
      expect(await store.due(10)).toEqual([]);
      expect(await store.due(10)).toEqual([]);
      const again = await lose(await seatReady(store, companyId, time, agentId), time);
      time += reconnectGraceMs;
      expect(await store.due(10)).toEqual([again]);
    });

    it('tells the overdue of many companies in one order', async () => {
      const expected = [];
      for (let i = 0; i < 40; i += 1) {
        const company = fresh<CompanyId>();
        expected.push(await lose(await seatReady(store, company, noon), noon + i));
      }
      time = noon + logoutAfterMs;
      expect(await store.due(100)).toEqual(expected);
      expect(await store.due(7)).toEqual(expected.slice(0, 7));
    });

    async function lose(seat: Presence, at: number): Promise<{ companyId: CompanyId; agentId: AgentId }> {
      const now = time;
      time = at;
      await applyTo(store, seat.companyId, seat.agentId, { type: 'lose_connection', lease: seat.lease! });
      time = now;
      return { companyId: seat.companyId, agentId: seat.agentId };
    }

    async function leaseOf(agentId: AgentId): Promise<Presence['lease']> {
      return (await store.find(companyId, agentId))?.lease ?? null;
    }
  });

  it('tells the time it was given', () => {
    expect(store.now()).toBe(noon);
    time += 5;
    expect(store.now()).toBe(noon + 5);
  });

  it('answers a ping, and closes once or twice', async () => {
    await store.ping();
    await store.close();
    await store.close();
  });
});

function byId(presences: Presence[]): Presence[] {
  return presences.toSorted((one, other) => (one.agentId < other.agentId ? -1 : 1));
}
