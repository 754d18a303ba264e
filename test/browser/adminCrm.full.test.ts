import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole, tabTo, unconnectedCompany } from '../support/browser/adminConsole.ts';
import { setSize, shot, useBrowser } from '../support/browser/browser.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { eventually } from '../support/time/waiting.ts';

const ada = { name: 'Ada Byron', email: 'ada@example.org', phone: '(415) 555-2671', openTickets: 2 };
const adaNumber = '+14155552671';

let crm: HubspotFake;
let gateway: Gateway;
let companies = 0;

beforeAll(async () => {
  crm = await HubspotFake.open();
  gateway = await startGateway('memory', { config: { crmBaseUrls: new Map([['hubspot', crm.url]]) } });
  crm.addPerson(ada);
});
afterAll(async () => {
  await gateway.close();
  await crm.close();
});

const browser = useBrowser();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const token = (page: Page) => page.getByRole('textbox', { name: 'Access token' });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A company that has chosen HubSpot. */
async function company(): Promise<{ slug: string; adminToken: string }> {
  const slug = `with-crm-${(companies += 1)}`;
  const adminToken = await unconnectedCompany(gateway, slug);
  await gateway.api
    .post('/api/integrations/connect')
    .set(bearer(adminToken))
    .send({ crm_provider: 'hubspot' })
    .expect(200);
  return { slug, adminToken };
}

/** One that is connected to it, too. */
async function connectedCompany(): Promise<{ slug: string; adminToken: string }> {
  const made = await company();
  const credentials = { access_token: crm.accessToken };
  await gateway.api
    .put('/api/integrations/crm')
    .set(bearer(made.adminToken))
    .send({ provider: 'hubspot', credentials })
    .expect(200);
  return made;
}

const connectionOf = async (adminToken: string) =>
  (await gateway.api.get('/api/integrations/crm').set(bearer(adminToken)).expect(200)).body.connection;

describe('connecting a CRM', () => {
  it('is led by the overview, refuses a wrong token at its field, and tells what the gateway may do there', async () => {
    const { slug, adminToken } = await company();
    const page = await openConsole(browser, gateway, slug);
    await page.getByText('HubSpot: not connected').waitFor();
    await page.getByText('HubSpot is chosen, not connected: nothing is looked up or logged there.').waitFor();
    await page.getByRole('link', { name: 'Connect it' }).click();
    await region(page, 'Connect HubSpot').waitFor();
    await region(page, 'Guide: HubSpot').getByText('Service keys').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'before');

    await tabTo(page, token(page));
    await page.keyboard.type('of-nobody');
    browser.expectTrouble(/status of 400/);
    await page.keyboard.press('Enter');
    await page.getByText('HubSpot refuses them: ').waitFor();
    await token(page).and(page.locator('[aria-invalid="true"]')).waitFor();
    await shot(page, 'refused');
    expect(await connectionOf(adminToken)).toBeNull();

    await token(page).fill(crm.accessToken);
    await button(page, 'Connect').click();
    const told = region(page, 'HubSpot');
    await told.getByText('Signed in as').waitFor();
    await told.getByText('Callers are looked up').waitFor();
    await shot(page, 'connected');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await connectionOf(adminToken)).toMatchObject({ provider: 'hubspot', state: 'connected' });
    expect(await page.content()).not.toContain(crm.accessToken);

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('HubSpot is connected: callers are looked up there.').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('says at the field what is missing', async () => {
    const { slug, adminToken } = await company();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await page.getByRole('radio').nth(1).check();
    await button(page, 'Connect').or(button(page, 'Continue')).click();
    await page.getByLabel('Client id').and(page.locator('[aria-invalid="true"]')).waitFor();
    expect(await connectionOf(adminToken)).toBeNull();
  });

  it('asks before what was typed is left', async () => {
    const { slug } = await company();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await token(page).fill('half');
    await page.getByRole('combobox', { name: 'CRM' }).click();
    await page.getByRole('option', { name: 'Zendesk' }).click();
    await button(page, 'Stay').click();
    expect(await token(page).inputValue()).toBe('half');
    await page.getByRole('combobox', { name: 'CRM' }).click();
    await page.getByRole('option', { name: 'Zendesk' }).click();
    await button(page, 'Leave without saving').click();
    await region(page, 'Connect Zendesk').waitFor();
  });
});

describe('logging in at a CRM', () => {
  const logIn = (page: Page) => button(page, 'Log in at HubSpot');
  const again = (page: Page) => button(page, 'Log in again at HubSpot');
  const decide = async (page: Page, choice: 'Connect app' | 'Cancel') => {
    await page.getByRole('heading', { name: 'Connect Readyline to HubSpot' }).waitFor();
    await page.getByRole('link', { name: choice }).click();
    await region(page, 'HubSpot').waitFor();
  };
  const enterApp = async (page: Page) => {
    await page.getByRole('radio', { name: 'An app of yours, by logging in at HubSpot' }).check();
    await page.getByRole('textbox', { name: 'Client id' }).fill(crm.credentials.client_id);
    await page.getByRole('textbox', { name: 'Client secret' }).fill(crm.credentials.client_secret);
    await button(page, 'Continue').click();
  };

  it('leads there and back, says in words that it was denied, and can be done again', async () => {
    const { slug, adminToken } = await company();
    const overview = async () =>
      (await gateway.api.get('/api/integrations').set(bearer(adminToken)).expect(200)).body.status.crm;
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await enterApp(page);
    await page.getByText('The app is known. Log in at HubSpot to let Readyline in').waitFor();
    expect(await overview()).toMatchObject({ connection: 'needs_login' });
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'log in');

    await logIn(page).click();
    await decide(page, 'Cancel');
    await page
      .getByRole('alert')
      .filter({ hasText: 'The log-in did not succeed' })
      .getByText('Access was not granted in the CRM.')
      .waitFor();
    await logIn(page).waitFor();
    expect(await connectionOf(adminToken)).toMatchObject({ state: 'needs_login' });
    await shot(page, 'denied');

    await logIn(page).click();
    await decide(page, 'Connect app');
    await page.getByText('You are logged in').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'logged in');
    expect(new URL(page.url()).pathname).toBe('/admin/connect/crm');
    const first = await connectionOf(adminToken);
    expect(first).toMatchObject({ provider: 'hubspot', state: 'connected', can_log_in: true });
    expect(await overview()).toMatchObject({ connection: 'connected' });

    await again(page).click();
    await decide(page, 'Cancel');
    await page.getByText('Access was not granted in the CRM.').waitFor();
    expect(await connectionOf(adminToken)).toEqual(first);
    await again(page).click();
    await decide(page, 'Connect app');
    await page.getByText('You are logged in').waitFor();
    expect(Date.parse((await connectionOf(adminToken)).connected_at)).toBeGreaterThan(Date.parse(first.connected_at));
  });

  it('offers it in place of a token, which stays until then', async () => {
    const { slug, adminToken } = await connectedCompany();
    const before = await connectionOf(adminToken);
    expect(before).toMatchObject({ state: 'connected', can_log_in: false });
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await button(page, 'Replace…').click();
    expect(await again(page).count()).toBe(0);
    await enterApp(page);
    await page.getByText('The app is kept. Log in at HubSpot to use it').waitFor();
    await again(page).waitFor();
    expect(await connectionOf(adminToken)).toEqual({ ...before, can_log_in: true });
  });
});

describe('a connected CRM', () => {
  it('shows what would pop for a number: nobody, one record with a link, or several', async () => {
    const { slug } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    const trial = region(page, 'Try a number');
    const tryOut = async (phone: string) => {
      await trial.getByLabel('Phone number').fill(phone);
      await trial.getByRole('button', { name: 'Look up' }).click();
    };
    browser.expectTrouble(/status of 4\d\d/);
    await tryOut('nonsense');
    await trial.getByRole('alert').waitFor();
    await tryOut('+14155550100');
    await trial.getByText('Nobody in HubSpot has +14155550100.').waitFor();
    await tryOut(adaNumber);
    await trial.getByText(`${adaNumber} is found.`).waitFor();
    await trial.getByText(ada.email).waitFor();
    await trial.getByText(/It took [\d,]+ ms\./).waitFor();
    expect(await trial.getByRole('link', { name: 'Open in HubSpot' }).getAttribute('href')).toContain('/record/0-1/');
    await shot(page, 'one');
    await trial.getByText('The requests for this number').click();
    await trial.getByText('/contacts/search').waitFor();
    await trial.getByText('Asked for the invoice of May.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'requests');
    crm.addPerson({ ...ada, name: 'Ben Okafor', phone: '+1 415 555 0177' });
    crm.addPerson({ ...ada, name: 'Chloé Martin', phone: '415-555-0177' });
    await tryOut('+14155550177');
    await trial.getByText('2 records have +14155550177.').waitFor();
    await trial.getByText('Chloé Martin').waitFor();
    expect(await trial.getByRole('link', { name: 'Open in HubSpot' }).count()).toBe(2);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'several');
  });

  it('keeps its settings: for how long, which calls, and what HubSpot calls the dispositions', async () => {
    const { slug, adminToken } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    const settings = region(page, 'Settings');
    await settings.getByLabel('Remember a record for').fill('30');
    await settings.getByRole('radio', { name: 'Answered ones only' }).check();
    await settings.getByLabel('Resolved in HubSpot').fill('f240bbac');
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings of the CRM are saved.').waitFor();
    expect(await connectionOf(adminToken)).toMatchObject({
      keep_seconds: 1_800,
      log_calls: 'answered',
      dispositions: { resolved: 'f240bbac' },
      state: 'connected',
    });
    await page.reload();
    expect(await settings.getByLabel('Resolved in HubSpot').inputValue()).toBe('f240bbac');
    await shot(page, 'settings');
  });

  it('says on every page that it refuses the credentials, in its own words, until new ones are given', async () => {
    const { slug, adminToken } = await connectedCompany();
    crm.failNext(
      { kind: 'answer', answer: { status: 401, body: '{"message":"The token has expired."}' } },
      ({ path }) => path.endsWith('/contacts/search'),
    );
    const { body: made } = await gateway.api
      .put('/api/integrations')
      .set(bearer(adminToken))
      .send({ rotate_api_key: true })
      .expect(200);
    await gateway.api
      .get('/api/integrations/lookup')
      .query({ phone: '+14155550133' })
      .set('X-Service-Api-Key', made.api_key)
      .expect(404);
    const page = await openConsole(browser, gateway, slug);
    await page.getByText('HubSpot refuses the credentials', { exact: true }).waitFor();
    await page.getByText('HubSpot says: The token has expired.').waitFor();
    await shot(page, 'attention');
    await page.getByRole('link', { name: 'Put it right' }).click();
    await page.getByText('Needs attention', { exact: true }).waitFor();
    await button(page, 'Replace…').click();
    await token(page).fill(crm.accessToken);
    await button(page, 'Replace').click();
    await page.getByText('The new credentials are in use.').waitFor();
    await page.getByText('Needs attention', { exact: true }).waitFor({ state: 'detached' });
    expect(await connectionOf(adminToken)).toMatchObject({ state: 'connected' });
  });

  it('says that it does not answer, and until when it is left alone', async () => {
    const { slug, adminToken } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    const trial = region(page, 'Try a number');
    browser.expectTrouble(/status of 503/);
    const end = crm.failAll({ kind: 'reset' }, ({ path }) => path.endsWith('/contacts/search'));
    for (let asked = 0; asked < 5; asked += 1) {
      await gateway.api
        .post('/api/integrations/crm/preview')
        .set(bearer(adminToken))
        .send({ phone_number: `+1415555014${String(asked)}` })
        .expect(503);
    }
    end();
    await trial.getByLabel('Phone number').fill('+14155550149');
    await trial.getByRole('button', { name: 'Look up' }).click();
    await trial.getByText('Readyline leaves it alone and asks it again in').waitFor();
    await button(page, 'Reload').click();
    await page.getByText('HubSpot does not answer', { exact: true }).waitFor();
    await page.getByText('It did not answer several times in a row').waitFor();
    await shot(page, 'paused');
    await button(page, 'Check again').click();
    await page.getByText('HubSpot does not answer', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows in the delivery log why a call was not logged, and of which request', async () => {
    const { slug, agents, adminToken } = await gateway.company({
      slug: 'with-a-refused-entry',
      agents: 1,
      wrapUpSeconds: 0,
    });
    const credentials = { access_token: crm.accessToken };
    await gateway.api
      .put('/api/integrations/crm')
      .set(bearer(adminToken))
      .send({ provider: 'hubspot', credentials })
      .expect(200);
    const softphone = await gateway.readySoftphone(agents[0]!);
    crm.failNext(
      { kind: 'answer', answer: crm.refusedEntry() },
      ({ method, path }) => method === 'POST' && path.endsWith('/calls'),
    );
    const { id } = await softphone.startCall(adaNumber);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await eventually(async () => {
      const { body } = await gateway.api
        .get('/api/integrations/webhook-deliveries')
        .query({ target: 'crm' })
        .set(bearer(adminToken))
        .expect(200);
      expect(body.deliveries).toMatchObject([{ event: 'call_log', state: 'dead' }]);
    });
    const page = await openConsole(browser, gateway, slug, '/deliveries');
    await page.getByRole('combobox', { name: 'To', exact: true }).click();
    await page.getByRole('option', { name: 'CRM' }).click();
    await page.getByRole('row', { name: /CRM call_log Given up/ }).click();
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByText('HubSpot does not take it as it is:').first().waitFor();
    await delivery.getByText('Look at the field hs_call_disposition.').first().waitFor();
    await delivery
      .getByText(/POST http.*\/calls/)
      .first()
      .waitFor();
    await delivery.getByText('Came back: 400').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.content()).not.toContain(crm.accessToken);
    await shot(page, 'entry refused');
  });

  it('gets an address for its own webhooks, which is shown once, and ends with the next one', async () => {
    const { slug } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    const notices = region(page, 'Notices from HubSpot');
    await notices.getByRole('button', { name: 'Make an address' }).click();
    const shown = page.getByRole('dialog', { name: 'Shown only now' });
    const address = await shown.getByRole('textbox', { name: 'Address' }).inputValue();
    expect(address).toMatch(/\/api\/integrations\/inbound\/hubspot\/[\w-]+$/);
    await shot(page, 'address');
    await shown.getByRole('button', { name: 'Done' }).click();
    await button(page, 'It is stored, go on').click();
    await shown.waitFor({ state: 'detached' });
    await notices.getByText('nothing yet').waitFor();
    expect(await page.content()).not.toContain(address);
    await notices.getByLabel('Signing secret of HubSpot').first().fill('of-the-app');
    await notices.getByRole('button', { name: 'Save' }).click();
    await notices.getByText('It is set, and never shown.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'notices');
    expect((await gateway.api.get(new URL(address).pathname)).status).toBe(200);
    await notices.getByRole('button', { name: 'New address' }).click();
    await page.getByRole('dialog').getByText('end at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click();
    await shown.getByRole('textbox', { name: 'Address' }).waitFor();
    expect((await gateway.api.get(new URL(address).pathname)).status).not.toBe(200);
  });

  it('is disconnected only after a question that says what it means', async () => {
    const { slug, adminToken } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await button(page, 'Disconnect').click();
    const question = page.getByRole('dialog', { name: 'Disconnect HubSpot?' });
    await question.getByText('no call is logged there any more').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await connectionOf(adminToken)).toMatchObject({ provider: 'hubspot' });
    await button(page, 'Disconnect').click();
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('HubSpot is disconnected.').waitFor();
    await region(page, 'Connect HubSpot').waitFor();
    expect(await connectionOf(adminToken)).toBeNull();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('HubSpot is chosen, not connected: nothing is looked up or logged there.').waitFor();
  });

  it('is read in a narrow window too', async () => {
    const { slug } = await connectedCompany();
    const page = await openConsole(browser, gateway, slug, '/connect/crm');
    await region(page, 'Settings').getByLabel('Remember a record for').waitFor();
    await setSize(page, 'panel');
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1]!);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'narrow');
  });
});
