import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IntegrationOverview } from '../../src/contract/integrations.ts';
import { openConsole, tabTo, unconnectedCompany } from '../support/browser/adminConsole.ts';
import { shot, useBrowser } from '../support/browser/browser.ts';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { bearer, keyed, knownPhone } from '../support/gateway/populatedGateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

let gateway: Gateway;
let receiver: WebhookReceiver;
let companies = 0;

beforeAll(async () => {
  [gateway, receiver] = await Promise.all([startGateway('memory'), startWebhookReceiver()]);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});
beforeEach(() => receiver.answerWith(() => 204));

const browser = useBrowser();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const step = (page: Page, name: string) => page.getByRole('heading', { name });

/** What the gateway answers to a push with that key. */
async function pushStatus(key: string): Promise<number> {
  const answer = await gateway.api
    .post('/api/integrations/inbound')
    .set(keyed(key))
    .send({ phone_number: knownPhone, data: {} });
  return answer.status;
}

describe('the guided path', () => {
  it('leads by keyboard alone from the choice of a CRM to a key that works, and shows it once', async () => {
    await unconnectedCompany(gateway, 'by-keyboard');
    const page = await openConsole(browser, gateway, 'by-keyboard', '/connect');
    await step(page, 'Which CRM do you work with?').waitFor();
    await tabTo(page, page.getByRole('combobox', { name: 'CRM' }));
    await page.keyboard.press('ArrowDown');
    // What the keys choose from appears a moment after the first of them.
    await page.getByRole('option').first().waitFor();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await eventually(async () => expect(await page.getByRole('combobox', { name: 'CRM' }).inputValue()).not.toBe(''));
    await tabTo(page, button(page, 'Continue'));
    await page.keyboard.press('Enter');

    await tabTo(page, page.getByLabel('Webhook URL'));
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('It has to begin with https:// or http://.').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Enter');

    await step(page, 'Copy your API key').waitFor();
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    const secret = await page.getByRole('textbox', { name: 'Webhook secret' }).inputValue();
    expect([key, secret]).toEqual([expect.stringMatching(/^rlk_/), expect.stringMatching(/^whsec_/)]);
    await shot(page, 'key shown once');
    await tabTo(page, page.getByRole('button', { name: 'Copy: API key' }));
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await tabTo(page, button(page, 'Continue'));
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'It is stored, go on'));
    await page.keyboard.press('Enter');

    await tabTo(page, button(page, 'Send a test'));
    await page.keyboard.press('Enter');
    await page.getByText('It arrived').waitFor();
    const [arrived] = await receiver.waitFor(({ body }) => body.event === 'integration_test');
    expect(arrived?.body.data['requested_by']).toMatchObject({ agent_code: 'admin' });
    await page.getByText('X-Service-Event: integration_test').waitFor();
    await page.getByText('Came back: 204').waitFor();
    await shot(page, 'test arrived');
    await tabTo(page, button(page, 'Continue'));
    await page.keyboard.press('Enter');

    await step(page, ': not connected').waitFor();
    await page.getByText('is chosen, not connected: nothing is looked up or logged there').waitFor();
    await shot(page, 'connected');
    await tabTo(page, button(page, 'To the settings'));
    await page.keyboard.press('Enter');
    await page.getByText(`Begins with ${key.slice(0, 12)}`).waitFor();
    const kept = await page.evaluate(
      () => document.body.innerHTML + JSON.stringify({ ...sessionStorage, ...localStorage }),
    );
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(secret);
    expect(await pushStatus(key)).toBe(200);
  });

  it('calls connected only with whom something is exchanged, as the gateway says', { tags: 'full' }, async () => {
    const adminToken = await unconnectedCompany(gateway, 'labelled');
    const connect = (body: object) =>
      gateway.api.post('/api/integrations/connect').set(bearer(adminToken)).send(body).expect(200);
    const read = async () =>
      (await gateway.api.get('/api/integrations').set(bearer(adminToken)).expect(200)).body as IntegrationOverview;
    expect((await read()).status).toMatchObject({
      connected: false,
      crm: { connection: 'not_chosen' },
      cti: { connection: 'not_chosen' },
    });
    await connect({ crm_provider: 'salesforce', cti_connector: 'genesys' });
    const { status, providers, cti_connectors: connectors } = await read();
    expect(status).toMatchObject({
      connected: true,
      crm: { connection: 'not_connected' },
      cti: { connection: 'not_connected' },
    });
    expect(status.crm.detail).toContain('Salesforce is chosen, not connected: nothing is looked up or logged there');
    const told = (catalog: readonly { id: string; connection: string }[]) =>
      Object.fromEntries(catalog.map(({ id, connection }) => [id, connection]));
    expect(told(providers)).toMatchObject({
      salesforce: 'not_connected',
      hubspot: 'not_connected',
      custom: 'by_interface',
    });
    expect(told(connectors)).toMatchObject({ genesys: 'not_connected', talkdesk: 'not_connected', none: 'built_in' });

    const page = await openConsole(browser, gateway, 'labelled', '/');
    await page.getByText('Salesforce and Genesys: not connected').waitFor();
    await page.getByText('Genesys is named in webhooks').waitFor();
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0);
    await shot(page, 'labels');
    await page.getByRole('link', { name: 'Connection' }).click();
    await page.getByText('Salesforce is chosen, not connected: nothing is looked up or logged there.').waitFor();
    await shot(page, 'labels in the settings');
    await connect({ crm_provider: 'custom', cti_connector: 'none' });
    await page.goto(`${gateway.url}/admin`);
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('shows at the field why the gateway refuses a URL, and asks before it is left', { tags: 'full' }, async () => {
    await unconnectedCompany(gateway, 'undecided');
    const page = await openConsole(browser, gateway, 'undecided', '/connect');
    await page.getByRole('combobox', { name: 'CRM' }).click();
    await page.getByRole('option', { name: 'HubSpot' }).click();
    await button(page, 'Continue').click();
    await page.getByLabel('Webhook URL').fill('http://10.1.2.3/hook');
    browser.expectTrouble(/status of 400/);
    await button(page, 'Connect').click();
    await page.getByLabel('Webhook URL').and(page.locator('[aria-invalid="true"]')).waitFor();

    await page.getByRole('link', { name: 'Agents' }).click();
    await button(page, 'Stay').click();
    await step(page, 'Where should webhooks go?').waitFor();
    await page.getByRole('link', { name: 'Agents' }).click();
    await button(page, 'Leave without saving').click();
    await step(page, 'Agents').waitFor();
  });

  it('asks at the browser’s Back too, and goes back if told to', { tags: 'full' }, async () => {
    await unconnectedCompany(gateway, 'going-back');
    const page = await openConsole(browser, gateway, 'going-back');
    await page.getByRole('link', { name: 'Connection' }).click();
    await page.getByRole('combobox', { name: 'CRM' }).click();
    await page.getByRole('option', { name: 'HubSpot' }).click();
    await page.evaluate(() => history.back());
    await button(page, 'Stay').click();
    expect(new URL(page.url()).pathname).toBe('/admin/connect');
    expect(await page.getByRole('combobox', { name: 'CRM' }).inputValue()).toBe('HubSpot');
    await page.evaluate(() => history.back());
    await button(page, 'Leave without saving').click();
    await step(page, 'Overview').waitFor();
  });
});

describe('the settings of a connected company', { tags: 'full' }, () => {
  const connect = () => gateway.company({ slug: `connected-${companies++}`, webhookUrl: receiver.url });

  it('tell what a failing receiver answered to a test', async () => {
    const { slug } = await connect();
    receiver.answerWith(() => 500);
    const page = await openConsole(browser, gateway, slug, '/connect');
    await button(page, 'Send a test').click();
    await page.getByText('It did not arrive').waitFor();
    await page.getByText('Came back: 500').waitFor();
    await shot(page, 'test failed');
  });

  it('rotate the key: who waits for the new one cannot lose it, the former ends at once', async () => {
    const { slug, key: former } = await connect();
    const page = await openConsole(browser, gateway, slug);
    await page.getByRole('link', { name: 'Connection' }).click();
    const question = page.getByRole('dialog', { name: 'Rotate the API key?' });
    browser.expectTrouble(/status of 503/);
    await page.route('**/api/integrations', (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      return route.fulfill({ status: 503, json: { code: 'dependency_unavailable', detail: 'The database is away.' } });
    });
    await button(page, 'Rotate the key').click();
    await question.getByRole('button', { name: 'Rotate the key' }).click();
    await question.getByText('A part of the service is unavailable.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.unroute('**/api/integrations');

    const answer = gate();
    answer.shut();
    await page.route('**/api/integrations', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      const response = await route.fetch();
      return answer.pass(() => route.fulfill({ response }));
    });
    await button(page, 'Rotate the key').click();
    await question.getByText('ends at once').waitFor();
    expect(await question.getByText('A part of the service is unavailable.').count()).toBe(0);
    await question.getByRole('button', { name: 'Rotate the key' }).click();
    await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':disabled')).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => history.back());
    await page.getByRole('dialog', { name: 'Leave before it is here?' }).waitFor();
    await button(page, 'Wait for it').click();
    await question.waitFor();
    answer.open();
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    expect([await pushStatus(former), await pushStatus(key)]).toEqual([401, 200]);

    await button(page, 'Done').click();
    await button(page, 'It is stored, go on').click();
    await page.getByText(`Begins with ${key.slice(0, 12)}`).waitFor();
    await page.getByRole('dialog', { name: 'Shown only now' }).waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
  });

  it('rotate the secret: both sign for 24 hours, the new one is shown once', async () => {
    const company = await connect();
    const page = await openConsole(browser, gateway, company.slug, '/connect');
    await button(page, 'Rotate the secret').click();
    await page.getByRole('dialog').getByText('For 24 hours').waitFor();
    await button(page, 'Rotate').click();
    expect(await page.getByRole('textbox', { name: 'Webhook secret' }).inputValue()).toMatch(/^whsec_/);
    await button(page, 'Done').click();
    await button(page, 'It is stored, go on').click();
    await page.getByText(/Until .* webhooks are signed with the one before it as well/).waitFor();

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Two webhook secrets are in use').waitFor();
  });

  it('choose which events the webhook gets', async () => {
    const company = await connect();
    const page = await openConsole(browser, gateway, company.slug, '/connect');
    await page.getByRole('checkbox', { name: 'A call ends, answered or not' }).check();
    await page.getByRole('checkbox', { name: 'A CRM-initiated dial has started' }).uncheck();
    await page.getByRole('region', { name: 'Webhook', exact: true }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The webhook settings are saved.').waitFor();
    const { body } = await gateway.api.get('/api/integrations').set(bearer(company.adminToken)).expect(200);
    expect(body.integration.webhook_events).toEqual([
      'call_started',
      'call_answered',
      'call_ended',
      'disposition',
      'integration_test',
    ]);
  });

  it('disable, enable and remove the webhook', async () => {
    const company = await connect();
    const page = await openConsole(browser, gateway, company.slug, '/connect');
    const read = async () =>
      (await gateway.api.get('/api/integrations').set(bearer(company.adminToken)).expect(200)).body.integration;
    await button(page, 'Disable').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await button(page, 'Enable').click();
    await button(page, 'Disable').waitFor();
    expect(await read()).toMatchObject({ webhook_url: receiver.url, webhook_enabled: true });
    await button(page, 'Remove').click();
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    expect((await answered).status()).toBe(200);
    await page.getByText('The first URL brings a secret').waitFor();
    expect(await read()).toMatchObject({ webhook_url: null, webhook_secret_set: false });
  });
});
