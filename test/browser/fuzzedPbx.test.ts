import { afterAll, beforeAll, describe, inject, it, onTestFinished } from 'vitest';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { allIsWell, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { patchAgent, putTelephony } from '../support/gateway/telephony.ts';
import { FuzzedPhone } from '../support/sip/fuzz/fuzzedPhone.ts';
import { pageDesk } from '../support/sip/fuzz/pageDesk.ts';
import { ScriptedPbx } from '../support/sip/scriptedPbx.ts';

let gateway: Gateway;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel' } });

/** Scenes between two calls that have to go well. */
const scenesBetween = 50;

/** An agent whose page is registered at a PBX of its own. */
async function atFuzzedPbx(): Promise<FuzzedPhone> {
  const pbx = await ScriptedPbx.open();
  onTestFinished(() => pbx.close());
  const { wssUrl, user, secret, domain } = pbx.account;
  companies += 1;
  const employer = await gateway.company({ slug: `fuzzed${String(companies)}`, wrapUpSeconds: 0 });
  await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: wssUrl, sip_domain: domain }).expect(200);
  const agent = await gateway.agent(employer, 'ada');
  await patchAgent(gateway, employer, agent, { sip_user: user, sip_secret: secret }).expect(200);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await signIn(phone.page, agent, employer.slug);
  await allIsWell(phone.page).waitFor({ state: 'attached' });
  // Scenes break the line: the page asks over HTTP why it is gone, and this PBX speaks nothing but SIP.
  browser.allowTrouble(/426 \(Upgrade Required\)/);
  browser.allowTrouble(/WebSocket connection to .* failed/);
  return new FuzzedPhone(pageDesk(phone, browser.troubles), pbx, inject('propertySeed'));
}

/** Plays scenes until so many odd messages were said. @param first by which others than elsewhere are played */
async function say(messages: number, first: number): Promise<void> {
  const fuzzed = await atFuzzedPbx();
  for (let scene = first; fuzzed.count < messages; scene += 1) {
    await fuzzed.play(scene);
    if ((scene + 1) % scenesBetween === 0) await fuzzed.comesThrough();
  }
  await fuzzed.comesThrough();
}

describe('a PBX that says what no PBX should', () => {
  it('is answered, rings or is told in a sentence, and the page works on', () => say(40, 0));

  // Each with a page of its own, as an agent's day is not longer.
  it.each([1, 2, 3, 4])('the same, 250 times more (%s of 4)', { tags: 'full' }, (part) => say(250, part * 10_000));
});
