import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

describe('a gateway that comes back with another ENCRYPTION_KEY', () => {
  const jwtSecret = randomBytes(32);
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let gateway: Gateway;
  let company: TestCompany;

  const start = () =>
    startGateway('memory', {
      config: { databaseUrl: database.url, jwtSecret, encryptionKey: randomBytes(32), logLevel: 'silent' },
    });

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createDatabase(), startWebhookReceiver()]);
    const before = await start();
    company = await before.company({ slug: 'lost-key', webhookUrl: receiver.url });
    await before.close();
    gateway = await start();
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
    await database.drop();
  });

  it('sends nothing unsigned, says so in the log, and signs again after the secret is rotated', async () => {
    const test = () => gateway.as(company).post('/api/integrations/test-webhook').expect(200);
    const failed = await test();
    expect(failed.body).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('could not be signed') });
    expect(receiver.received).toEqual([]);
    const { body } = await gateway.as(company).get('/api/integrations/webhook-deliveries').expect(200);
    expect(body.deliveries).toMatchObject([
      { state: 'dead', last_error: expect.stringContaining('could not be signed') },
    ]);

    await gateway.as(company).put('/api/integrations').send({ webhook_secret: 'rotate' }).expect(200);
    expect((await test()).body.outcome).toBe('success');
    expect(receiver.received[0]?.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  });
});
