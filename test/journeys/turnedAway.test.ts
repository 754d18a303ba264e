import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const [first, second] = ['+15551230001', '+15551230002'];

let gateway: Gateway;
let receiver: WebhookReceiver;
let company: TestCompany;
let ada: TestAgent;
let softphone: Softphone;
let companies = 0;

beforeAll(async () => {
  [gateway, receiver] = await Promise.all([startGateway('memory'), startWebhookReceiver()]);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `busy-${companies}`, agents: 1, webhookUrl: receiver.url });
  [ada] = company.agents as [TestAgent];
  await gateway
    .as(company)
    .put('/api/integrations')
    .send({ webhook_events: ['call_started', 'call_ended'] })
    .expect(200);
  softphone = await gateway.readySoftphone(ada);
});

/** The agent talks to somebody. */
async function talking(): Promise<string> {
  const { call } = await softphone.incomingCall(first);
  await softphone.reportProgress(call.id, 'connected');
  return call.id;
}
const missed = async () => (await gateway.as(ada).get('/api/calls?result=missed').expect(200)).body.calls;

it('who calls during a call and hears that the agent is busy has called: by name, among the missed, in the reports and to the webhook', async () => {
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: second, data: { name: 'Grace Hopper' } })
    .expect(200);
  const own = await talking();
  const turnedAway = await softphone.reportTurnedAway(second, 'HOPPER');
  expect(turnedAway).toMatchObject({
    direction: 'inbound',
    state: 'ended',
    end_reason: 'missed',
    ended_by: 'system',
    end_detail: 'agent_busy',
    customer_name: 'Grace Hopper',
    answered_at: null,
  });
  // The agent's own call is what it was.
  expect(softphone.call).toMatchObject({ id: own, state: 'connected' });
  expect((await gateway.as(ada).get(`/api/agents/${ada.id}/state`).expect(200)).body).toMatchObject({
    state: 'on_call',
    call_id: own,
  });
  expect(await missed()).toMatchObject([{ id: turnedAway.id, phone: second }]);
  expect((await gateway.as(ada).get('/api/me/missed-calls').expect(200)).body.count).toBe(1);
  expect((await gateway.as(ada).get('/api/me/today?time_zone=UTC').expect(200)).body.missed).toBe(1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await gateway.as(company).get(`/api/reports/calls?since=${since}`).expect(200)).body.total.missed).toBe(1);
  const told = () =>
    receiver.received.filter(({ body }) => body.data['call_id'] === turnedAway.id).map(({ body }) => body.event);
  await eventually(() => expect(told()).toEqual(['call_started', 'call_ended']));
  await softphone.reportProgress(own, 'ended');
  softphone.close();
});

it('is the same call where a queue tries again at once, and another one of another caller, also without a number', async () => {
  await talking();
  const { id } = await softphone.reportTurnedAway(second);
  expect((await softphone.reportTurnedAway(second)).id).toBe(id);
  expect(await softphone.reportTurnedAway('200', 'Desk')).toMatchObject({
    phone: null,
    caller: '200',
    customer_name: 'Desk',
  });
  expect((await softphone.reportTurnedAway('anonymous')).id).not.toBe(id);
  expect(await missed()).toHaveLength(3);
  softphone.close();
});
