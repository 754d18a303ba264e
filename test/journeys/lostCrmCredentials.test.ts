import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryView } from '../../src/contract/deliveries.ts';
import { providers } from '../../src/providers/registry.ts';
import { issueAddress, publicUrl, sendNotice } from '../support/crm/notices.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const phone = '+14155553391';
const stranger = '+14155553392';
const minute = 60_000;
const unreadable = { state: 'needs_attention', detail: 'The stored credentials cannot be read. Give them anew.' };

describe('a CRM whose stored credentials a new ENCRYPTION_KEY does not open', () => {
  const jwtSecret = randomBytes(32);
  const clock = createLeapingClock();
  // How fast a CRM may be asked is held to elsewhere.
  const crmSystems = providers.map((provider) => ({
    ...provider,
    limits: { all: { count: 10_000, perMs: 1_000 }, searches: null },
  }));
  let database: TestDatabase;
  let crm: HubspotFake;
  let gateway: Gateway;
  let looking: TestCompany;
  let clicking: TestCompany;
  let logging: TestCompany;
  let callId: string;
  let personId: string;

  const start = () => {
    const config = {
      databaseUrl: database.url,
      jwtSecret,
      encryptionKey: randomBytes(32),
      logLevel: 'silent',
      publicUrl,
      crmBaseUrls: new Map([['hubspot', crm.url]]),
    } as const;
    return startGateway('memory', { clock, crmSystems, config });
  };
  const connect = (company: TestCompany) =>
    gateway
      .as(company)
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: crm.credentials })
      .expect(200);
  const connection = async (company: TestCompany) =>
    (await gateway.as(company).get('/api/integrations/crm').expect(200)).body.connection;
  const delivery = async (): Promise<DeliveryView> => {
    const { body } = await gateway
      .as(logging)
      .get('/api/integrations/webhook-deliveries')
      .query({ call_id: callId, target: 'crm' })
      .expect(200);
    expect(body.deliveries).toHaveLength(1);
    return body.deliveries[0];
  };

  beforeAll(async () => {
    [database, crm] = await Promise.all([createDatabase(), HubspotFake.open(clock.now)]);
    personId = crm.addPerson({ name: 'Ada Byron', email: 'ada@example.org', phone });
    gateway = await start();
    looking = await gateway.company({ slug: 'sealed-looking' });
    clicking = await gateway.company({ slug: 'sealed-clicking', agents: 1, wrapUpSeconds: 0 });
    logging = await gateway.company({ slug: 'sealed-logging', agents: 1, wrapUpSeconds: 30 });
    for (const company of [looking, clicking, logging]) await connect(company);
    const softphone = await gateway.readySoftphone(logging.agents[0]!);
    const { call } = await softphone.incomingCall(phone);
    callId = call.id;
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended');
    // It waits for the wrap-up, which this gateway does not see.
    await eventually(async () => (await delivery()).state === 'pending');
    softphone.close();
    await gateway.close();
    crm.heard.length = 0;
    gateway = await start();
  });
  afterAll(async () => {
    await gateway.close();
    await crm.close();
    await database.drop();
  });

  it('refuses a check and a trial in words, and asks the CRM nothing', async () => {
    const admin = gateway.as(looking);
    const asked = [
      () => admin.post('/api/integrations/check'),
      () => admin.post('/api/integrations/crm/preview').send({ phone_number: phone }),
    ];
    for (const ask of asked)
      expect((await ask().expect(409)).body.cause).toEqual({ code: 'crm_credentials_unreadable' });
    expect(crm.heard).toEqual([]);
  });

  it('takes the notices of the CRM all the same', async () => {
    const address = await issueAddress(gateway, looking, crm);
    const { headers, body } = crm.notice(personId, address.secret, new Date(clock.now()), address.url);
    expect((await sendNotice(gateway, address, { headers, body })).status).toBe(200);
  });

  it('is not asked who has a number: nobody is found, and the admin is told why', async () => {
    await gateway.api
      .get('/api/integrations/lookup')
      .query({ phone: stranger })
      .set('X-Service-Api-Key', looking.key)
      .expect(404);
    expect(await connection(looking)).toMatchObject(unreadable);
    expect(crm.heard).toEqual([]);
  });

  it('costs nobody a click', async () => {
    const softphone = await gateway.readySoftphone(clicking.agents[0]!);
    const click = gateway.api.post('/api/integrations/cti/click-to-dial').set('X-Service-Api-Key', clicking.key);
    const { body } = await click.send({ phone_number: stranger }).expect(201);
    expect(body.agent).toMatchObject({ id: clicking.agents[0]!.id });
    await eventually(async () => (await connection(clicking)).state === 'needs_attention');
    expect(await connection(clicking)).toMatchObject(unreadable);
    expect(crm.heard).toEqual([]);
    softphone.close();
  });

  it('gets the call that waits once, when the credentials were given anew', async () => {
    await clock.advance(minute);
    await eventually(async () => (await connection(logging)).state === 'needs_attention');
    expect(await connection(logging)).toMatchObject(unreadable);
    expect(crm.heard).toEqual([]);
    expect(await delivery()).toMatchObject({ state: 'pending', attempts: 0, finished_at: null });
    await connect(logging);
    expect(await connection(logging)).toMatchObject({ state: 'connected', detail: null });
    // What could not be tried is due again 45 s later.
    await eventually(async () => {
      await clock.advance(minute);
      return (await delivery()).state === 'delivered';
    });
    expect(crm.logged.filter(({ text }) => text.includes(callId))).toHaveLength(1);
    expect(await delivery()).toMatchObject({ attempts: 1, last_error: null });
  });
});
