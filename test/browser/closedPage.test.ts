import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { allIsWell, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { patchAgent, putTelephony } from '../support/gateway/telephony.ts';
import { browserSdp } from '../support/sip/mutePeer.ts';
import { headerOf, PbxDialog, ScriptedPbx } from '../support/sip/scriptedPbx.ts';
import { eventually } from '../support/time/waiting.ts';

/** A tab that is closed in a call, and one that is reloaded: the PBX says what it hears of either. */
let gateway: Gateway;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel' } });

/** In a call with a customer who called, at a page whose worker tells it of pages that come. */
async function talking() {
  const pbx = await ScriptedPbx.open();
  onTestFinished(() => pbx.close());
  const { wssUrl, user, secret, domain } = pbx.account;
  companies += 1;
  const employer = await gateway.company({ slug: `closed${String(companies)}`, wrapUpSeconds: 600 });
  await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: wssUrl, sip_domain: domain }).expect(200);
  const agent = await gateway.agent(employer, 'ada');
  await patchAgent(gateway, employer, agent, { sip_user: user, sip_secret: secret }).expect(200);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await signIn(phone.page, agent, employer.slug);
  await allIsWell(phone.page).waitFor({ state: 'attached' });
  await phone.goReady();
  pbx.invite([], 'call', { from: '<sip:+12025550143@pbx.test>', offer: browserSdp });
  await phone.button('Answer').click();
  PbxDialog.ofOurs(pbx, 'call', '<sip:+12025550143@pbx.test>').acknowledge(
    await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/),
  );
  await phone.inCall('Connected');
  await phone.isWatched();
  const [{ id }] = (await gateway.as(employer).get('/api/calls').expect(200)).body.calls;
  const recorded = async () => (await gateway.as(employer).get(`/api/calls/${id}`).expect(200)).body;
  await eventually(async () => (await recorded()).state === 'connected');
  const stateOf = async () => (await gateway.as(employer).get(`/api/agents/${agent.id}/state`).expect(200)).body;
  return { phone, pbx, recorded, stateOf };
}

describe('a softphone in a call', () => {
  it('that is closed lets the customer go at once, and the gateway knows', async () => {
    const { phone, pbx, recorded, stateOf } = await talking();
    await phone.page.close({ runBeforeUnload: true });
    expect(headerOf(await pbx.hears(/^BYE /), 'Call-ID')).toBe('call');
    await eventually(async () =>
      expect(await recorded()).toMatchObject({ state: 'ended', end_reason: 'failed', end_detail: 'softphone_lost' }),
    );
    await eventually(async () => expect(await stateOf()).toMatchObject({ state: 'wrap_up' }));
  });

  it('that is left for another page lets the customer go, too', async () => {
    const { phone, pbx, recorded } = await talking();
    await phone.page.goto(`${gateway.url}/admin`);
    await pbx.hears(/^BYE /);
    await eventually(async () => expect(await recorded()).toMatchObject({ state: 'ended' }));
  });

  it('that is reloaded keeps the customer: the page that comes takes the call over', async () => {
    const { phone, pbx, recorded } = await talking();
    await phone.page.reload();
    // Whichever comes first: a BYE is to be seen as such.
    const invite = await pbx.hears(/^(?:INVITE|BYE) /);
    expect(headerOf(invite, 'Replaces')).toMatch(/^call;/);
    pbx.answer(invite, '200 OK', browserSdp.replace('actpass', 'active'));
    await phone.inCall('Connected');
    expect(pbx.told.filter((text) => text.startsWith('BYE '))).toEqual([]);
    expect(await recorded()).toMatchObject({ state: 'connected' });
    await phone.button('Hang up').click();
    pbx.answer(await pbx.hears(/^BYE /), '200 OK');
    await phone.wrapUp.waitFor();
  });
});
