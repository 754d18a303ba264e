import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leasesKey } from '../../src/adapters/redis/keys.ts';
import { startGateway } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

describe('a gateway that leaves while a receiver takes its time', () => {
  it('keeps its lease until the answer, so that nobody else sends the same', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const url = await redisUrl();
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const leaving = await startGateway('redis', {
      config: {
        jwtSecret: Buffer.alloc(32, 1),
        encryptionKey: Buffer.alloc(32, 2),
        databaseUrl: database.url,
        redisUrl: url,
        drainSeconds: 0,
      },
    });
    onTestFinished(() => leaving.close());
    let answer = (_status: number) => {};
    const answered = new Promise<number>((resolve) => (answer = resolve));
    receiver.answerWith(() => answered);
    const company = await leaving.company({ slug: 'leaving', agents: 1, wrapUpSeconds: 0, webhookUrl: receiver.url });
    const softphone = leaving.softphone(company.agents[0]!);
    await softphone.connect();
    await softphone.setReady();
    const dialing = nextEvent(softphone, 'dial');
    await leaving.click(company, { phone_number: '+15551230001' }).expect(201);
    await dialing;
    await receiver.waitFor(() => true);
    softphone.close();

    const closing = leaving.app.close();
    await eventually(() =>
      leaving.api.get('/api/health/live').then(
        () => false,
        () => true,
      ),
    );
    const leaseEnds = async () => Number((await redis.zrange(leasesKey, '0', '-1', 'WITHSCORES'))[1]);
    const before = await leaseEnds();
    await eventually(async () => expect(await leaseEnds()).toBeGreaterThan(before));
    answer(204);
    await closing;
    expect(await leaseEnds()).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });
});
