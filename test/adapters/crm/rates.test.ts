import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisCounters } from '../../../src/adapters/counters/counters.ts';
import { connectRedis } from '../../../src/adapters/redis/connection.ts';
import { hubspot } from '../../../src/providers/hubspot.ts';
import { CoreExchange, crmClient } from '../../support/crm/coreExchange.ts';
import { HubspotFake } from '../../support/crm/hubspotFake.ts';
import { phoneQuery } from '../../support/crm/samples.ts';
import { redisUrl } from '../../support/stores/redis.ts';

describe('the rate of a company at its CRM', () => {
  let fake: HubspotFake;
  let redis: Awaited<ReturnType<typeof connectRedis>>;

  beforeAll(async () => {
    fake = await HubspotFake.open();
    redis = await connectRedis(await redisUrl(), {
      onError: (error) => {
        throw error;
      },
    });
  });
  afterAll(async () => {
    redis.disconnect();
    await fake.close();
  });

  it('is kept by two gateways whose agents all look somebody up at once, whatever the moment', async () => {
    // HubSpot's five searches a second, which the fake counts over every second that there is.
    const gateways = [1, 2].map(
      () =>
        new CoreExchange(
          hubspot,
          fake,
          { access_token: fake.accessToken },
          {},
          crmClient({ counters: createRedisCounters({ redis }) }),
        ),
    );
    const search = (gateway: CoreExchange<never>) =>
      gateway.send(hubspot.searchRequests(phoneQuery('+14155551212'), gateway.site)[0]![0]!);
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, turn) => search(gateways[turn % 2] as unknown as CoreExchange<never>)),
    );
    expect(answers.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(fake.heard).toHaveLength(14);
  });
});
