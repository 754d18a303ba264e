import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, html, json } from '../support/crm/fakeCrm.ts';
import { publicUrl } from '../support/crm/notices.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { eventually } from '../support/time/waiting.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

const down: [name: string, answer: Answer][] = [
  ['is down', html(502, 'Bad gateway')],
  [
    'is asked too much',
    json(429, { status: 'error', message: 'You have reached your secondly limit.', policyName: 'SECONDLY' }),
  ],
];

describe('what a gateway may do in a company’s CRM', () => {
  let crm: HubspotFake;
  let gateway: Gateway;
  let company: TestCompany;

  beforeEach(async () => {
    crm = await HubspotFake.open();
    gateway = await startGateway('memory', { config: { crmBaseUrls: new Map([['hubspot', crm.url]]), publicUrl } });
    company = await gateway.company({ slug: 'checking' });
  });
  afterEach(async () => {
    await gateway.close();
    await crm.close();
  });

  const admin = () => gateway.as(company);
  const connect = async () => {
    const { body } = await admin()
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: { access_token: crm.accessToken } })
      .expect(200);
    return body.connection;
  };
  const connection = async () => (await admin().get('/api/integrations/crm').expect(200)).body.connection;
  const check = async (): Promise<
    Record<string, { works: boolean | null; needs: string | null; detail: string | null }>
  > => {
    const { body } = await admin().post('/api/integrations/check').expect(200);
    return Object.fromEntries(body.abilities.map(({ ability, ...told }: { ability: string }) => [ability, told]));
  };
  const works = { works: true, needs: null, detail: null };
  const isProbe = ({ method, path }: { method: string; path: string }) =>
    (method === 'GET' && path.endsWith('/contacts?limit=1')) || method === 'PATCH';

  it('is told of all four abilities', async () => {
    expect(await connect()).toMatchObject({ once: 'native' });
    expect(await check()).toEqual({
      push: { works: false, needs: 'an address for its notices, made in the console', detail: null },
      pull: works,
      write_back: works,
      link: works,
    });
  });

  it('is told what notices still need, and that they come once one has come', async () => {
    await connect();
    const { body } = await admin().post('/api/integrations/crm/inbound').send({ provider: 'hubspot' }).expect(201);
    expect((await check()).push).toMatchObject({ works: false, needs: 'the secret with which HubSpot signs' });
    await admin().put('/api/integrations/crm/inbound/hubspot').send({ signing_secret: crm.noticeSecret }).expect(204);
    expect((await check()).push).toEqual({ works: null, needs: null, detail: null });
    const { headers, body: notice } = crm.notice(
      crm.addPerson({ name: 'Ada Byron', email: null, phone: null }),
      crm.noticeSecret,
      new Date(),
      body.url,
    );
    await gateway.api.post(new URL(body.url, gateway.url).pathname).set(headers).send(notice).expect(200);
    await eventually(async () => (await check()).push?.works === true);
  });

  it('names what is not granted, in words of the CRM', async () => {
    await connect();
    crm.forbid('pull');
    crm.forbid('write_back');
    const words = "This app hasn't been granted all required scopes to make this call.";
    expect(await check()).toMatchObject({
      pull: { works: false, needs: 'crm.objects.contacts.read', detail: words },
      write_back: { works: false, needs: 'crm.objects.contacts.write', detail: words },
    });
    expect(await connection()).toMatchObject({ state: 'connected' });
  });

  it.each(down)('cannot be told while the CRM %s, and what was known stays', async (_name, answer) => {
    await connect();
    crm.failNext({ kind: 'answer', answer }, isProbe);
    crm.failNext({ kind: 'answer', answer }, isProbe);
    crm.failNext({ kind: 'answer', answer }, ({ path }) => path.includes('/crm/properties/'));
    expect(await check()).toMatchObject({
      pull: { works: null, needs: null },
      write_back: { works: null, needs: null },
      link: works,
    });
    expect(await connection()).toMatchObject({ state: 'connected', once: 'native' });
  });

  it('logs calls without the property that HubSpot does not let it make, and makes it once it may', async () => {
    crm.forbidProperties();
    expect(await connect()).toMatchObject({ state: 'connected', once: 'looked_up' });
    expect(await check()).toMatchObject({ write_back: { works: true, needs: 'crm.schemas.contacts.write' } });
    crm.grantAll();
    expect(await check()).toMatchObject({ write_back: works });
    expect(await connection()).toMatchObject({ once: 'native' });
  });

  it('asks for a look at the credentials when the CRM refuses them, until they are good again', async () => {
    await connect();
    crm.failNext({ kind: 'answer', answer: json(401, { message: 'The token was revoked.' }) });
    const { body } = await admin().post('/api/integrations/check').expect(400);
    expect(body.errors[0]).toMatchObject({
      path: 'credentials',
      code: 'refused_by_crm',
      params: { name: 'HubSpot', words: 'The token was revoked.' },
    });
    expect(await connection()).toMatchObject({ state: 'needs_attention', detail: 'The token was revoked.' });
    await check();
    expect(await connection()).toMatchObject({ state: 'connected', detail: null });
  });

  it('is not known, and nothing is changed, while the CRM does not answer at all', async () => {
    await connect();
    const before = await connection();
    const end = crm.failAll({ kind: 'reset' });
    await admin().post('/api/integrations/check').expect(503);
    end();
    expect(await connection()).toEqual(before);
  });
});
