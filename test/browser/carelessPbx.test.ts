import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { allIsWell, push, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { patchAgent, putTelephony } from '../support/gateway/telephony.ts';
import { browserSdp } from '../support/sip/mutePeer.ts';
import { headerOf, PbxDialog, ScriptedPbx } from '../support/sip/scriptedPbx.ts';

let gateway: Gateway;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel' } });

type AtPbx = { phone: SoftphonePage; pbx: ScriptedPbx; agent: TestAgent; employer: TestCompany };

/** An agent whose page registers at a PBX of its own, which is yet to answer. */
async function registering(): Promise<AtPbx & { request: string }> {
  const pbx = await ScriptedPbx.open();
  onTestFinished(() => pbx.close());
  pbx.holdRegistrations();
  const { wssUrl, user, secret, domain } = pbx.account;
  companies += 1;
  const employer = await gateway.company({ slug: `careless${String(companies)}` });
  await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: wssUrl, sip_domain: domain }).expect(200);
  const agent = await gateway.agent(employer, 'ada');
  await patchAgent(gateway, employer, agent, { sip_user: user, sip_secret: secret }).expect(200);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await signIn(phone.page, agent, employer.slug);
  return { phone, pbx, agent, employer, request: await pbx.hears(/^REGISTER /) };
}

describe('a PBX as they are', () => {
  it('in a container, in binary frames, behind a border controller: it calls as a customer who is known, and is answered', async () => {
    const { phone, pbx, employer, request } = await registering();
    await push(gateway, employer, { phone_number: '+12025550143', data: { name: 'Ada Lovelace' } });
    pbx.isBinary = true;
    const { length } = pbx.told;
    pbx.answer(request, '401 Unauthorized', '', ['MD5', 'SHA-256'].map((algorithm) => `WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=${algorithm}, qop="auth"`));
    const proved = await pbx.hears(/^REGISTER /, length);
    expect(headerOf(proved, 'Authorization')).toContain('algorithm=SHA-256');
    pbx.answer(proved, '200 OK', '', ['Contact: <sip:1002@203.0.113.9:5090>;expires=90']);
    await allIsWell(phone.page).waitFor({ state: 'attached' });
    await phone.goReady();
    const from = 'ACME, Inc. <sip:1002@1af019b2ba08>';
    const identity = 'P-Asserted-Identity: <sip:+12025550143;cpc=ordinary@1af019b2ba08;user=phone>';
    pbx.invite(['Contact: <sip:1002@1af019b2ba08:8088;transport=ws>', identity], 'call', { from, offer: browserSdp });
    await phone.customer('Ada Lovelace').waitFor();
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx, 'call', from);
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    expect(await pbx.hears(/^BYE /)).toMatch(/^BYE sip:1002@1af019b2ba08:8088;transport=ws SIP/);
  });

  it('that lets several phones ring says who has answered, and what cannot be read is told', async () => {
    const { phone, pbx, agent, request } = await registering();
    pbx.register(request);
    await allIsWell(phone.page).waitFor({ state: 'attached' });
    await phone.goReady();
    pbx.invite([], 'call', { from: '<sip:+12025550143@pbx.test>', offer: browserSdp });
    await phone.button('Answer').waitFor();
    pbx.cancel(['Reason: Q.850;cause=26']);
    await phone.recent.getByText('Answered elsewhere').waitFor();
    await phone.state.getByText('Ready', { exact: true }).waitFor();
    expect((await gateway.as(agent).get('/api/calls?result=missed').expect(200)).body.calls).toEqual([]);
    pbx.invite([], 'another', { from: 'nobody' });
    await phone.page.getByText('The phone network sent a message that cannot be read (from): a call may be missing. Tell your admin.').waitFor();
  });

  it('that asks for what no phone knows is told in words', async () => {
    const { phone, pbx, request } = await registering();
    pbx.answer(request, '401 Unauthorized', '', ['WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=SHA-512-256, qop="auth"']);
    await phone.status.getByText(/a sign-in that this phone does not know \(SHA-512-256\)/).waitFor();
  });
});
