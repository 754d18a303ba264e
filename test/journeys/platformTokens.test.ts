import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DialingPlatform } from '../support/cti/dialingPlatform.ts';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { FakeWebex } from '../support/cti/fakeWebex.ts';
import { PlatformDesk } from '../support/cti/platformDesk.ts';
import type { Heard } from '../support/http/fakeServer.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';

describe('the token by which gateways ask a telephony platform', () => {
  let webex: FakeWebex;
  let genesys: FakeGenesys;
  let gateways: Gateways;
  let company: TestCompany;
  let ada: TestAgent;
  let desk: PlatformDesk;
  let companies = 0;

  beforeAll(async () => {
    [webex, genesys] = await Promise.all([FakeWebex.start(), FakeGenesys.start()]);
    webex.replacesConsents = true;
    const clouds = [webex, genesys].map(({ connector, url }) => [connector, url] as const);
    gateways = await startGateways(2, { config: { ctiBaseUrls: new Map(clouds) } });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateways.at(0).company({ slug: `tokens-${companies}`, agents: 1 });
    [ada] = company.agents as [TestAgent];
    webex.refusedRefreshes = 0;
  });
  afterAll(async () => {
    await gateways.close();
    await Promise.all([webex.close(), genesys.close()]);
  });

  const at = async (platform: DialingPlatform) => {
    const where = { gateway: gateways.at(0), company, clock: { now: () => Date.now() }, customer: '+15551230001' };
    desk = await new PlatformDesk(platform, where).open();
    await desk.ready();
  };
  /** Has the platform set the agent's state, which tells whether it takes the token. */
  const ask = (place: number) =>
    gateways.at(place).as(company).put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' }).expect(200);
  const isLogIn = ({ path }: Heard) => path === '/oauth/token';
  const grants = () => webex.heard.filter((one) => webex.isGrant(one)).length;

  it('is of an agent and the same at every gateway, and one that is known costs no request', async () => {
    await at(webex);
    const before = grants();
    for (const place of [0, 1, 0, 1]) await ask(place);
    expect([grants() - before, webex.refusedRefreshes]).toEqual([0, 0]);
  });

  it('is replaced by one of two gateways that find it refused at the same time, which spends the refresh token once', async () => {
    await at(webex);
    for (const place of [0, 1]) await ask(place);
    for (let round = 0; round < 3; round += 1) {
      webex.expireTokens();
      const before = grants();
      await Promise.all([0, 1, 0, 1].map(ask));
      expect([grants() - before, webex.refusedRefreshes]).toEqual([1, 0]);
    }
  });

  it('goes on by the latest refresh token where an admin leaves that of the settings as it is, or changes the account', async () => {
    await at(webex);
    await desk.logIn({}).expect(200, { outcome: 'ok', detail: null });
    await gateways
      .at(0)
      .as(company)
      .patch('/api/integrations/cti/connections/webexcc')
      .send({ account: { ...webex.settings, origin: '+15550199' } })
      .expect(204);
    webex.expireTokens();
    await ask(1);
    expect(webex.refusedRefreshes).toBe(0);
  });

  it('is another at every gateway once the agent has consented anew', async () => {
    await at(webex);
    for (const place of [0, 1]) await ask(place);
    const before = webex.consent(ada.agentCode);
    await desk.logIn(before).expect(200, { outcome: 'ok', detail: null });
    webex.expireTokens();
    for (const place of [1, 0]) await ask(place);
    expect(webex.refusedRefreshes).toBe(0);
  });

  it('is asked for again with the same refresh token where the answer was lost, which Webex allows', async () => {
    await at(webex);
    webex.replacesConsents = false;
    webex.expireTokens();
    webex.failNext({ kind: 'reset_after_commit' }, (request) => webex.isGrant(request));
    const refused = gateways.at(0).as(company).put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' });
    expect((await refused).body).toMatchObject({ code: 'dependency_unavailable' });
    await ask(1);
    expect(webex.refusedRefreshes).toBe(0);
    webex.replacesConsents = true;
  });

  it('is got by each gateway for itself where that spends nothing, once for all who find it refused', async () => {
    await at(genesys);
    for (const place of [0, 1]) await ask(place);
    genesys.expireTokens();
    const before = genesys.heard.filter(isLogIn).length;
    await Promise.all([0, 0, 0, 1, 1, 1].map(ask));
    expect(genesys.heard.filter(isLogIn).length - before).toBe(2);
  });
});
