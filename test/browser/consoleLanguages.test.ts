import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/vocabulary.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { pbx, putTelephony } from '../support/gateway/telephony.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

let gateway: Gateway;
let company: TestCompany;
let boss: TestAgent;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await startGateway('memory');
  receiver = await startWebhookReceiver();
  company = await gateway.company({ slug: 'acme', agents: 3, wrapUpSeconds: 600, webhookUrl: receiver.url });
  boss = await gateway.agent(company, 'boss', 'supervisor');
  await putTelephony(gateway, company, pbx).expect(200);
  const [talking, wrapping, eating] = company.agents;
  const softphone = await gateway.readySoftphone(talking!);
  const dialing = nextEvent(softphone, 'dial');
  await gateway.click(company, { phone_number: '+15551230001', agent_id: talking!.id }).expect(201);
  const [{ call_id: callId }] = await dialing;
  await softphone.reportProgress(callId, 'connected');
  await softphone.setNotReady('break');
  const other = await gateway.readySoftphone(wrapping!);
  const { id } = await other.startCall('+15551230002');
  await other.reportProgress(id, 'ended');
  await (await gateway.readySoftphone(eating!)).setNotReady('meal');
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const browser = useBrowser();
const pseudo = 'pseudo';

/** The wallboard in a language, as somebody who chose it sees it; `pseudo` is asked for in the address. */
async function wallboardIn(language: string): Promise<Page> {
  const page = await browser.open(`${gateway.url}/admin/live`);
  await signIn(page, boss);
  await page.locator('[data-agent]').first().waitFor();
  await choose(page, language);
  await openIn(page, '/live', language);
  await page.locator('[data-agent]').first().waitFor();
  return page;
}

async function choose(page: Page, language: string): Promise<void> {
  if (language !== pseudo) await page.evaluate((chosen) => localStorage.setItem('readyline.language', chosen), language);
}

/** @param path below `/admin` */
async function openIn(page: Page, path: string, language: string): Promise<void> {
  const address = new URL(`${gateway.url}/admin${path}`);
  if (language === pseudo) address.searchParams.set('lng', pseudo);
  await page.goto(address.href);
}

describe('the wallboard', { timeout: 120_000 }, () => {
  it.each(languages)('is whole in %s, on a screen and in a panel', async (language) => {
    const page = await wallboardIn(language);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await isWhole(page, `wallboard ${language}`);
    await page.locator('[data-agent] button').first().click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await isWhole(page, `wallboard agent ${language}`);
  });

  it('is whole from right to left, with longer texts, none of which stands outside the catalogs', async () => {
    const page = await wallboardIn(pseudo);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await isWhole(page, 'wallboard pseudo');
    await page.locator('[data-agent] button').first().click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await isWhole(page, 'wallboard agent pseudo');
  });

  it('changes its language without losing its place, by the menu', async () => {
    const page = await browser.open(`${gateway.url}/admin/live`);
    await signIn(page, boss);
    await page.getByRole('searchbox').fill('a101');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByText('1 von 3 Agenten').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Agenten suchen' }).inputValue()).toBe('a101');
  });
});

/** Each page of the console with something that stands on it in every language, and what to press there. */
const pages = [
  { path: '/', loaded: 'rlk_' },
  { path: '/connect', loaded: '$READYLINE_KEY' },
  { path: '/deliveries', loaded: 'call_answered', opens: 'tbody tr button' },
  { path: '/agents', loaded: 'a100', opens: 'tbody tr button' },
  { path: '/company', loaded: 'training' },
  { path: '/telephony', loaded: 'a100' },
];

describe('the console', { timeout: 240_000 }, () => {
  it.each([...languages, pseudo])('is whole in %s, on a screen and in a panel', async (language) => {
    const page = await openConsole(browser, gateway, company.slug);
    await choose(page, language);
    for (const { path, loaded, opens } of pages) {
      await openIn(page, path, language);
      await page.getByText(loaded).first().waitFor();
      await isWhole(page, `console ${path === '/' ? 'overview' : path} ${language}`);
      if (opens === undefined) continue;
      await page.locator(opens).first().click();
      await page.getByRole('dialog').getByRole('button').nth(1).waitFor();
      await isWhole(page, `console ${path} opened ${language}`);
    }
  });
});
