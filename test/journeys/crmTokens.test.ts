import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { PipedriveFake } from '../support/crm/pipedriveFake.ts';
import type { Heard } from '../support/crm/fakeCrm.ts';
import type { Gateway, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';
import { eventually } from '../support/time/waiting.ts';

describe('the token by which gateways ask a CRM', () => {
  let pipedrive: PipedriveFake;
  let hubspot: HubspotFake;
  let gateways: Gateways;
  let company: TestCompany;
  let companies = 0;
  /**
   * Requests are counted by a clock on which each comes long after the one before: rates are not what is tried here.
   */
  let now = 0;

  beforeAll(async () => {
    pipedrive = await PipedriveFake.open(() => (now += 10_000));
    hubspot = await HubspotFake.open(() => (now += 10_000));
    gateways = await startGateways(2, {
      config: {
        crmBaseUrls: new Map([
          ['pipedrive', pipedrive.url],
          ['hubspot', hubspot.url],
        ]),
      },
    });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateways.at(0).company({ slug: `tokens-${companies}`, agents: 1 });
    await connect('pipedrive', pipedrive.appCredentials);
    pipedrive.repeatedRefreshes = 0;
  });
  afterAll(async () => {
    await gateways.close();
    await pipedrive.close();
    await hubspot.close();
  });

  const admin = (gateway = gateways.at(0)) => gateway.as(company);
  const connect = (provider: string, credentials: object) =>
    admin().put('/api/integrations/crm').send({ provider, credentials }).expect(200);
  const connection = async () => (await admin().get('/api/integrations/crm').expect(200)).body.connection;
  const isRefresh = ({ path, method }: Heard) =>
    method === 'POST' && path.includes('/oauth/') && path.endsWith('/token');
  const refreshes = () => pipedrive.heard.filter(isRefresh).length;
  let lastNumber = 0;
  const freshNumber = () => `+1415557${String((lastNumber += 1)).padStart(4, '0')}`;
  const known = (crm: PipedriveFake | HubspotFake = pipedrive) => {
    const phone = freshNumber();
    crm.addPerson({ name: 'Ada Byron', email: null, phone });
    return phone;
  };
  const lookUp = (gateway: Gateway, phone: string) =>
    gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', company.key);
  const found = (gateway: Gateway, crm?: HubspotFake) => lookUp(gateway, known(crm)).expect(200);
  /** The lease of a gateway that is gone has run out. */
  const lapse = async () => {
    const client = new pg.Client({ connectionString: gateways.config.databaseUrl ?? '' });
    await client.connect();
    const { rowCount } = await client.query(
      `UPDATE crm_connection SET token_lease_until = now() - interval '1 second' WHERE token_lease_id IS NOT NULL`,
    );
    await client.end();
    return rowCount;
  };

  it('that proved the credentials goes on: connecting and checking use no refresh token twice', async () => {
    await found(gateways.at(0));
    await admin().post('/api/integrations/check').expect(200);
    await found(gateways.at(1));
    expect(pipedrive.repeatedRefreshes).toBe(0);
  });

  it('is replaced once when it has ended, and what was asked with it is asked again', async () => {
    await found(gateways.at(0));
    pipedrive.expireTokens();
    const before = refreshes();
    await found(gateways.at(0));
    expect([refreshes() - before, pipedrive.repeatedRefreshes]).toEqual([1, 0]);
  });

  it('is replaced by one of two gateways that find it ended at the same time', async () => {
    pipedrive.expireTokens();
    const before = refreshes();
    await Promise.all([0, 1, 0, 1].map((place) => found(gateways.at(place))));
    expect([refreshes() - before, pipedrive.repeatedRefreshes]).toEqual([1, 0]);
  });

  it('is replaced by the other gateway when the one that was at it is gone', async () => {
    const [dying, other] = [gateways.at(0), gateways.at(1)];
    await found(other);
    pipedrive.expireTokens();
    pipedrive.failNext({ kind: 'hang' }, isRefresh);
    const before = refreshes();
    void lookUp(dying, known()).then(
      () => undefined,
      () => undefined,
    );
    await eventually(() => refreshes() > before);
    // It cannot say any more that it gives up.
    dying.meddling.toPostgres.cut();
    // While it may still be at it, nobody asks beside it.
    await lookUp(other, freshNumber()).expect(404);
    expect(refreshes() - before).toBe(1);
    await eventually(async () => (await lapse()) === 1);
    await found(other);
    expect([refreshes() - before, pipedrive.repeatedRefreshes]).toEqual([2, 0]);
    dying.meddling.end();
  });

  it('is asked for again with the same refresh token where the answer was lost, which a CRM that keeps refresh tokens allows', async () => {
    const { client_id, client_secret, refresh_token } = hubspot.credentials;
    await connect('hubspot', { client_id, client_secret, refresh_token });
    await found(gateways.at(0), hubspot);
    hubspot.expireTokens();
    hubspot.failNext({ kind: 'reset_after_commit' }, isRefresh);
    await lookUp(gateways.at(0), known(hubspot)).expect(404);
    await found(gateways.at(0), hubspot);
    expect(await connection()).toMatchObject({ state: 'connected' });
  });

  it('needs an admin where a lost answer held the only refresh token: nothing more is sent, and a click costs nothing', async () => {
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    await gateways.at(0).readySoftphone(agent);
    pipedrive.expireTokens();
    pipedrive.failNext({ kind: 'reset_after_commit' }, isRefresh);
    await lookUp(gateways.at(0), known()).expect(404);
    await lookUp(gateways.at(0), known()).expect(404);
    expect(await connection()).toMatchObject({
      state: 'needs_attention',
      detail: 'Invalid grant: refresh_token is invalid',
    });
    const before = pipedrive.heard.length;
    for (const place of [0, 1]) await lookUp(gateways.at(place), known()).expect(404);
    await gateways.at(0).click(company, { phone_number: known() }).expect(201);
    expect(pipedrive.heard.length).toBe(before);
  });
});
