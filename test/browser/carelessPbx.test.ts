import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { allIsWell, push, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { patchAgent, putTelephony } from '../support/gateway/telephony.ts';
import { inParts, partsType, sdpPart } from '../support/sip/bodiesInParts.ts';
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
  const at = await signedIn((pbx) => pbx.holdRegistrations());
  return { ...at, request: await at.pbx.hears(/^REGISTER /) };
}

/** The same at a PBX that takes one telephone. @param contact of the one that it has */
function placed(contact: string | null): Promise<AtPbx> {
  return signedIn((pbx) => pbx.takeOne(contact));
}

async function signedIn(prepare: (pbx: ScriptedPbx) => void): Promise<AtPbx> {
  const pbx = await ScriptedPbx.open();
  onTestFinished(() => pbx.close());
  prepare(pbx);
  const { wssUrl, user, secret, domain } = pbx.account;
  companies += 1;
  const employer = await gateway.company({ slug: `careless${String(companies)}` });
  await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: wssUrl, sip_domain: domain }).expect(200);
  const agent = await gateway.agent(employer, 'ada');
  await patchAgent(gateway, employer, agent, { sip_user: user, sip_secret: secret }).expect(200);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await signIn(phone.page, agent, employer.slug);
  return { phone, pbx, agent, employer };
}

/** The same, when it may telephone. */
async function atWork(): Promise<AtPbx> {
  const { request, ...at } = await registering();
  at.pbx.register(request);
  await allIsWell(at.phone.page).waitFor({ state: 'attached' });
  return at;
}

const browserAnswer = browserSdp.replace('actpass', 'active');

describe('a PBX as they are', () => {
  it('in a container, in binary frames, behind a border controller: it calls as a customer who is known, and is answered', async () => {
    const { phone, pbx, employer, request } = await registering();
    await push(gateway, employer, { phone_number: '+12025550143', data: { name: 'Ada Lovelace' } });
    pbx.isBinary = true;
    const { length } = pbx.told;
    pbx.answer(
      request,
      '401 Unauthorized',
      '',
      ['MD5', 'SHA-256'].map(
        (algorithm) => `WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=${algorithm}, qop="auth"`,
      ),
    );
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
    await phone.page
      .getByText('The phone network sent a message that cannot be read (from): a call may be missing. Tell your admin.')
      .waitFor();
  });

  it('that asks for what no phone knows is told in words', async () => {
    const { phone, pbx, request } = await registering();
    pbx.answer(request, '401 Unauthorized', '', [
      'WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=SHA-512-256, qop="auth"',
    ]);
    await phone.status.getByText(/a sign-in that this phone does not know \(SHA-512-256\)/).waitFor();
  });

  it('that sends where the caller is beside the SDP calls, and is answered; other parts alone are told', async () => {
    const { phone, pbx } = await atWork();
    await phone.goReady();
    pbx.invite([], 'another', { offer: inParts([]), type: partsType });
    expect(await pbx.hears(/^SIP\/2\.0 415 /)).toContain('Accept: application/sdp, multipart/mixed');
    await phone.page
      .getByText(
        'The phone network sent a message that cannot be read (content-type): a call may be missing. Tell your admin.',
      )
      .waitFor();
    pbx.invite(['Geolocation: <cid:caller@pbx.test>'], 'call', {
      from: '<sip:+12025550143@pbx.test>',
      offer: inParts([sdpPart(browserSdp)]),
      type: partsType,
    });
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx, 'call', '<sip:+12025550143@pbx.test>');
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    const held = inParts([sdpPart(browserSdp.replace('sendrecv', 'sendonly'))]);
    expect(await dialog.reinvite(held, [`Content-Type: ${partsType}`])).toContain('a=recvonly');
  });

  it('that redirects a dial is followed to the best that it names, and to the next, who answers in parts', async () => {
    const { phone, pbx } = await atWork();
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    pbx.answer(await pbx.hears(/^INVITE sip:\+15551230001@/), '302 Moved Temporarily', '', [
      'Contact: <tel:+12025550199>;q=0.2, <sip:1002@pbx.test>;q=0.8',
    ]);
    pbx.answer(await pbx.hears(/^INVITE sip:1002@pbx\.test /), '486 Busy Here');
    pbx.answer(await pbx.hears(/^INVITE sip:\+12025550199@pbx\.test /), '200 OK', inParts([sdpPart(browserAnswer)]), [
      `Content-Type: ${partsType}`,
    ]);
    await pbx.hears(/^ACK /);
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await pbx.hears(/^BYE /);
  });

  it('that redirects a dial out of itself is told in words', async () => {
    const { phone, pbx } = await atWork();
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    pbx.answer(await pbx.hears(/^INVITE /), '302 Moved Temporarily', '', ['Contact: <sip:1002@elsewhere.example>']);
    await phone.page
      .getByText(/redirected the call to .*sip:1002@elsewhere\.example.*, outside of your company’s phone system/)
      .waitFor();
    expect(pbx.told.filter((text) => text.startsWith('INVITE '))).toHaveLength(1);
  });

  it('that puts a customer through says so in mid-call: card, record and recent calls are the customer’s from then on', async () => {
    const { phone, pbx, agent, employer } = await atWork();
    for (const [phone_number, name] of [
      ['+12025550143', 'Grace Hopper'],
      ['+12025550144', 'Ada Lovelace'],
    ])
      await push(gateway, employer, { phone_number, data: { name } });
    await phone.goReady();
    const from = '"Ben" <sip:1001@pbx.test>';
    pbx.invite([], 'call', { from, offer: browserSdp });
    await phone.customer('Ben').waitFor();
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx, 'call', from);
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    await dialog.ask('UPDATE', ['P-Asserted-Identity: <sip:+12025550143@pbx.test>', 'Privacy: id']);
    await dialog.ask('UPDATE', ['P-Asserted-Identity: "HOPPER" <sip:+12025550143@pbx.test>']);
    await phone.customer('Grace Hopper').waitFor();
    const replaces = `Replaces: ${dialog.callId};to-tag=${dialog.theirTag};from-tag=${dialog.ownTag}`;
    const next = '<sip:+12025550144@pbx.test>';
    pbx.invite([replaces, 'Require: replaces'], 'second', { from: next, offer: browserSdp });
    const second = PbxDialog.ofOurs(pbx, 'second', next);
    second.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*Call-ID: second[^]*INVITE/));
    await phone.customer('Ada Lovelace').waitFor();
    await second.ask('BYE');
    await phone.recent.getByText('Ada Lovelace').waitFor();
    expect((await gateway.as(agent).get('/api/calls').expect(200)).body.calls).toMatchObject([
      { phone: '+12025550144', caller: null, customer_name: 'Ada Lovelace', end_reason: 'completed' },
    ]);
  });

  it('that takes one telephone gives the call back to the page after a reload, and its place to another tab where that page was killed', async () => {
    const { phone, pbx, agent, employer } = await placed(null);
    await phone.connected();
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    const invite = await pbx.hears(/^INVITE /);
    pbx.answer(invite, '200 OK', browserAnswer);
    await phone.inCall('Connected');
    const call = headerOf(invite, 'Call-ID');
    const first = registrations(pbx);
    await phone.page.reload();
    const reloaded = await pbx.hears(new RegExp(`^INVITE [^]*^Replaces: ${call};`, 'm'));
    expect(registrations(pbx)).toEqual([...first, first[0]]);
    pbx.answer(reloaded, '200 OK', browserAnswer);
    await phone.inCall('Connected');
    const { length } = pbx.told;
    // Killed, the page hangs up nothing.
    const crashed = phone.page.waitForEvent('crash');
    const devTools = await phone.page.context().newCDPSession(phone.page);
    devTools.send('Page.crash').catch(() => undefined);
    await crashed;
    const next = new SoftphonePage(await browser.open(`${gateway.url}/`));
    await signIn(next.page, agent, employer.slug);
    await next.connected();
    const [refused, takenBack, again] = registrations(pbx, length);
    expect([takenBack, again]).toEqual([first[0], refused]);
    await next.page
      .getByText(/^The audio of the call with .* could not be moved to this tab, so the call was ended\.$/)
      .waitFor();
  });

  it('that has another telephone, and takes no more, is told in words, and blames nobody', async () => {
    const { phone } = await placed('sip:desk@phone.invalid');
    await phone.status
      .getByText(/Another phone is registered with your account, and the phone network takes no more \(403\)/)
      .waitFor();
  });
});

/** The Contacts of what asked for a registration, in order. */
function registrations(pbx: ScriptedPbx, after = 0): (string | undefined)[] {
  return pbx.told
    .slice(after)
    .filter((text) => text.startsWith('REGISTER '))
    .map((text) => /<([^>]*)>/.exec(headerOf(text, 'Contact'))?.[1]);
}
