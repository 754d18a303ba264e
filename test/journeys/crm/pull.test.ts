import { expect } from 'vitest';
import { type AtCrm, unauthorized } from '../../support/crm/crmRoom.ts';
import { html } from '../../support/crm/fakeCrm.ts';
import { createManualClock, type ManualClock } from '../../support/time/manualClock.ts';
import { type Cells, shown, tryAbility } from './table.ts';

type One = AtCrm<ManualClock>;

async function connectedWithAda(one: One): Promise<{ id: string; phone: string }> {
  await one.connect().expect(200);
  return one.person();
}

const cells: Cells<One> = {
  happy: shown('finds one, with a link to the record', async (one) => {
    const { id, phone } = await connectedWithAda(one);
    one.person({ name: 'Bob Stranger' });
    const pop = await one.found(phone);
    expect(pop).toMatchObject({
      name: 'Ada Byron',
      email: 'ada.1@example.org',
      phone,
      external_system: one.crm.id,
      external_id: id,
    });
    expect(decodeURIComponent(pop.record_url)).toContain(id);
  }),

  'wrong signature': {
    never: 'Nothing is signed: the answer comes over the connection on which the gateway has asked, encrypted by TLS.',
  },
  replay: {
    never: 'An answer belongs to the request before it on the same connection: there is no second one to take.',
  },

  'wrong credential': shown(
    'asks for a look at credentials that are no longer good, and is left alone until then',
    async (one) => {
      const { phone } = await connectedWithAda(one);
      one.crm.failAll({ kind: 'answer', answer: unauthorized });
      await one.lookUp(phone).expect(404);
      expect(await one.connection()).toMatchObject({ state: 'needs_attention', detail: expect.stringMatching(/./) });
      const before = one.crm.heard.length;
      await one.lookUp(one.person().phone).expect(404);
      expect(one.crm.heard.length).toBe(before);
    },
  ),

  'expired token': ({ hasTokens }) =>
    shown(
      hasTokens
        ? 'has a token that ends, which is replaced once without anybody noticing'
        : 'has no token that could end',
      async (one) => {
        const { phone } = await connectedWithAda(one);
        one.crm.expireTokens();
        const before = one.crm.heard.length;
        expect(await one.found(phone)).toMatchObject({ name: 'Ada Byron' });
        expect(one.crm.heard.slice(before).filter(({ path }) => path.includes('token')).length).toBe(hasTokens ? 1 : 0);
      },
    ),

  'rate limit': shown(
    'is asked too much: one look-up sends no more of it, and if it tells how long, nobody asks it until then',
    async (one) => {
      const { phone } = await connectedWithAda(one);
      const told = one.crm.tooMany();
      const end = one.crm.failAll({ kind: 'answer', answer: told });
      await one.lookUp(phone).expect(404);
      end();
      const { state, paused_until: until, paused_because: because } = await one.connection();
      const waitMs = until === null ? 0 : Date.parse(until) - one.clock.now();
      expect([state, because]).toEqual(['connected', waitMs > 0 ? 'told_to_wait' : null]);
      const seconds = told.headers?.['retry-after'];
      if (seconds !== undefined) expect(waitMs).toBe(Number(seconds) * 1_000);
      if (waitMs > 0) {
        const before = one.crm.heard.length;
        for (let asked = 0; asked < 6; asked += 1) await one.lookUp(`+1415555001${asked}`).expect(404);
        expect((await one.lookUp(phone)).body.detail).toContain(
          'has asked to be left alone for a while: the gateway asks it again at',
        );
        expect(one.crm.heard.length).toBe(before);
        await one.clock.leap(waitMs);
        expect(await one.connection()).toMatchObject({ paused_until: null, paused_because: null });
      }
      expect(await one.found(phone)).toMatchObject({ name: 'Ada Byron' });
    },
  ),

  'time-out': shown('does not answer in time: whoever asks waits a second and a half, not longer', async (one) => {
    const { phone } = await connectedWithAda(one);
    const end = one.crm.failAll({ kind: 'hang' });
    const before = one.crm.heard.length;
    let answered = 0;
    const asking = one.lookUp(phone).then(({ status }) => (answered = status));
    await one.hears(before);
    await one.clock.advance(1_400);
    expect(answered).toBe(0);
    await one.clock.advance(200);
    expect(await asking).toBe(404);
    // The request itself is left after five.
    await one.clock.advance(4_000);
    end();
    expect(await one.found(phone)).toMatchObject({ name: 'Ada Byron' });
  }),

  'several matches': shown('finds several, each with a link, and leaves the choice to the agent', async (one) => {
    const { id, phone } = await connectedWithAda(one);
    const ids = [id, one.person({ name: 'Bob Stranger', phone }).id];
    const { candidates, name } = await one.found(phone);
    expect(candidates.map((each: { id: string }) => each.id).toSorted()).toEqual(ids.toSorted());
    for (const each of candidates) expect(decodeURIComponent(each.record_url)).toContain(each.id);
    expect(name).toBeUndefined();
  }),

  none: shown('finds nobody, and is not asked again soon', async (one) => {
    await connectedWithAda(one);
    const nobodys = '+14155550123';
    expect((await one.lookUp(nobodys).expect(404)).body.code).toBe('unknown_phone');
    const before = one.crm.heard.length;
    await one.lookUp(nobodys).expect(404);
    expect(one.crm.heard.length).toBe(before);
  }),

  'stranger returned': shown('may return a stranger, who is nobody', async (one) => {
    const bob = await connectedWithAda(one);
    expect(await one.found(bob.phone)).toMatchObject({ name: 'Ada Byron' });
    const asked = '+14155551946';
    one.crm.failAll({ kind: 'mistakes', asked: asked.slice(-4), instead: bob.phone.slice(-4) });
    await one.lookUp(asked).expect(404);
  }),

  'reset after commit': shown('breaks the connection, which is no answer: it is asked again', async (one) => {
    const { phone } = await connectedWithAda(one);
    const end = one.crm.failAll({ kind: 'reset_after_commit' });
    await one.lookUp(phone).expect(404);
    end();
    expect(await one.found(phone)).toMatchObject({ name: 'Ada Byron' });
  }),

  'provider down': shown(
    'is down: it is left alone after a while, which the console says, and asked again later',
    async (one) => {
      const { phone } = await connectedWithAda(one);
      const end = one.crm.failAll({ kind: 'answer', answer: html(502, 'Bad gateway') });
      for (let times = 0; times < 5; times++) await one.lookUp(`+1415555000${times}`).expect(404);
      const before = one.crm.heard.length;
      await one.lookUp('+14155550009').expect(404);
      expect(one.crm.heard.length).toBe(before);
      expect((await one.connection()).paused_until).not.toBeNull();
      end();
      await one.clock.leap(31_000);
      expect(await one.found(phone)).toMatchObject({ name: 'Ada Byron' });
      expect((await one.connection()).paused_until).toBeNull();
    },
  ),
};

tryAbility('pull', { cells, createClock: () => createManualClock(Date.now()) });
