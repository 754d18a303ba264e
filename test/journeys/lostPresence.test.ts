import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway.ts';
import { redisUrl } from '../support/redis.ts';
import { nextEvent } from '../support/softphoneEvents.ts';
import { eventually } from '../support/time.ts';

describe('a presence store that loses its data under connected softphones', () => {
  let redis: Redis;
  let gateway: Gateway;
  let company: TestCompany;
  let idle: TestAgent;
  let talking: TestAgent;

  beforeAll(async () => {
    const url = await redisUrl();
    redis = new Redis(url);
    gateway = await startGateway('redis', { config: { redisUrl: url } });
    company = await gateway.company({ slug: 'forgetful', agents: 2, wrapUpSeconds: 0 });
    const [one, two] = company.agents;
    if (one === undefined || two === undefined) throw new Error('the company has two agents');
    [idle, talking] = [one, two];
  });
  afterAll(async () => {
    await gateway.close();
    redis.disconnect();
  });

  it('has every agent back in state and call before the next click, with no line broken', async () => {
    const talkingPhone = await gateway.readySoftphone(talking);
    const dialing = nextEvent(talkingPhone, 'dial');
    const { body } = await gateway.click(company, { phone_number: '+15551230001' }).expect(201);
    await dialing;
    await talkingPhone.reportProgress(body.call_id, 'connected');
    const idlePhone = await gateway.readySoftphone(idle);

    const lines: string[] = [];
    for (const softphone of [idlePhone, talkingPhone]) softphone.on('line', (state) => lines.push(state));
    await redis.flushdb();
    expect((await gateway.click(company, { phone_number: '+15551230002' })).body.agent.id).toBe(idle.id);
    const state = await gateway.api.get(`/api/agents/${talking.id}/state`).set('authorization', `Bearer ${company.adminToken}`);
    expect(state.body).toMatchObject({ state: 'on_call', call_id: body.call_id, connection: 'connected' });
    expect(lines).toEqual([]);
    await talkingPhone.reportProgress(body.call_id, 'ended');
    await eventually(() => talkingPhone.agent?.state === 'ready');
  });
});
