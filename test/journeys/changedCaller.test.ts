import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { CrmScreenPop } from '../../src/contract/socket.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';
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
  company = await gateway.company({ slug: `later-${companies}`, agents: 1, webhookUrl: receiver.url });
  [ada] = company.agents as [TestAgent];
  await gateway
    .as(company)
    .put('/api/integrations')
    .send({ webhook_events: ['call_started', 'call_ended'] })
    .expect(200);
  softphone = await gateway.readySoftphone(ada);
});

/** The agent talks to somebody. */
async function talking(phoneNumber = '1001'): Promise<string> {
  const { call } = await softphone.incomingCall(phoneNumber, 'Ben');
  await softphone.reportProgress(call.id, 'connected');
  return call.id;
}
const record = async (id: string) => (await gateway.as(ada).get(`/api/calls/${id}`).expect(200)).body;
const steps = async (id: string) =>
  (await gateway.as(ada).get(`/api/calls/${id}/steps`).expect(200)).body.steps.map(
    ({ step }: { step: string }) => step,
  );
const push = (phone: string, name: string) =>
  gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: phone, data: { name } })
    .expect(200);

describe('a caller who is another one by and by', () => {
  it('is the customer of the call from then on: on the screen, in the record, to supervisors, among the calls with the number, and to the webhook', async () => {
    await push(second, 'Grace Hopper');
    const id = await talking();
    const wallboard = await WatchedWallboard.open(gateway.url, company.adminToken);
    const pops: CrmScreenPop[] = [];
    softphone.on('pop', (pop) => pops.push(pop));
    const call = await softphone.reportCaller(id, second, 'HOPPER');
    expect(call).toMatchObject({ id, state: 'connected', phone: second, caller: null, customer_name: 'Grace Hopper' });
    await eventually(() =>
      expect(pops).toMatchObject([
        { call_id: id, phone_number: second, found: true, screen_pop: { name: 'Grace Hopper' } },
      ]),
    );
    expect(await record(id)).toMatchObject({ phone: second, customer_name: 'Grace Hopper' });
    await eventually(() =>
      expect(wallboard.callChanges.at(-1)).toMatchObject({ id, phone: second, name: 'Grace Hopper' }),
    );
    expect(
      (
        await gateway
          .as(ada)
          .get(`/api/calls?phone=${encodeURIComponent(second)}`)
          .expect(200)
      ).body.calls,
    ).toMatchObject([{ id }]);
    expect(await steps(id)).toEqual(['arrived', 'answered', 'caller_changed']);
    await softphone.reportProgress(id, 'ended');
    await eventually(() =>
      expect(
        receiver.received
          .filter(({ body }) => body.data['call_id'] === id)
          .map(({ body }) => [body.event, body.data['phone'], body.data['caller']]),
      ).toEqual([
        ['call_started', null, '1001'],
        ['call_ended', second, null],
      ]),
    );
    wallboard.watcher.close();
    softphone.close();
  });

  it('has the name that the network tells, where nobody knows another one', async () => {
    const id = await talking();
    expect(await softphone.reportCaller(id, second, 'HOPPER')).toMatchObject({
      phone: second,
      customer_name: 'HOPPER',
    });
    softphone.close();
  });

  it('is the same again, or withheld: nothing changes', async () => {
    const id = await talking(first);
    const { version } = softphone.agent!;
    for (const told of [first, '+1 (555) 123-0001', 'sip:+15551230001@pbx.test', '', 'anonymous', '266696687'])
      expect(await softphone.reportCaller(id, told, 'Somebody')).toMatchObject({ phone: first, customer_name: 'Ben' });
    expect(await steps(id)).toEqual(['arrived', 'answered']);
    expect(softphone.agent!.version).toBe(version);
    softphone.close();
  });

  it('is no more after twenty, nor once the call is over', async () => {
    const id = await talking();
    for (let number = 0; number < 20; number += 1) await softphone.reportCaller(id, `+155512310${String(number + 10)}`);
    await expect(softphone.reportCaller(id, first)).rejects.toMatchObject({
      code: 'conflict',
      refusal: { cause: { code: 'too_many_callers', params: { max: 20 } } },
    });
    expect(await record(id)).toMatchObject({ phone: '+15551231029', state: 'connected' });
    await softphone.reportProgress(id, 'ended');
    await expect(softphone.reportCaller(id, first)).rejects.toMatchObject({ code: 'conflict' });
    softphone.close();
  });

  it('is none of a call that the agent has dialed, nor of somebody else’s', async () => {
    const { id } = await softphone.startCall(first);
    expect(await softphone.reportCaller(id, second)).toMatchObject({ phone: first });
    await expect(softphone.reportCaller('00000000-0000-4000-8000-000000000000', second)).rejects.toMatchObject({
      code: 'not_found',
    });
    const other = await gateway.readySoftphone(await gateway.agent(company, 'ben'));
    await expect(other.reportCaller(id, second)).rejects.toMatchObject({ code: 'not_found' });
    other.close();
    softphone.close();
  });
});
