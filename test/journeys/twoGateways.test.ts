import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

describe('two gateways on one Redis and one PostgreSQL', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let first: TestAgent;
  let second: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `spread-${companies}`, agents: 2, wrapUpSeconds: 3_600 });
    const [longest, other] = company.agents;
    if (longest === undefined || other === undefined) throw new Error('the company has two agents');
    [first, second] = [longest, other];
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const stateAt = async (gateway: MeddledGateway, agent: TestAgent) =>
    (await gateway.as(company).get(`/api/agents/${agent.id}/state`).expect(200)).body;

  /** A click at one that the softphone dials. Resolves with the call's id. */
  async function dialed(softphone: Softphone): Promise<string> {
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    const [offer] = await dialing;
    expect(offer.call_id).toBe(body.call_id);
    return body.call_id;
  }

  it('dial a click at one from the softphone at the other, with the record on its screen', async () => {
    const softphone = await two.readySoftphone(first);
    const popped = nextEvent(softphone, 'pop');
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number, screen_pop: { name: 'Ada' } }).expect(201);
    const [pop] = await popped;
    expect(pop).toMatchObject({ call_id: body.call_id, screen_pop: { name: 'Ada' } });
    expect((await dialing)[0]).toMatchObject({ call_id: body.call_id, phone_number });
    await inState(softphone, 'on_call');
    expect(await stateAt(one, first)).toMatchObject({ state: 'on_call', call_id: body.call_id });
  });

  it('take the agent idle longest, wherever the softphones are connected and the click arrives', async () => {
    await two.readySoftphone(second);
    await one.readySoftphone(first);
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(second.id);
    expect((await two.click(company, { phone_number }).expect(201)).body.agent.id).toBe(first.id);
    expect((await two.click(company, { phone_number })).body.code).toBe('no_ready_agent');
  });

  it('give one agent to one of two clicks that arrive at both at once', async () => {
    const softphone = await two.readySoftphone(first);
    const dials: string[] = [];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    const claims = [gate(), gate()];
    for (const [place, claim] of claims.entries()) {
      claim.shut();
      gateways.at(place).meddling.gates.claim = claim;
    }
    const clicks = [one, two].map((gateway) => gateway.click(company, { phone_number }).then((answer) => answer));
    for (const claim of claims) await claim.reached();
    for (const claim of claims) claim.open();
    const answers = await Promise.all(clicks);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 503]);
    const { call_id } = answers.find(({ status }) => status === 201)?.body ?? {};
    await eventually(() => dials.length > 0);
    await softphone.reportProgress(call_id, 'ended');
    expect(dials).toEqual([call_id]);
  });

  it('go on to the next agent when the softphone at the other declines', async () => {
    const declining = await two.readySoftphone(first, { acceptOffer: () => false });
    await one.readySoftphone(second);
    const closed = nextEvent(declining, 'popClosed');
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(second.id);
    expect((await closed)[1]).toBe('rejected');
    await inState(declining, 'not_ready');
    expect(await stateAt(one, first)).toMatchObject({
      state: 'not_ready',
      reason: 'rejected',
      connection: 'connected',
    });
  });

  it('go on to the next agent when the softphone at the other does not acknowledge', async () => {
    const answer = gate();
    answer.shut();
    const silent = await two.readySoftphone(first, { acceptOffer: () => answer.pass(async () => true) });
    let dials = 0;
    silent.on('dial', () => (dials += 1));
    await two.readySoftphone(second);
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(second.id);
    await inState(silent, 'not_ready');
    expect(silent.agent?.reason).toBe('delivery_failed');
    expect(silent.pop).toBeNull();
    expect(one.meddling.offers).toEqual(['undelivered', 'acknowledged']);
    answer.open();
    await silent.setReady();
    expect(dials).toBe(0);
  });

  it('tell a named agent who is Not Ready at the other', async () => {
    const softphone = two.softphone(first);
    await softphone.connect();
    await softphone.setNotReady('meal');
    const refused = await one.click(company, { phone_number, agent_id: first.id }).expect(503);
    expect(refused.body).toMatchObject({
      code: 'agent_not_ready',
      agent_state: { state: 'not_ready', reason: 'meal' },
    });
  });

  it('answer an Idempotency-Key at the other as it was answered first', async () => {
    await two.readySoftphone(first);
    await two.readySoftphone(second);
    const key = { 'Idempotency-Key': 'spread' };
    const answers = await Promise.all([one, two].map((gateway) => gateway.click(company, { phone_number }, key)));
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await two.click(company, { phone_number }, key).expect(201)).body).toEqual(made[0]);
    const states = await Promise.all([first, second].map(async (agent) => (await stateAt(one, agent)).state));
    expect(states.sort()).toEqual(['on_call', 'ready']);
  });

  it('end the wrap-up of a softphone at one by a disposition at the other', async () => {
    const softphone = await two.readySoftphone(first);
    const callId = await dialed(softphone);
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended');
    await inState(softphone, 'wrap_up');
    const told = nextEvent(softphone, 'call', (call) => call.disposition !== null);
    await one.as(company).post(`/api/calls/${callId}/disposition`).send({ code: 'resolved' }).expect(200);
    expect((await told)[0]).toMatchObject({ id: callId, disposition: { code: 'resolved' } });
    await inState(softphone, 'ready');
  });

  it('tell a softphone at the other that a supervisor set its state, and freed it from a call', async () => {
    const softphone = await two.readySoftphone(first);
    const force = (body: object) => one.as(company).put(`/api/agents/${first.id}/state`).send(body).expect(200);
    await force({ state: 'not_ready' });
    await inState(softphone, 'not_ready');
    await force({ state: 'ready' });
    await inState(softphone, 'ready');
    const callId = await dialed(softphone);
    const ended = nextEvent(softphone, 'call', (call) => call.state === 'ended');
    await force({ state: 'ready', force: true });
    expect((await ended)[0]).toMatchObject({ id: callId, end_reason: 'failed' });
    await inState(softphone, 'ready');
    expect(softphone.pop).toBeNull();
  });

  it('leave a fresh take-over at one alone when the tab before it resumes at the other at the same moment', async () => {
    const before = await one.readySoftphone(first);
    before.close();
    await eventually(async () => (await stateAt(two, first)).connection === 'reconnecting');
    const resuming = gate();
    resuming.shut();
    one.meddling.gates.commit = resuming;
    const returning = before.connect().catch((error: unknown) => error);
    // It has seen its own session, and is about to write.
    await resuming.reached();
    const after = two.softphone(first);
    await after.connect();
    resuming.open();
    expect(await returning).toMatchObject({ code: 'session_replaced' });
    expect(before.line).toBe('replaced');
    await after.setReady();
    expect(after.line).toBe('connected');
    expect(await stateAt(one, first)).toMatchObject({ state: 'ready', connection: 'connected' });
    await dialed(after);
  });

  it('know of a call that the agent dials by hand, and give the agent to nobody meanwhile', async () => {
    const softphone = await two.readySoftphone(first);
    const popped = nextEvent(softphone, 'pop');
    const call = await softphone.startCall(phone_number);
    expect((await popped)[0]).toMatchObject({ call_id: call.id, trigger: 'manual_dial' });
    expect(await stateAt(one, first)).toMatchObject({ state: 'on_call', call_id: call.id });
    expect((await one.click(company, { phone_number })).body.code).toBe('no_ready_agent');
  });

  it('know of a ring, with the record that was pushed to the other', async () => {
    await one.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number, data: { name: 'Grace' } })
      .expect(200);
    const softphone = await two.readySoftphone(first);
    const rung = await softphone.incomingCall(phone_number);
    expect(rung).toMatchObject({ found: true, screen_pop: { name: 'Grace' } });
    expect(await stateAt(one, first)).toMatchObject({ state: 'reserved', call_id: rung.call.id });
    expect((await one.click(company, { phone_number })).body.code).toBe('no_ready_agent');
    await softphone.reportProgress(rung.call.id, 'connected');
    const found = await one.as(company).get(`/api/calls/${rung.call.id}`).expect(200);
    expect(found.body).toMatchObject({ state: 'connected', direction: 'inbound' });
  });
});
