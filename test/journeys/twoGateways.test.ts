import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { redisUrl } from '../support/redis.ts';
import { inState, nextEvent } from '../support/softphoneEvents.ts';

describe('two gateways on one Redis and one PostgreSQL', () => {
  let database: TestDatabase;
  let one: Gateway;
  let two: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    database = await createDatabase();
    const secrets = { jwtSecret: Buffer.alloc(32, 1), encryptionKey: Buffer.alloc(32, 2) };
    const config = { ...secrets, databaseUrl: database.url, redisUrl: await redisUrl() };
    one = await startGateway('redis', { config });
    two = await startGateway('redis', { config });
    company = await one.company({ slug: 'spread', agents: 3, wrapUpSeconds: 0 });
  });
  afterAll(async () => {
    await two.close();
    await one.close();
    await database.drop();
  });

  it('dial a click at one from the softphone at the other, with the record on its screen', async () => {
    const [agent] = company.agents;
    const softphone = await two.readySoftphone(agent!);
    const popped = nextEvent(softphone, 'pop');
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number: '+15551230001', screen_pop: { name: 'Ada' } }).expect(201);
    const [pop] = await popped;
    expect(pop).toMatchObject({ call_id: body.call_id, screen_pop: { name: 'Ada' } });
    const [offer] = await dialing;
    expect(offer).toMatchObject({ call_id: body.call_id, phone_number: '+15551230001' });
    await softphone.reportProgress(body.call_id, 'connected');
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'ready');
    softphone.close();
  });
});
