import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crmProviders } from '../../src/contract/vocabulary.ts';
import { providers, register } from '../../src/providers/registry.ts';
import { harbour } from '../support/crm/harbour.ts';
import { HarbourFake } from '../support/crm/harbourFake.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

/** Its abilities are tried with those of the others, in `crm/`. */
describe('a CRM that nobody has connected before', () => {
  let crm: HarbourFake;
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    crm = await HarbourFake.open();
    // One line of registration.
    const crmSystems = [...providers, register(harbour)];
    gateway = await startGateway('memory', {
      crmSystems,
      config: { crmBaseUrls: new Map([['harbour_crm', crm.url]]) },
    });
    company = await gateway.company({ slug: 'sailing' });
  });
  afterAll(async () => {
    await gateway.close();
    await crm.close();
  });

  const admin = () => gateway.as(company);

  it('stands in the catalog behind the ten that the interface names, with what it needs', async () => {
    const { body } = await admin().get('/api/integrations').expect(200);
    expect(body.providers.map(({ id }: { id: string }) => id)).toEqual([
      ...crmProviders.map(({ id }) => id),
      'harbour_crm',
    ]);
    expect(body.providers.map(({ name }: { name: string }) => name)).toEqual([
      ...crmProviders.map(({ name }) => name),
      'Harbour CRM',
    ]);
    expect(body.providers.at(-1)).toMatchObject({
      credentials: { properties: { key: { title: 'Key', secret: true } } },
      connection: 'not_connected',
    });
  });

  it('may be chosen, which one that is in no catalog may not', async () => {
    await admin().post('/api/integrations/connect').send({ crm_provider: 'harbour_crm' }).expect(200);
    const { body } = await admin().put('/api/integrations').send({ crm_provider: 'nobody' }).expect(400);
    expect(body.errors[0]).toMatchObject({
      path: 'crm_provider',
      code: 'unknown_choice',
      params: { choices: expect.arrayContaining(['harbour_crm', 'hubspot']) },
    });
    for (const crm_provider of ['a'.repeat(33), 'Harbour_crm', ''])
      await admin().put('/api/integrations').send({ crm_provider }).expect(400);
    expect((await admin().get('/api/integrations').expect(200)).body.integration.crm_provider).toBe('harbour_crm');
  });
});
