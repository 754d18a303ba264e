import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/vocabulary.ts';
import { pseudoText } from '../../web/src/lib/i18n/pseudo.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { catalogText } from '../support/browser/catalogText.ts';
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
  const [kept, merged] = await Promise.all(
    ['Grace', 'Hopper'].map(
      async (name) => (await gateway.as(company).post('/api/crm/contacts').send({ name }).expect(201)).body.id,
    ),
  );
  await gateway
    .as(company)
    .post(`/api/crm/contacts/${kept}/merge`)
    .send({ contact_id: merged, version: 1, other_version: 1 })
    .expect(200);
  await gateway
    .as(company)
    .post('/api/teams')
    .send({ code: 'sales', name: 'Grace', agent_ids: [talking!.id] })
    .expect(201);
  await gateway.as(company).post('/api/integrations/cti/connections').send({ connector: 'genesys' }).expect(201);
  await gateway
    .as(company)
    .post('/api/crm/imports?file_name=leads.csv')
    .set('Content-Type', 'text/csv')
    .send(Buffer.from('name,phone\nGrace,12\n') as unknown as object)
    .expect(201);
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
  if (language !== pseudo)
    await page.evaluate((chosen) => localStorage.setItem('readyline.language', chosen), language);
}

/** @param path below `/admin` */
async function openIn(page: Page, path: string, language: string): Promise<void> {
  const address = new URL(`${gateway.url}/admin${path}`);
  if (language === pseudo) address.searchParams.set('lng', pseudo);
  await page.goto(address.href);
}

describe('the wallboard', () => {
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

/**
 * Each page of the console with something that stands on it in every language, what to press there,
 * and what that shows, if not a dialog.
 */
const pages: { path: string; loaded: string; opens?: string; shows?: string }[] = [
  { path: '/', loaded: 'rlk_' },
  { path: '/connect', loaded: '$READYLINE_KEY' },
  { path: '/deliveries', loaded: 'call_answered', opens: 'tbody tr button' },
  { path: '/calls', loaded: 'a100', opens: 'tbody tr button', shows: '[role=dialog] time' },
  { path: '/reports?group_by=agent&range=week', loaded: 'a100' },
  { path: '/agents', loaded: 'a100', opens: 'tbody tr button' },
  { path: '/teams', loaded: 'sales', opens: 'main [data-item] button', shows: 'main form input' },
  { path: '/audit', loaded: 'Readyline', opens: 'input[type=search]', shows: 'main li time' },
  { path: '/imports', loaded: 'leads.csv', opens: 'tbody tr button', shows: 'td:text-is("Grace · 12")' },
  { path: '/company', loaded: 'training' },
  { path: '/telephony', loaded: 'a100' },
  { path: '/pop-layout', loaded: '+1 555 123' },
  { path: '/platforms', loaded: '/api/integrations/cti/events/genesys/…', opens: 'main section button >> nth=1' },
];

describe('the console', () => {
  it.each([...languages, pseudo])('is whole in %s, on a screen and in a panel', async (language) => {
    const page = await openConsole(browser, gateway, company.slug);
    await choose(page, language);
    for (const { path, loaded, opens, shows = '[role=dialog] button >> nth=1' } of pages) {
      await openIn(page, path, language);
      await page.getByText(loaded).first().waitFor();
      await isWhole(page, `console ${path === '/' ? 'overview' : path} ${language}`);
      if (opens === undefined) continue;
      await page.locator(opens).first().click();
      await page.locator(shows).first().waitFor();
      await isWhole(page, `console ${path} opened ${language}`);
    }
  });

  it.each([
    ['/company', 'admin.company.name', 'x'.repeat(201), 'At most 200 characters.'],
    [
      '/telephony',
      'admin.telephony.sip.url',
      'ws://pbx.example.com',
      'It has to begin with wss:// (ws:// only for this machine).',
    ],
    [
      '/connect',
      'admin.connect.webhook.url',
      'https://10.0.0.7/hook',
      '10.0.0.7 is not a public address; webhooks go to public ones only.',
    ],
    ['/deliveries', 'admin.deliveries.filter.callId', 'none', 'This is not an id.'],
  ])('says at %s in the page’s language what the gateway has against a field', async (path, label, value, told) => {
    const page = await openConsole(browser, gateway, company.slug);
    await openIn(page, path, pseudo);
    browser.expectTrouble(/400/);
    const field = page.getByRole('textbox', { name: catalogText(pseudo, label), exact: true });
    await field.fill(value);
    await field.press('Enter');
    await page.getByText(pseudoText(told)).waitFor();
    const all = await page.locator('body').innerText();
    expect(all).not.toMatch(/must be|must begin|too big|invalid|webhooks go/i);
    page.on('dialog', (dialog) => void dialog.accept());
  });

  it('shows in the page’s language why a webhook did not arrive', async () => {
    const dead = await gateway.company({ slug: 'dead-end', webhookUrl: 'http://127.0.0.1:9/hook' });
    const page = await openConsole(browser, gateway, dead.slug);
    await openIn(page, '/connect', pseudo);
    await page.getByRole('button', { name: catalogText(pseudo, 'admin.connect.test.send') }).click();
    const told = pseudoText('{host} port {port} refused the connection: nothing listens there.')
      .replace('{host}', '127.0.0.1')
      .replace('{port}', '9');
    await page.getByText(told).first().waitFor();
    await openIn(page, '/', pseudo);
    await page.getByText(told).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('refused the connection');
  });
});
