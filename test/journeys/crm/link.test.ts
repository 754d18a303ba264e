import { expect } from 'vitest';
import { type AtCrm, unauthorized } from '../../support/crm/crmRoom.ts';
import { html } from '../../support/crm/fakeCrm.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type Cells, shown, tryAbility } from './table.ts';

type One = AtCrm<LeapingClock>;

/** Where it leads, without its escapes. */
const read = (link: unknown) => decodeURIComponent(String(link));

/**
 * Once somebody was looked up, the link to her needs no CRM: it leads there from the next ring, whatever has happened.
 */
const outlasts = (happens: (one: One) => void) => async (one: One) => {
  await one.connect().expect(200);
  const { id, phone } = one.person();
  const before = await one.found(phone);
  happens(one);
  const asked = one.crm.heard.length;
  const call = await one.rung(phone);
  expect(read(call.screen_pop?.record_url)).toContain(id);
  expect(call.screen_pop?.record_url).toBe(before.record_url);
  expect(one.crm.heard.length).toBe(asked);
};

const cells: Cells<One> = {
  happy: shown(
    'is opened at the caller’s record, from the pop, from the call, and from the list of calls',
    async (one) => {
      await one.connect().expect(200);
      const { id, phone } = one.person();
      const softphone = await one.softphone();
      const call = await one.rung(phone);
      await eventually(() => read(softphone.pop?.screen_pop.record_url).includes(id));
      expect(read(call.screen_pop?.record_url)).toContain(id);
      expect(new URL(call.screen_pop?.record_url ?? '').origin).toBe(new URL(one.crm.url).origin);
      await one.end(call.id);
      const { body } = await one.admin().get('/api/calls').expect(200);
      expect(body.calls[0]).toMatchObject({
        id: call.id,
        external_system: one.crm.id,
        record_url: call.screen_pop?.record_url,
      });
    },
  ),

  'wrong signature': { never: 'The link is made by the gateway from what is known of a record: nobody sends it.' },
  replay: { never: 'The same link opens the same record, as often as it is clicked: the gateway is not asked.' },

  'wrong credential': shown(
    'is still opened where its credentials are no longer good: the agent’s own log-in counts',
    outlasts(({ crm }) => void crm.failAll({ kind: 'answer', answer: unauthorized })),
  ),
  'expired token': shown(
    'is opened without any token of the gateway’s',
    outlasts(({ crm }) => crm.expireTokens()),
  ),
  'rate limit': shown(
    'is opened while it is asked too much',
    outlasts(({ crm }) => void crm.failAll({ kind: 'answer', answer: crm.tooMany() })),
  ),
  'time-out': shown(
    'is opened while it hangs',
    outlasts(({ crm }) => void crm.failAll({ kind: 'hang' })),
  ),

  'several matches': shown(
    'is opened at each of several records, and at the one that the agent has chosen',
    async (one) => {
      await one.connect().expect(200);
      const first = one.person();
      const second = one.person({ name: 'Grace Hopper', phone: first.phone });
      const call = await one.rung(first.phone, ({ screen_pop: pop }) => pop?.candidates !== undefined);
      expect(call.screen_pop).not.toHaveProperty('record_url');
      const candidates = call.screen_pop?.candidates ?? [];
      expect(candidates.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
      for (const { id, record_url } of candidates) expect(read(record_url)).toContain(id);
      const wanted = candidates.find(({ id }) => id === second.id);
      const chosen = await (
        await one.softphone()
      ).chooseRecord(call.id, { object: wanted?.object ?? '', id: second.id });
      expect(read(chosen.screen_pop?.record_url)).toContain(second.id);
      expect((await one.call(call.id)).screen_pop?.record_url).toBe(wanted?.record_url);
    },
  ),

  none: shown('is not opened for a caller whom it does not know', async (one) => {
    await one.connect().expect(200);
    one.person();
    const asked = one.crm.heard.length;
    const { call } = await (await one.softphone()).incomingCall('+14155550123');
    await one.hears(asked);
    await one.lookUp('+14155550123').expect(404);
    expect((await one.call(call.id)).screen_pop ?? {}).not.toHaveProperty('record_url');
  }),

  'stranger returned': shown('is never opened at a stranger’s record', async (one) => {
    await one.connect().expect(200);
    const bob = one.person({ name: 'Bob Stranger' });
    const asked = '+14155551946';
    one.crm.failAll({ kind: 'mistakes', asked: asked.slice(-4), instead: bob.phone.slice(-4) });
    const before = one.crm.heard.length;
    const { call } = await (await one.softphone()).incomingCall(asked);
    await one.hears(before);
    await one.lookUp(asked).expect(404);
    expect((await one.call(call.id)).screen_pop ?? {}).not.toHaveProperty('record_url');
  }),

  'reset after commit': shown(
    'is opened from the next ring, where the connection broke while the caller was looked up',
    async (one) => {
      await one.connect().expect(200);
      const { id, phone } = one.person();
      const end = one.crm.failAll({ kind: 'reset_after_commit' });
      await one.lookUp(phone).expect(404);
      end();
      expect(read((await one.rung(phone)).screen_pop?.record_url)).toContain(id);
    },
  ),

  'provider down': shown(
    'is opened while it is down: whether it answers is between the agent’s browser and the CRM',
    outlasts(({ crm }) => void crm.failAll({ kind: 'answer', answer: html(503, 'Down for maintenance') })),
  ),
};

tryAbility('link', { cells, createClock: createLeapingClock, agents: 1 });
