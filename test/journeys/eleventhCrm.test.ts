import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crmProviders } from '../../src/contract/vocabulary.ts';
import { providers, register } from '../../src/providers/registry.ts';
import { harbour } from '../support/crm/harbour.ts';
import { HarbourFake } from '../support/crm/harbourFake.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

describe('a CRM that nobody has connected before', () => {
  let crm: HarbourFake;
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    crm = await HarbourFake.open();
    // One line of registration.
    const crmSystems = [...providers, register(harbour)];
    gateway = await startGateway('memory', { crmSystems, config: { crmBaseUrls: new Map([['harbour_crm', crm.url]]) } });
    company = await gateway.company({ slug: 'sailing', agents: 1 });
  });
  afterAll(async () => {
    await gateway.close();
    await crm.close();
  });

  const admin = () => gateway.as(company);
  const connect = (credentials: object = crm.credentials) => admin().put('/api/integrations/crm').send({ provider: 'harbour_crm', credentials });
  const lookUp = (phone: string) => gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', company.key);

  it('stands in the catalog behind the ten that the interface names, with what it needs', async () => {
    const { body } = await admin().get('/api/integrations').expect(200);
    expect(body.providers.map(({ id }: { id: string }) => id)).toEqual([...crmProviders.map(({ id }) => id), 'harbour_crm']);
    expect(body.providers.map(({ name }: { name: string }) => name)).toEqual([...crmProviders.map(({ name }) => name), 'Harbour CRM']);
    expect(body.providers.at(-1)).toMatchObject({ credentials: { properties: { key: { title: 'Key', secret: true } } }, connection: 'not_connected' });
  });

  it('may be chosen, which one that is in no catalog may not', async () => {
    await admin().post('/api/integrations/connect').send({ crm_provider: 'harbour_crm' }).expect(200);
    const { body } = await admin().put('/api/integrations').send({ crm_provider: 'nobody' }).expect(400);
    expect(body.errors[0]).toMatchObject({ path: 'crm_provider', code: 'unknown_choice', params: { choices: expect.arrayContaining(['harbour_crm', 'hubspot']) } });
    for (const crm_provider of ['a'.repeat(33), 'Harbour_crm', '']) await admin().put('/api/integrations').send({ crm_provider }).expect(400);
    expect((await admin().get('/api/integrations').expect(200)).body.integration.crm_provider).toBe('harbour_crm');
  });

  it('is connected, checked and refused like the others', async () => {
    expect((await connect(crm.wrongCredentials).expect(400)).body.errors[0]).toMatchObject({ params: { name: 'Harbour CRM', words: 'Not this key.' } });
    expect((await connect().expect(200)).body.connection).toMatchObject({ name: 'Harbour CRM', account: 'Grace at the harbour', once: 'native' });
    const { body } = await admin().post('/api/integrations/check').expect(200);
    expect(Object.fromEntries(body.abilities.map(({ ability, works }: { ability: string; works: boolean }) => [ability, works]))).toMatchObject({ pull: true, link: true });
  });

  it('is asked for callers, fills the screen pop of a click, and opens the record', async () => {
    await connect().expect(200);
    const id = crm.addPerson({ name: 'Ada Byron', email: null, phone: '+14155552671', accountNumber: 'B-7' });
    const record = { name: 'Ada Byron', external_system: 'harbour_crm', external_id: id, record_url: `${crm.url}/skippers/${id}` };
    expect((await lookUp('+14155552671').expect(200)).body.screen_pop).toMatchObject(record);
    const other = crm.addPerson({ name: 'Grace Hopper', email: null, phone: '+14155552672' });
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const completed = nextEvent(softphone, 'call', (call) => call.screen_pop?.external_id === other);
    await gateway.click(company, { phone_number: '+14155552672' }).expect(201);
    expect((await completed)[0].screen_pop).toMatchObject({ name: 'Grace Hopper', external_system: 'harbour_crm', record_url: `${crm.url}/skippers/${other}` });
  });
});
