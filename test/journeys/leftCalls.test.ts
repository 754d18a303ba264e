import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

/** A page that is closed in the middle of a call hangs up, and says so on its way out. */
describe('a softphone that was closed in a call', () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await gateway.company({ slug: 'left', wrapUpSeconds: 600 });
  });
  afterAll(() => gateway.close());

  const left = (agent: TestAgent, callId: string, session: string) =>
    gateway.as(agent).post(`/api/calls/${callId}/left`).send({ session });
  const recorded = async (callId: string) => (await gateway.as(company).get(`/api/calls/${callId}`).expect(200)).body;
  const stateOf = async (agent: TestAgent) =>
    (await gateway.as(company).get(`/api/agents/${agent.id}/state`).expect(200)).body;

  async function talking(code: string) {
    const agent = await gateway.agent(company, code);
    const softphone = await gateway.readySoftphone(agent);
    const { id } = await softphone.startCall('+15551230001');
    await softphone.reportProgress(id, 'connected');
    return { agent, softphone, callId: id, session: softphone.session! };
  }

  it('ends the call at once, though its connection is gone already, and the agent is in no call any more', async () => {
    const { agent, softphone, callId, session } = await talking('closes');
    softphone.close();
    await eventually(async () => (await stateOf(agent)).connection === 'reconnecting');
    await left(agent, callId, session).expect(204);
    expect(await recorded(callId)).toMatchObject({
      state: 'ended',
      end_reason: 'failed',
      ended_by: 'system',
      end_detail: 'softphone_lost',
    });
    expect(await stateOf(agent)).toMatchObject({ state: 'wrap_up', connection: 'reconnecting' });
  });

  it('says it twice to no harm, and changes nothing of a call that is over', async () => {
    const { agent, softphone, callId, session } = await talking('repeats');
    await softphone.reportProgress(callId, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    await left(agent, callId, session).expect(204);
    await left(agent, callId, session).expect(204);
    expect(await recorded(callId)).toMatchObject({ end_reason: 'completed', ended_by: 'customer' });
    softphone.close();
  });

  it('ends no call that another softphone of the agent has by now, nor one of another agent', async () => {
    const { agent, softphone, callId, session } = await talking('moves');
    const other = await gateway.agent(company, 'meddles');
    const next = gateway.softphone(agent);
    await next.connect();
    expect((await left(agent, callId, session).expect(409)).body.code).toBe('session_replaced');
    expect((await left(other, callId, next.session!).expect(404)).body.code).toBe('not_found');
    expect(await recorded(callId)).toMatchObject({ state: 'connected' });
    await left(agent, callId, next.session!).expect(204);
    for (const one of [softphone, next]) one.close();
  });
});
