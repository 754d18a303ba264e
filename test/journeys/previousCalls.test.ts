import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { createManualClock } from '../support/time/manualClock.ts';

const clock = createManualClock(Date.now());
let gateway: Gateway;
let ours: TestCompany;
let theirs: TestCompany;
let ada: TestAgent;
let anna: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
  [ours, theirs] = await Promise.all([
    gateway.company({ slug: 'ours', agents: 2, wrapUpSeconds: 3_600 }),
    gateway.company({ slug: 'theirs', agents: 1 }),
  ]);
  [ada, anna] = ours.agents as [TestAgent, TestAgent];
});
afterAll(() => gateway.close());

type Who = Parameters<Gateway['as']>[0];
let numbers = 0;
/** A number that nobody has called. */
const newNumber = () => `+1555124${String((numbers += 1)).padStart(4, '0')}`;
const previous = (who: Who, callId: string) => gateway.as(who).get(`/api/calls/${callId}/previous`);

/** A call that is over and wrapped up. */
async function call(
  agent: TestAgent,
  phone: string,
  { notes, isAnswered = true }: { notes?: string; isAnswered?: boolean } = {},
): Promise<string> {
  const softphone = await gateway.readySoftphone(agent);
  const { id } = await softphone.startCall(phone);
  if (isAnswered) await softphone.reportProgress(id, 'connected');
  await softphone.reportProgress(id, 'ended', isAnswered ? {} : { end_reason: 'no_answer' });
  await softphone.submitDisposition(id, {
    code: isAnswered ? 'resolved' : 'no_answer',
    ...(notes === undefined ? {} : { notes }),
  });
  await inState(softphone, 'ready');
  await softphone.setNotReady('break');
  softphone.close();
  return id;
}

describe('the calls before with a customer’s number', () => {
  it('are told to the agent whom the customer calls, from the first ring to the end of the wrap-up, whoever had them', async () => {
    const phone = newNumber();
    const [spoken, missed] = [
      await call(anna, phone, { notes: 'Wants an offer by Monday' }),
      await call(anna, phone, { isAnswered: false }),
    ];
    await call(anna, newNumber());
    const softphone = await gateway.readySoftphone(ada);
    const { call: ringing } = await softphone.incomingCall(phone);
    const expected = {
      calls: [
        {
          id: missed,
          by: { id: anna.id },
          call: { direction: 'outbound', end_reason: 'no_answer', talk_seconds: null },
        },
        {
          id: spoken,
          by: { id: anna.id, name: expect.any(String) },
          call: {
            phone_number: phone,
            talk_seconds: expect.any(Number),
            disposition: { code: 'resolved', notes: 'Wants an offer by Monday' },
          },
        },
      ],
      last_spoken: { at: expect.any(String), agent: { id: anna.id } },
    };
    for (const step of ['ringing', 'connected', 'ended'] as const) {
      if (step !== 'ringing') await softphone.reportProgress(ringing.id, step);
      expect((await previous(ada, ringing.id).expect(200)).body).toMatchObject(expected);
    }
    await inState(softphone, 'wrap_up');
    await clock.advance(60_000);
    expect((await previous(ada, ringing.id).expect(200)).body.calls).toHaveLength(2);
    await softphone.submitDisposition(ringing.id, { code: 'resolved' });
    await inState(softphone, 'ready');
    expect((await previous(ada, ringing.id).expect(403)).body.code).toBe('role_required');
    softphone.close();
  });

  it('are told of that number alone, to nobody else but those who see all calls', async () => {
    const [phone, other] = [newNumber(), newNumber()];
    const hers = await call(anna, phone);
    await call(anna, other);
    const boss = await gateway.agent(ours, 'boss', 'supervisor');
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall(newNumber());
    expect((await previous(ada, id).expect(200)).body).toEqual({ calls: [], last_spoken: null });
    expect((await previous(ada, hers).expect(404)).body.code).toBe('not_found');
    expect((await previous(anna, id).expect(404)).body.code).toBe('not_found');
    await previous(anna, hers).expect(200);
    await clock.advance(60_000);
    expect((await previous(anna, hers).expect(403)).body.code).toBe('role_required');
    for (const who of [theirs, theirs.agents[0]!])
      expect((await previous(who, id).expect(403)).body.code).toBe('wrong_company');
    for (const who of [boss, ours])
      expect((await previous(who, hers).expect(200)).body).toEqual({ calls: [], last_spoken: null });
    await gateway.api.get(`/api/calls/${hers}/previous`).set('X-Service-Api-Key', ours.key).expect(401);
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved' });
    softphone.close();
  });

  it('are none of another company that has the same customer', async () => {
    const phone = newNumber();
    await call(theirs.agents[0]!, phone, { notes: 'Their secret' });
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall(phone);
    expect((await previous(ada, id).expect(200)).body).toEqual({ calls: [], last_spoken: null });
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved' });
    softphone.close();
  });

  it('are nothing where the number is withheld', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const [first, second] = ['anonymous', 'anonymous'];
    const { call: before } = await softphone.incomingCall(first);
    await softphone.reportProgress(before.id, 'connected');
    await softphone.reportProgress(before.id, 'ended');
    await softphone.submitDisposition(before.id, { code: 'resolved', notes: 'Did not say who' });
    await inState(softphone, 'ready');
    const { call: ringing } = await softphone.incomingCall(second);
    expect((await previous(ada, ringing.id).expect(200)).body).toEqual({ calls: [], last_spoken: null });
    await softphone.reportProgress(ringing.id, 'ended');
    await softphone.setNotReady('break');
    softphone.close();
  });
});

describe('the pop page', () => {
  const popOf = async (who: Who, phone: string, query = '') =>
    (
      await gateway
        .as(who)
        .get(`/api/integrations/cti/pop?phone=${encodeURIComponent(phone)}${query}`)
        .expect(200)
    ).body.previous;
  const linked = async (phone: string) => {
    const made = await gateway.api
      .post('/api/integrations/cti/pop-links')
      .set('X-Service-Api-Key', ours.key)
      .send({ phone })
      .expect(201);
    const opened = await gateway.api
      .post('/api/integrations/cti/pop-sessions')
      .send({ link: new URL(made.body.url, gateway.url).hash.replace('#link=', '') })
      .expect(201);
    return (
      await gateway.api.get('/api/integrations/cti/pop-sessions').set('X-Pop-Token', opened.body.token).expect(200)
    ).body.previous;
  };

  it('tells them of the number that it shows: by a link, to supervisors, and to the agent who is on a call with it', async () => {
    const phone = newNumber();
    const before = await call(anna, phone, { notes: 'Prefers mornings' });
    expect(await linked(phone)).toMatchObject({ calls: [{ id: before }], last_spoken: { agent: { id: anna.id } } });
    expect(await popOf(ours, phone)).toMatchObject({ calls: [{ id: before }] });
    await clock.advance(60_000);
    expect([await popOf(ada, phone), await popOf(anna, phone, `&call=${before}`)]).toEqual([null, null]);
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall(phone);
    for (const query of ['', `&call=${id}`])
      expect(await popOf(ada, phone, query)).toMatchObject({ calls: [{ id: before }] });
    expect(await popOf(ada, newNumber())).toBeNull();
    await softphone.reportProgress(id, 'ended');
    await inState(softphone, 'wrap_up');
    await clock.advance(60_000);
    expect(await popOf(ada, phone, `&call=${id}`)).toMatchObject({ calls: [{ id: before }] });
    await softphone.submitDisposition(id, { code: 'resolved' });
    await inState(softphone, 'ready');
    expect(await popOf(ada, phone, `&call=${id}`)).toBeNull();
    softphone.close();
  });
});
