import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AtCrm, CrmRoom } from '../../support/crm/crmRoom.ts';
import { html, json } from '../../support/crm/fakeCrm.ts';
import { fakedCrms } from '../../support/crm/fakedCrms.ts';
import { FreshdeskFake } from '../../support/crm/freshdeskFake.ts';
import type { Gateway, TestCompany } from '../../support/gateway/gateway.ts';
import { type Gateways, startGateways } from '../../support/gateway/gateways.ts';
import { createLeapingClock, type LeapingClock } from '../../support/time/leapingClock.ts';

const down = html(503, 'Down for maintenance');

describe('a call that is to be logged while its CRM is left alone', () => {
  let room: CrmRoom<LeapingClock>;
  let one: AtCrm<LeapingClock>;
  beforeAll(async () => {
    room = await CrmRoom.open(createLeapingClock());
  });
  beforeEach(async () => {
    one = await room.company(fakedCrms.find(({ id }) => id === 'freshdesk') ?? expect.fail(), { agents: 1 });
    await one.connect().expect(200);
  });
  afterEach(() => one.close());
  afterAll(() => room.close());

  /**
   * Wraps the call up, which then waits until the end of the pause: nothing of it is sent or told.
   * Resolves with that end.
   */
  async function heldBack(callId: string, because: string): Promise<number> {
    const { paused_until: until, paused_because: reason } = await one.connection();
    expect(reason).toBe(because);
    const before = one.crm.heard.length;
    await one.wrapUp(callId);
    const delivery = await one.untilDelivery(
      callId,
      ({ state, next_attempt_at: due }) => state === 'pending' && due === until,
    );
    expect(delivery).toMatchObject({ attempts: 0, last_error: null, last_error_cause: null });
    expect((await one.detail(delivery.id)).log).toEqual([]);
    expect(one.crm.heard.length).toBe(before);
    return Date.parse(until);
  }

  it('waits for the end of the pause, which counts as no attempt, and is then logged at once', async () => {
    const callId = await one.answered(one.person().phone);
    const end = one.crm.failAll({ kind: 'answer', answer: down });
    for (let times = 0; times < 5; times += 1) await one.lookUp(`+1415555000${times}`).expect(404);
    end();
    const until = await heldBack(callId, 'no_answer');
    await one.clock.advance(until - one.clock.now());
    const { id } = await one.logged(callId);
    const { attempts, log } = await one.detail(id);
    expect([attempts, log.map(({ error }) => error)]).toEqual([1, [null]]);
    expect(one.entries(callId)).toHaveLength(1);
    // A failed attempt would wait for four minutes at least.
    expect(one.clock.now() - until).toBeLessThan(200_000);
  });

  it('waits for the CRM that has told a look-up to wait, and is logged by one attempt', async () => {
    const callId = await one.answered(one.person().phone);
    const end = one.crm.failAll({ kind: 'answer', answer: one.crm.tooMany() });
    await one.lookUp('+14155550001').expect(404);
    end();
    await heldBack(callId, 'told_to_wait');
    expect(await one.logged(callId, 10_000)).toMatchObject({ attempts: 1, last_error: null });
    expect(one.entries(callId)).toHaveLength(1);
  });
});

describe('a company at Freshdesk', () => {
  let crm: FreshdeskFake;
  let gateways: Gateways;
  let company: TestCompany;
  let companies = 0;
  let numbers = 0;
  let now = 0;

  beforeAll(async () => {
    // Each company meets the same account, whose minute is over whenever a test begins.
    crm = await FreshdeskFake.open(() => now);
    gateways = await startGateways(2, { config: { crmBaseUrls: new Map([['freshdesk', crm.url]]) } });
  });
  beforeEach(async () => {
    now += 120_000;
    crm.plan = { all: 200, contacts: 20 };
    companies += 1;
    company = await gateways.at(0).company({ slug: `patient-${companies}` });
    await gateways
      .at(0)
      .as(company)
      .put('/api/integrations/crm')
      .send({ provider: 'freshdesk', credentials: crm.credentials })
      .expect(200);
  });
  afterAll(async () => {
    await gateways.close();
    await crm.close();
  });

  const freshNumber = () => `+1415558${String((numbers += 1)).padStart(4, '0')}`;
  const lookUp = (gateway: Gateway, phone = freshNumber()) =>
    gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', company.key).expect(404);
  const asked = () => crm.heard.filter(({ path }) => path.includes('/contacts')).length;
  const preview = () =>
    gateways.at(0).as(company).post('/api/integrations/crm/preview').send({ phone_number: freshNumber() });

  it('that is told to wait by one look-up asks nothing until then, at whichever gateway, and both say so', async () => {
    const end = crm.failAll(
      { kind: 'answer', answer: json(429, { message: 'Too many' }, { 'retry-after': '600' }) },
      ({ path }) => path.includes('/contacts'),
    );
    await lookUp(gateways.at(0));
    end();
    const before = crm.heard.length;
    for (const place of [1, 0, 1, 0, 1, 0]) await lookUp(gateways.at(place));
    expect(crm.heard.length).toBe(before);
    const seen = await Promise.all(
      [0, 1].map(
        async (place) =>
          (await gateways.at(place).as(company).get('/api/integrations/crm').expect(200)).body.connection,
      ),
    );
    expect(new Set(seen.map(({ paused_until: until }) => until)).size).toBe(1);
    for (const connection of seen) {
      expect(connection).toMatchObject({
        state: 'connected',
        paused_because: 'told_to_wait',
        paused_until: expect.any(String),
      });
    }
    const { body, headers } = await preview().expect(503);
    expect(body.detail).toContain('Freshdesk has asked to be left alone for a while');
    expect(body.cause).toMatchObject({
      code: 'crm_told_to_wait',
      params: { name: 'Freshdesk', seconds: Number(headers['retry-after']) },
    });
  });

  it('is not asked for a second spelling where the first was too much, though it does not say for how long', async () => {
    const end = crm.failAll({ kind: 'answer', answer: json(429, { message: 'Too many' }) }, ({ path }) =>
      path.includes('/contacts'),
    );
    const before = asked();
    await lookUp(gateways.at(0));
    end();
    // The two fields of the first, which are asked for at once.
    expect(asked() - before).toBe(2);
  });

  it('on its smallest plan is asked no more than that allows, and it is the gateway that says so', async () => {
    const connected = asked();
    for (let times = 0; times < 8; times += 1) await lookUp(gateways.at(times % 2));
    // One more was asked for to connect it.
    expect(asked() - connected).toBe(17);
    const before = asked();
    const { body } = await preview().expect(503);
    expect(body.detail).toContain('The gateway itself keeps within what Freshdesk allows, 18 such requests in 60 s');
    expect(body.cause).toMatchObject({
      code: 'crm_limit_kept',
      params: { name: 'Freshdesk', count: 18, per_seconds: 60 },
    });
    expect(asked()).toBe(before);
    expect((await gateways.at(0).as(company).get('/api/integrations/crm').expect(200)).body.connection).toMatchObject({
      paused_until: null,
      paused_because: null,
    });
  });

  it('on a larger plan is asked as much as that allows, as its answers tell each gateway', async () => {
    crm.plan = { all: 400, contacts: 100 };
    const before = asked();
    for (let times = 0; times < 16; times += 1) await lookUp(gateways.at(times % 2));
    // Four for each, of numbers that nobody has.
    expect(asked() - before).toBe(64);
    await preview().expect(200);
  });
});
