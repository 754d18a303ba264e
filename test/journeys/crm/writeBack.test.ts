import { expect } from 'vitest';
import { type AtCrm, unauthorized } from '../../support/crm/crmRoom.ts';
import { html } from '../../support/crm/fakeCrm.ts';
import { type About, platforms, type Sent } from '../../support/cti/platforms.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type Cells, crms, shown, tryAbility } from './table.ts';

type One = AtCrm<LeapingClock>;
const minute = 60_000;

async function known(one: One): Promise<{ id: string; phone: string }> {
  await one.connect().expect(200);
  return one.person();
}

/** A call with somebody whom the CRM knows, which has ended and is not wrapped up yet. */
async function talked(one: One): Promise<string> {
  const { phone } = await known(one);
  return one.answered(phone);
}

/**
 * A call that belongs to no record, wrapped up: it stands there at nobody's,
 * or nowhere where nothing is kept of nobody.
 */
async function standsAtNobody(one: One, callId: string): Promise<void> {
  await one.wrapUp(callId);
  const delivery = await one.logged(callId);
  if (one.faked.keepsNothingOfNobody === true) {
    expect(delivery).toMatchObject({ last_error_cause: { code: 'crm_keeps_none' } });
    expect(one.entries(callId)).toEqual([]);
    return;
  }
  expect(delivery).toMatchObject({ attempts: 1, last_error: null });
  expect(one.entries(callId)).toMatchObject([{ text: expect.stringContaining('Asked for the invoice of May.') }]);
  expect(one.entries(callId)[0]?.personId ?? null).toBeNull();
}

/** A customer's call that a telephony platform tells of, each CRM beside another platform, until it has ended. */
async function talkedAtPlatform(one: One, phone: string): Promise<string> {
  const sends = platforms[crms.indexOf(one.faked) % platforms.length]!;
  const [agent] = one.company.agents;
  await one.softphone();
  const { body: line } = await one
    .admin()
    .post('/api/integrations/cti/connections')
    .send({ connector: sends.connector })
    .expect(201);
  const tell = async (make: ((about: About) => Sent) | null): Promise<void> => {
    if (make === null) return;
    const { headers, body } = sends.sign(
      make({ callId: 'c-1', agent: agent!.agentCode, customer: sends.number(phone), at: one.clock.now() }),
      line.secret ?? '',
    );
    await one.gateway.api.post(new URL(line.url).pathname).set(headers).send(body).expect(200);
    await one.clock.advance(1_000);
  };
  await tell(sends.ringing);
  await tell(sends.answered);
  const [{ id: callId }] = (await one.admin().get('/api/calls').expect(200)).body.calls;
  await eventually(async () => (await one.call(callId)).screen_pop?.external_system === one.crm.id);
  await tell(sends.ended);
  expect(await one.call(callId)).toMatchObject({ state: 'ended', source: sends.connector, phone });
  return callId;
}

const cells: Cells<One> = {
  happy: shown(
    'keeps a call with its record, disposition, notes and tags, and to whom it was handed on, when it is wrapped up',
    async (one) => {
      const { id, phone } = await known(one);
      await one
        .admin()
        .patch('/api/company')
        .send({ tags: [{ code: 'price', label: 'Price question' }] })
        .expect(200);
      const callId = await one.end((await one.rung(phone)).id, {
        end_reason: 'transferred',
        transferred_to: '+14155550199',
      });
      await one
        .admin()
        .put(`/api/calls/${callId}/notes`)
        .send({ notes: null, tags: ['price'] })
        .expect(204);
      await one.wrapUp(callId);
      const delivery = await one.logged(callId);
      expect(delivery).toMatchObject({ target: 'crm', event: 'call_log', attempts: 1, last_error: null });
      const [entry, ...more] = one.entries(callId);
      expect(more).toEqual([]);
      for (const told of ['Asked for the invoice of May.', 'Price question', '+14155550199'])
        expect(entry?.text).toContain(told);
      expect(entry?.personId).toContain(id);
      const { log } = await one.detail(delivery.id);
      expect(log).toMatchObject([
        { number: 1, method: expect.any(String), url: expect.stringContaining(one.crm.url), error: null },
      ]);
      expect(JSON.stringify(log)).not.toMatch(/authorization/i);
    },
  ),

  'wrong signature': {
    never:
      'Nothing is signed: what the gateway writes carries its credentials, ' +
      'and the answer comes over the same connection.',
  },

  replay: shown('keeps a call once, though an admin sends again what was written', async (one) => {
    const callId = await talked(one);
    await one.wrapUp(callId);
    const { id } = await one.logged(callId);
    await one.admin().post(`/api/integrations/webhook-deliveries/${id}/redeliver`).expect(200);
    const again = await one.untilDelivery(callId, ({ state, attempts }) => state === 'delivered' && attempts > 0);
    expect((await one.detail(again.id)).log.length).toBeGreaterThan(1);
    expect(one.entries(callId)).toHaveLength(1);
  }),

  'wrong credential': shown('refuses the credentials: calls wait until an admin has mended them', async (one) => {
    const callId = await talked(one);
    const end = one.crm.failAll({ kind: 'answer', answer: unauthorized }, ({ path }) => !path.includes('token'));
    await one.wrapUp(callId);
    await eventually(async () => {
      await one.clock.advance(250);
      return (await one.connection()).state === 'needs_attention';
    });
    await one.untilDelivery(callId, ({ state }) => state === 'pending');
    expect(await one.deliveries(callId)).toMatchObject([
      { attempts: 0, last_error_cause: { code: 'crm_unauthorized' } },
    ]);
    expect(one.entries(callId)).toEqual([]);
    end();
    await one.connect().expect(200);
    await one.logged(callId);
    expect(one.entries(callId)).toHaveLength(1);
  }),

  'expired token': ({ hasTokens }) =>
    shown(
      hasTokens
        ? 'has a token that ends, which is replaced once: the call is written by the same attempt'
        : 'has no token that could end',
      async (one) => {
        const callId = await talked(one);
        one.crm.expireTokens();
        const before = one.crm.heard.length;
        await one.wrapUp(callId);
        expect(await one.logged(callId)).toMatchObject({ attempts: 1, last_error: null });
        expect(one.entries(callId)).toHaveLength(1);
        expect(one.crm.heard.slice(before).filter(({ path }) => path.includes('token')).length).toBe(hasTokens ? 1 : 0);
        expect(await one.connection()).toMatchObject({ state: 'connected' });
      },
    ),

  'rate limit': shown('is asked too much: the call goes when it lets it, which counts as no attempt', async (one) => {
    const callId = await talked(one);
    one.failWrite({ kind: 'answer', answer: one.crm.tooMany() });
    await one.wrapUp(callId);
    await one.untilDelivery(callId, ({ last_error_cause: cause }) => cause?.code === 'crm_rate_limited');
    expect(await one.logged(callId, minute)).toMatchObject({ attempts: 1 });
    expect(one.entries(callId)).toHaveLength(1);
  }),

  'time-out': shown('writes a call and hangs: after 15 s it is left, and the call stands there once', async (one) => {
    const callId = await talked(one);
    const before = one.crm.heard.length;
    one.failWrite({ kind: 'hang_after_commit' });
    await one.wrapUp(callId);
    await eventually(async () => {
      await one.clock.advance(250);
      return one.crm.heard.slice(before).some(one.isWrite);
    });
    await one.clock.advance(13_000);
    expect(await one.deliveries(callId)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await one.untilDelivery(callId, ({ attempts }) => attempts === 1, 1_000);
    expect(await one.deliveries(callId)).toMatchObject([
      { state: 'pending', last_error_cause: { code: 'crm_no_answer' } },
    ]);
    await one.logged(callId, minute / 2);
    expect(one.entries(callId)).toHaveLength(1);
  }),

  'several matches': shown(
    'keeps a call at none of several records where none was chosen, and at the chosen one where it was',
    async (one) => {
      const { id, phone } = await known(one);
      const other = one.person({ name: 'Grace Hopper', phone });
      const hasSeveral = ({ screen_pop: pop }: { screen_pop?: { candidates?: unknown } | null }) =>
        pop?.candidates !== undefined;
      const unchosen = await one.end((await one.rung(phone, hasSeveral)).id);
      await standsAtNobody(one, unchosen);
      await (await one.softphone()).setReady();
      const call = await one.rung(phone, hasSeveral);
      const wanted = call.screen_pop?.candidates?.find((each) => each.id === other.id);
      await (await one.softphone()).chooseRecord(call.id, { object: wanted?.object ?? '', id: other.id });
      await one.end(call.id);
      await one.wrapUp(call.id);
      await one.logged(call.id);
      const [entry, ...more] = one.entries(call.id);
      expect([more, entry?.personId]).toEqual([[], expect.stringContaining(other.id)]);
      expect(entry?.personId).not.toBe(id);
    },
  ),

  none: ({ keepsNothingOfNobody }) =>
    shown(
      keepsNothingOfNobody === true
        ? 'keeps no call of somebody whom it does not know, and that is said'
        : 'keeps a call of somebody whom it does not know, at nobody’s record',
      async (one) => {
        await known(one);
        const { call } = await (await one.softphone()).incomingCall('+14155550123');
        await standsAtNobody(one, await one.end(call.id));
      },
    ),

  'stranger returned': shown('returns a stranger for the number, at whose record no call is kept', async (one) => {
    const bob = await known(one);
    const asked = '+14155551946';
    // Entries and their ends are taken as they are.
    const searches = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' || path.includes('search');
    one.crm.failAll({ kind: 'mistakes', asked: asked.slice(-4), instead: bob.phone.slice(-4) }, searches);
    const { call } = await (await one.softphone()).incomingCall(asked);
    await standsAtNobody(one, await one.end(call.id));
    expect(one.crm.logged.filter(({ personId }) => personId?.includes(bob.id))).toEqual([]);
  }),

  'reset after commit': shown('keeps a call once, although the connection was cut after the commit', async (one) => {
    const callId = await talked(one);
    one.failWrite({ kind: 'reset_after_commit' });
    await one.wrapUp(callId);
    await one.untilDelivery(callId, ({ attempts }) => attempts === 1);
    await one.logged(callId, minute / 2);
    expect(one.entries(callId)).toHaveLength(1);
  }),

  'provider down': shown(
    'is down, then not even reached: the call waits, and stands there once when it is back',
    async (one) => {
      const callId = await talked(one);
      const end = one.crm.failAll({ kind: 'answer', answer: html(503, 'Down for maintenance') });
      await one.wrapUp(callId);
      await one.untilDelivery(callId, ({ attempts }) => attempts === 1);
      expect(await one.deliveries(callId)).toMatchObject([
        { state: 'pending', last_error_cause: { code: 'crm_unavailable' } },
      ]);
      end();
      const plugIn = one.room.unplug(one.crm);
      await one.untilDelivery(callId, ({ attempts }) => attempts === 2, 1_000);
      expect(await one.deliveries(callId)).toMatchObject([
        { state: 'pending', last_error_cause: { code: 'crm_no_answer' } },
      ]);
      expect(one.entries(callId)).toEqual([]);
      plugIn();
      expect(await one.logged(callId, minute)).toMatchObject({ last_error: null });
      expect(one.entries(callId)).toHaveLength(1);
    },
  ),
};

const beside = [
  shown<One>(
    'keeps a call without a disposition when nobody wraps it up, and with it when somebody does later',
    async (one) => {
      const callId = await talked(one);
      await one.clock.advance(minute);
      await one.logged(callId);
      expect(one.entries(callId)).toHaveLength(1);
      const before = one.crm.heard.length;
      await one.wrapUp(callId);
      await eventually(async () => {
        await one.clock.advance(250);
        const found = await one.deliveries(callId);
        return found.length === 2 && found.every(({ state }) => state === 'delivered');
      });
      const [, later] = await one.deliveries(callId);
      expect(one.entries(callId)).toHaveLength(1);
      const hasNotes = one.crm.heard.slice(before).some(({ body }) => body.includes('Asked for the invoice of May.'));
      expect(hasNotes || later?.last_error_cause?.code === 'crm_keeps_entries').toBe(true);
    },
  ),
  shown<One>('has a correction in the entry that stands already', async (one) => {
    const callId = await talked(one);
    await one.wrapUp(callId);
    await one.logged(callId);
    const before = one.crm.heard.length;
    await one
      .admin()
      .patch(`/api/calls/${callId}`)
      .send({ disposition: { code: 'other', notes: 'Meant the invoice of June.' } })
      .expect(200);
    await eventually(async () => {
      await one.clock.advance(250);
      const found = await one.deliveries(callId);
      return found.length === 2 && found.every(({ state }) => state === 'delivered');
    });
    const [, later] = await one.deliveries(callId);
    expect(one.entries(callId)).toHaveLength(1);
    const hasNotes = one.crm.heard.slice(before).some(({ body }) => body.includes('Meant the invoice of June.'));
    expect(hasNotes || later?.last_error_cause?.code === 'crm_keeps_entries').toBe(true);
  }),
  shown<One>(
    'does not take a call, which is kept as dead with its words, and logged when it is sent again',
    async (one) => {
      const callId = await talked(one);
      one.failWrite({ kind: 'answer', answer: one.crm.refusedEntry() });
      await one.wrapUp(callId);
      const delivery = await one.untilDelivery(callId, ({ state }) => state === 'dead');
      expect(delivery).toMatchObject({
        last_error: expect.stringContaining('does not take it'),
        last_error_cause: { code: expect.stringMatching(/^crm_refused/) },
      });
      expect((await one.detail(delivery.id)).log.at(-1)?.response_body).not.toBe('');
      await one.admin().post(`/api/integrations/webhook-deliveries/${delivery.id}/redeliver`).expect(200);
      await one.logged(callId);
      expect(one.entries(callId)).toHaveLength(1);
    },
  ),
  shown<One>('is shown a call in a trial as it would be logged, without what authenticates', async (one) => {
    const { phone, id } = await known(one);
    const { body } = await one.admin().post('/api/integrations/crm/preview').send({ phone_number: phone }).expect(200);
    const log = body.requests.find(({ purpose }: { purpose: string }) => purpose === 'log');
    expect(log).toMatchObject({
      method: 'POST',
      url: expect.stringContaining(one.crm.url),
      body: expect.stringContaining('Asked for the invoice of May.'),
    });
    expect(decodeURIComponent(log.body + log.url)).toContain(id);
    expect(body.requests[0]).toMatchObject({ purpose: 'search', url: expect.stringContaining(one.crm.url) });
    const secrets = Object.entries(one.crm.credentials)
      .filter(([name]) => /secret|token|password|key/.test(name))
      .map(([, secret]) => secret);
    for (const secret of secrets) expect(JSON.stringify(body.requests)).not.toContain(secret);
    expect(one.crm.logged.filter(({ text }) => text.includes('00000000-0000-7000-8000-000000000000'))).toEqual([]);
  }),
  shown<One>(
    'keeps a call of a telephony platform once, with its customer and what the agent says of it',
    async (one) => {
      const { id, phone } = await known(one);
      const callId = await talkedAtPlatform(one, phone);
      await one.wrapUp(callId);
      expect(await one.logged(callId)).toMatchObject({ event: 'call_log', last_error: null });
      await one.clock.advance(minute);
      const [entry, ...more] = one.entries(callId);
      expect([more, entry?.text, entry?.personId]).toEqual([
        [],
        expect.stringContaining('Asked for the invoice of May.'),
        expect.stringContaining(id),
      ]);
      expect(await one.deliveries(callId)).toHaveLength(1);
    },
  ),
  shown<One>('keeps no call that nobody answered, where the admin has chosen so', async (one) => {
    await one.connect(one.crm.credentials, { log_calls: 'answered' }).expect(200);
    const { phone } = one.person();
    const { call } = await (await one.softphone()).incomingCall(phone);
    await (await one.softphone()).reportProgress(call.id, 'ended', { end_reason: 'no_answer' });
    await eventually(async () => (await one.call(call.id)).state === 'ended');
    expect(await one.deliveries(call.id)).toEqual([]);
  }),
];

tryAbility('write_back', { cells, beside, createClock: createLeapingClock, agents: 1 });
