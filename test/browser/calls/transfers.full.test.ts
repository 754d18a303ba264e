import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import { connectedSoftphone, patchAgent, putTelephony, telephonyOf } from '../../support/gateway/telephony.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type CallLab, openCallLab, recordedEnd } from './callRoom.ts';
import { toneFile } from './tones.ts';

let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'transfers', wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

/** What each of both says, in hertz; the customer says what they hear. */
const says = { ada: 1_000, ben: 440 };
const adasBrowser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(says.ada)}`] });
const bensBrowser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(says.ben)}`] });

type Seat = { agent: TestAgent; lab: CallLab };

async function seat(browser: typeof adasBrowser): Promise<Seat> {
  const agent = await gateway.agent(company, `agent${agents++}`);
  const lab = await openCallLab(await browser.profile({ context: { bypassCSP: true } }), gateway, agent);
  await lab.goReady();
  return { agent, lab };
}

/** Ada talks to a customer, Ben is Ready. */
async function talking(): Promise<{ ada: Seat; ben: Seat; id: string }> {
  const [ada, ben] = [await seat(adasBrowser), await seat(bensBrowser)];
  const { id } = await ada.lab.dial('+15551230001');
  await ada.lab.isConnected();
  expect(await ada.lab.hears()).toBeCloseTo(says.ada, -2);
  return { ada, ben, id };
}

const handOn = ({ lab }: Seat, to: Seat, isAskedFirst: boolean) =>
  lab.page.evaluate(
    ([agentId, first]) => {
      const { workplace } = window.lab;
      return workplace.transferTo(workplace.view().callKey!, { agentId }, first);
    },
    [to.agent.id, isAskedFirst] as const,
  );

/** Ben sees the customer before he answers. */
async function answers({ lab }: Seat): Promise<void> {
  const { pop } = await lab.sees('who calls', ({ caller, pop: shown }) => caller !== null && shown !== null);
  expect(pop).toMatchObject({ trigger: 'transfer', phone_number: '+15551230001' });
  await lab.press('answer');
}

describe('a call that is handed on, as it sounds', () => {
  it('is the colleague’s as soon as they answer, and the agent is out of it', async () => {
    const { ada, ben, id } = await talking();
    await handOn(ada, ben, false);
    await answers(ben);
    const { end_reason: how } = await recordedEnd(gateway, company, id);
    expect(how).toBe('transferred');
    await ben.lab.isConnected();
    // The customer says to Ben what Ben says, and nobody says what Ada says.
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ben, -2));
    await ada.lab.sees('no call', ({ isEngaged }) => !isEngaged);
    expect(await ada.lab.page.evaluate(() => window.lab.microphone.heard())).toBe(0);
    await ben.lab.press('hangUp');
  });

  it('is talked about first, while the customer hears nobody; then each in turn, then all three', async () => {
    const { ada, ben, id } = await talking();
    // From hold: what the colleague hears is not muted with it.
    await ada.lab.page.evaluate(() => window.lab.workplace.setHeld(true));
    await ada.lab.sees('that it is held', ({ isHeld }) => isHeld);
    await handOn(ada, ben, true);
    await answers(ben);
    await ada.lab.sees('that they talk', ({ consult }) => consult?.step === 'talking');
    await eventually(async () => expect(await ada.lab.hears()).toBeCloseTo(says.ben, -2));
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ada, -2));

    await ada.lab.page.evaluate(() => window.lab.workplace.setHeld(false));
    await ada.lab.sees('that the colleague waits', ({ consult }) => consult?.with === 'customer');
    await eventually(async () => expect(await ada.lab.hears()).toBeCloseTo(says.ada, -2));
    await ben.lab.receivesNothing({ isHeard: true });

    await ada.lab.page.evaluate(() => window.lab.workplace.confer());
    await ada.lab.sees('that all three talk', ({ consult }) => consult?.with === 'both');
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ada, -2));
    // Muted, Ada is heard by neither; Ben hears himself by the customer.
    await ada.lab.page.evaluate(() => window.lab.workplace.setMuted(true));
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ben, -2));
    await ada.lab.page.evaluate(() => window.lab.workplace.setMuted(false));
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ada, -2));

    await ada.lab.page.evaluate(() => window.lab.workplace.completeConsult());
    expect((await recordedEnd(gateway, company, id)).end_reason).toBe('transferred');
    await eventually(async () => expect(await ben.lab.hears()).toBeCloseTo(says.ben, -2));
    await ben.lab.press('hangUp');
  });

  it('comes back from hold when the colleague hangs up', async () => {
    const { ada, ben, id } = await talking();
    await handOn(ada, ben, true);
    await answers(ben);
    await ada.lab.sees('that they talk', ({ consult }) => consult?.step === 'talking');
    await ben.lab.press('hangUp');
    await ada.lab.sees('that the customer is back', ({ consult, isHeld }) => consult === null && !isHeld);
    await eventually(async () => expect(await ada.lab.hears()).toBeCloseTo(says.ada, -2));
    await ada.lab.press('hangUp');
    expect((await recordedEnd(gateway, company, id)).end_reason).toBe('completed');
  });

  it('goes by tones in the voice, as a feature code of the PBX wants it', async () => {
    const tonal = await gateway.company({ slug: 'tonal', wrapUpSeconds: 600, agents: 1 });
    const [agent] = tonal.agents;
    if (agent === undefined) throw new Error('the company has an agent');
    // The answering machine of the demo, as if it were the company's own PBX.
    const known = await telephonyOf(await connectedSoftphone(gateway, agent));
    if (known.mode !== 'sip') throw new Error('the demo is telephoned with');
    await patchAgent(gateway, tonal, agent, { sip_user: known.user, sip_secret: known.secret }).expect(200);
    await putTelephony(gateway, tonal, {
      ...{ mode: 'sip', sip_wss_url: gateway.url.replace('http', 'ws') + known.wss_url, sip_domain: known.domain },
      ...{ transfer_by: 'tones', transfer_code: '*2,{number}#' },
    }).expect(200);
    const lab = await openCallLab(await adasBrowser.profile({ context: { bypassCSP: true } }), gateway, agent);
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    await lab.hears();
    await lab.page.evaluate(() => {
      const { workplace } = window.lab;
      workplace.transfer(workplace.view().callKey!, '+491');
    });
    await lab.played('*2,00491#');
    await lab.press('hangUp');
    expect(await recordedEnd(gateway, tonal, id)).toMatchObject({
      end_reason: 'transferred',
      transferred_to: '+491',
    });
  });
});
