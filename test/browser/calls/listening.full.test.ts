import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../../support/browser/accessibility.ts';
import { shot, signIn, useBrowser } from '../../support/browser/browser.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type CallLab, openCallLab, recordedEnd } from './callRoom.ts';
import { toneAt, toneFile } from './tones.ts';

let gateway: Gateway;
let company: TestCompany;
let people = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'listening', wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

/** What each of both says, in hertz; the customer says what they hear. */
const says = { ada: 1_000, boss: 700 };
const adasBrowser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(says.ada)}`] });
const bosssBrowser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(says.boss)}`] });

const sounds = (hears: () => Promise<number>, hertz: number) =>
  eventually(async () => expect(await hears()).toBeCloseTo(hertz, -2));

/** Ada talks to a customer; the supervisor's wallboard shows her beside it. */
async function talking(): Promise<{ ada: TestAgent; lab: CallLab; id: string; page: Page }> {
  const ada = await gateway.agent(company, `ada${people}`);
  const boss = await gateway.agent(company, `boss${people++}`, 'supervisor');
  const lab = await openCallLab(await adasBrowser.profile({ context: { bypassCSP: true } }), gateway, ada);
  await lab.goReady();
  const { id } = await lab.dial('+15551230001');
  await lab.isConnected();
  await sounds(() => lab.hears('first'), says.ada);
  const { context } = await bosssBrowser.profile({ context: { bypassCSP: true } });
  const page = await context.newPage();
  // A tone has to arrive as it was sent, so nothing may be cleaned away from it.
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = () =>
      open({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  });
  await page.goto(`${gateway.url}/admin/live`);
  await signIn(page, boss);
  await page.getByRole('row').filter({ hasText: ada.agentCode }).getByRole('button').click();
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  await page
    .getByText(/^You are listening to/)
    .first()
    .waitFor();
  return { ada, lab, id, page };
}

const choose = (page: Page, mode: string) => page.getByRole('dialog').getByText(mode, { exact: true }).click();
const hears = (page: Page) => () => toneAt(page);

describe('a supervisor who listens, as it sounds', () => {
  it('hears agent and customer, speaks to the agent alone, then to both, and is gone', async () => {
    const { lab, id, page } = await talking();
    await lab.sees('who listens', ({ listeners }) => listeners[0]?.mode === 'listen');
    await sounds(hears(page), says.ada);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'listening');

    await choose(page, 'Whisper');
    await lab.sees('who whispers', ({ listeners }) => listeners[0]?.mode === 'whisper');
    await sounds(hears(lab.page), says.boss);
    // The customer would say it again.
    await sounds(() => lab.hears('first'), says.ada);

    // Muted, Ada is heard by nobody, and the customer says what they hear of the supervisor.
    await lab.page.evaluate(() => window.lab.workplace.setMuted(true));
    await lab.hearsNothing('first');
    await choose(page, 'Join in');
    await sounds(() => lab.hears('first'), says.boss);
    expect((await lab.view()).isMuted).toBe(true);
    await page
      .getByRole('dialog')
      .getByText(/and the customer hear you/)
      .waitFor();

    // Still muted when they have left: the call's own microphone is back, and silent.
    await page.getByRole('dialog').getByRole('button', { name: 'Stop listening' }).click();
    await lab.sees('nobody', ({ listeners }) => listeners.length === 0);
    await lab.hearsNothing('first');
    await lab.page.evaluate(() => window.lab.workplace.setMuted(false));
    await sounds(() => lab.hears('first'), says.ada);
    await lab.press('hangUp');
    expect((await recordedEnd(gateway, company, id)).end_reason).toBe('completed');
  });

  it('waits while a colleague is consulted; whose page is lost in the midst of speaking harms no call; and hears it end', async () => {
    const { ada, lab, id, page } = await talking();
    await choose(page, 'Join in');
    await lab.sees('who joins in', ({ listeners }) => listeners[0]?.mode === 'barge');
    await page
      .getByRole('dialog')
      .getByText(/and the customer hear you/)
      .waitFor();
    const muted = (isMuted: boolean) => lab.page.evaluate((to) => window.lab.workplace.setMuted(to), isMuted);
    await muted(true);
    await sounds(() => lab.hears('first'), says.boss);

    // Beside a colleague the customer waits on hold, and hears nobody;
    // afterwards both again, and the agent is as muted as before.
    await lab.page.evaluate(() => {
      const { workplace } = window.lab;
      workplace.consult(workplace.view().callKey!, '+15551230009');
    });
    await page
      .getByRole('dialog')
      .getByText(/^The customer does not hear you at the moment/)
      .waitFor();
    await lab.sees('a colleague', ({ consult }) => consult?.step === 'talking');
    await lab.page.evaluate(() => window.lab.workplace.endConsult());
    await lab.sees('the customer again', ({ consult, isHeld, isMuted }) => consult === null && !isHeld && isMuted);
    await page
      .getByRole('dialog')
      .getByText(/and the customer hear you/)
      .waitFor();
    await sounds(() => lab.hears('first'), says.boss);
    await muted(false);

    await page.reload();
    await lab.sees('nobody', ({ listeners }) => listeners.length === 0);
    await sounds(() => lab.hears('first'), says.ada);
    expect(await lab.isConnected()).toMatchObject({ id });

    await page.getByRole('row').filter({ hasText: ada.agentCode }).getByRole('button').click();
    await page.getByRole('button', { name: 'Listen', exact: true }).click();
    await page
      .getByText(/^You are listening to/)
      .first()
      .waitFor();
    await lab.press('hangUp');
    await page
      .getByText(/call cannot be heard any more/)
      .first()
      .waitFor();
    expect((await recordedEnd(gateway, company, id)).end_reason).toBe('completed');
  });
});
