import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clipboard, openConsole } from '../support/browser/adminConsole.ts';
import { shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await gateway.company({ slug: `people-${companies++}`, agents: 1 });
});

const browser = useBrowser();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const open = (path: string) => openConsole(browser, gateway, company.slug, path);

describe('agents', () => {
  it('are created with a password that is shown once, and log in with it', async () => {
    const page = await open('/agents');
    await button(page, 'New agent').click();
    const form = page.getByRole('dialog', { name: 'New agent' });
    await form.getByLabel('Name').fill('Ada Lovelace');
    await form.getByLabel('Agent code').fill('a100');
    browser.expectTrouble(/status of 409/);
    await button(page, 'Create').click();
    await form.getByText('This is taken already.').waitFor();
    await form.getByLabel('Agent code').fill('ada');
    await form.getByLabel('SIP user').fill('1001');
    await form.getByRole('textbox', { name: 'SIP secret' }).fill('swordfish');
    await button(page, 'Create').click();
    const password = await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).inputValue();
    await shot(page, 'password shown once');
    expect(await gateway.logIn({ agent_code: 'ada', company_slug: company.slug, password })).not.toBe('');

    await button(page, 'Done').click();
    await button(page, 'It is stored, go on').click();
    await page.getByRole('row', { name: 'Ada Lovelace' }).getByText('1001').waitFor();
    await eventually(async () => expect(await page.getByRole('dialog').count()).toBe(0));
    expect(await page.content()).not.toContain(password);
  });

  it('are told to be signed out before a change that does so, and cannot be left half changed', async () => {
    const [agent] = company.agents;
    const page = await open(`/agents?agent=${agent!.id}`);
    const form = page.getByRole('dialog', { name: 'Agent a100' });
    await form.getByLabel('Name').fill('Anna');
    await page.keyboard.press('Escape');
    await button(page, 'Stay').click();
    await form.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Supervisor' }).click();
    await form.getByText('Saving ends every log-in').waitFor();
    await button(page, 'Save').click();
    await page.getByRole('row', { name: 'Anna' }).getByText('Supervisor').waitFor();
    await gateway.api.get('/api/me').set(bearer(agent!.token)).expect(401);
  });

  it('include the admin, who cannot lock themselves out', async () => {
    const page = await open('/agents');
    await page.getByRole('row', { name: 'Administrator' }).getByRole('button').click();
    const form = page.getByRole('dialog', { name: 'Administrator' });
    expect(await form.getByLabel('Role').isDisabled()).toBe(true);
    expect(await form.getByRole('switch', { name: 'Active' }).isDisabled()).toBe(true);
  });
});

describe('call handling', () => {
  it('reaches a softphone as it is saved, and shows at its row what is refused', async () => {
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const page = await open('/company');
    await button(page, 'Add a disposition').click();
    await page.keyboard.type('Sent an offer');
    await page.keyboard.press('Tab');
    await page.getByRole('checkbox', { name: 'disposition 9 needs a time to call back' }).check();
    for (let place = 9; place > 1; place--)
      await page.getByRole('button', { name: `Move disposition ${place} up` }).click();
    const changed = nextEvent(softphone, 'settingsChanged');
    await page.getByRole('region', { name: 'Dispositions' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dispositions are saved').waitFor();
    await changed;
    const { dispositions } = await softphone.readSettings();
    expect(dispositions.slice(0, 2)).toEqual([
      { code: 'sent_an_offer', label: 'Sent an offer', requires_callback_at: true },
      { code: 'resolved', label: 'Resolved', requires_callback_at: false },
    ]);

    await page.getByRole('region', { name: 'Not Ready reasons' }).getByRole('button', { name: 'Add a reason' }).click();
    await page.keyboard.type('Break');
    browser.expectTrouble(/status of 400/);
    await page.getByRole('region', { name: 'Not Ready reasons' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Every company has this code already.').waitFor();
  });

  it('keeps what is typed while it is saved, and takes what another admin saves afterwards', async () => {
    const page = await open('/company');
    const form = page.getByRole('region', { name: 'Company' });
    // Below it are the speed dials, which are saved by themselves.
    const save = form.getByRole('button', { name: 'Save' }).first();
    const wire = gate();
    wire.shut();
    await page.route('**/api/company', (route) =>
      route.request().method() === 'PATCH' ? wire.pass(() => route.continue()) : route.continue(),
    );
    await form.getByLabel('Name', { exact: true }).fill('Mine');
    await save.click();
    await wire.reached();
    await form.getByLabel('Wrap-up time').fill('45');
    wire.open();
    await page.getByText('The company is saved.').waitFor();
    expect(await form.getByLabel('Wrap-up time').inputValue()).toBe('45');

    await gateway.api.patch('/api/company').set(bearer(company.adminToken)).send({ name: 'Theirs' }).expect(200);
    await save.click();
    await button(page, 'Discard changes').waitFor({ state: 'detached' });
    await eventually(async () => expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs'));
    expect(await form.getByLabel('Wrap-up time').inputValue()).toBe('45');
  });
});

describe('telephony', () => {
  it('is saved with its credentials, which nobody can read back', async () => {
    const page = await open('/telephony');
    await page.getByRole('radio', { name: 'SIP in the browser' }).check();
    await page.getByLabel('WebSocket address of the PBX').fill('ws://pbx.example.com/ws');
    browser.expectTrouble(/status of 400/);
    await button(page, 'Save').click();
    await page.getByText('It has to begin with wss://').first().waitFor();
    await page.getByLabel('WebSocket address of the PBX').fill('wss://pbx.example.com/ws');
    await button(page, 'Add a server').click();
    await page.getByLabel('URLs of server 1').fill('turn:turn.example.com:3478');
    await page.getByLabel('Log-in of server 1').click();
    await page.getByText('Fixed user and password').click();
    await page.getByLabel('User of server 1').fill('readyline');
    await page.getByRole('textbox', { name: 'Credential of server 1' }).fill('swordfish');
    await button(page, 'Save').click();
    await page.getByText('Telephony is saved').waitFor();
    await page.getByText('no SIP user').waitFor();
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Credential of server 1' }).inputValue()).toBe('');
    await page.getByPlaceholder('Set; not shown').waitFor();
    await page.getByLabel('User of server 1').fill('somebody');
    await page.getByText('The stored one belongs to the former URLs and user').waitFor();
    await page.getByLabel('User of server 1').fill('readyline');
    await page.getByPlaceholder('Set; not shown').waitFor();
    const answer = await gateway.api.get('/api/telephony').set(bearer(company.adminToken)).expect(200);
    expect(answer.body).toMatchObject({ mode: 'sip', ice_servers: [{ credential_set: true }] });
    expect(answer.text).not.toContain('swordfish');
  });

  it('is refused for nothing that is out of sight, and at the server that is wrong wherever it stands by now', async () => {
    const page = await open('/telephony');
    await page.getByRole('radio', { name: 'SIP in the browser' }).check();
    await page.getByLabel('WebSocket address of the PBX').fill('wss://pbx.example.com/ws');
    for (const [number, url] of [
      [1, 'stun:stun.example.com'],
      [2, 'nowhere'],
      [3, 'stun:three.example.com'],
    ] as const) {
      await button(page, 'Add a server').click();
      await page.getByLabel(`URLs of server ${number}`).fill(url);
    }
    browser.expectTrouble(/status of 400/);
    await button(page, 'Save').click();
    const fault = page.locator('[aria-invalid="true"]');
    await fault.waitFor();
    await button(page, 'Remove server 1').click();
    await page.getByLabel('URLs of server 3').waitFor({ state: 'detached' });
    expect(await fault.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual([
      'nowhere',
    ]);
    await page.getByLabel('WebSocket address of the PBX').fill('ws://wrong.example.com');
    await page.getByRole('radio', { name: 'Desk phone' }).check();
    await button(page, 'Save').click();
    await page.getByText('Telephony is saved').waitFor();
    const answer = await gateway.api.get('/api/telephony').set(bearer(company.adminToken)).expect(200);
    expect(answer.body).toMatchObject({ mode: 'desk_phone', sip_wss_url: null });
  });
});

describe('who is no admin', () => {
  it('sees the wallboard and the agents as a supervisor, and no settings', async () => {
    const boss = await gateway.agent(company, `boss-${company.slug}`, 'supervisor');
    const page = await browser.open(`${gateway.url}/admin`, clipboard);
    await signIn(page, boss);
    await page.waitForURL('**/admin/live');
    expect(await page.getByRole('navigation', { name: 'Console' }).getByRole('link').allInnerTexts()).toEqual([
      'Wallboard',
      'Calls',
      'Reports',
      'Agents',
      'Duplicates',
    ]);
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('cell', { name: 'Agent a100' }).waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /New agent|Agent a100/ })
        .count(),
    ).toBe(0);
    await page.goto(`${gateway.url}/admin/telephony`);
    await page.getByText('Settings are for admins').waitFor();
  });

  it('is led to the softphone as an agent', async () => {
    const page = await browser.open(`${gateway.url}/admin`);
    await signIn(page, company.agents[0]!, company.slug);
    await page.getByRole('heading', { name: 'This page is for admins and supervisors' }).waitFor();
    expect(await page.getByRole('link', { name: 'Open the softphone' }).getAttribute('href')).toBe('/');
  });
});

it('asks for the log-in again when it has ended, and keeps what was typed', async () => {
  const page = await open('/company');
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  const me = await gateway.api.get('/api/me').set(bearer(company.adminToken)).expect(200);
  const password = 'another-password-of-the-tests';
  // Saved first: the page itself may notice before, and ask at once.
  const saving = gate();
  saving.shut();
  await page.route('**/api/company', (route) =>
    route.request().method() === 'PATCH' ? saving.pass(() => route.continue()) : route.continue(),
  );
  browser.expectTrouble(/status of 401/);
  await page.getByRole('region', { name: 'Company' }).getByRole('button', { name: 'Save' }).first().click();
  await saving.reached();
  await gateway.api.patch(`/api/agents/${me.body.id}`).set(bearer(company.adminToken)).send({ password }).expect(200);
  saving.open();
  await page.getByText('Your log-in has ended').waitFor();
  await signIn(page, { email: `admin@${company.slug}.example`, password });
  await page.getByRole('region', { name: 'Company' }).getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('The company is saved.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed');
});

it('keeps its navigation where a page cannot be shown, and loads anew what an upgrade has replaced', async () => {
  const page = await open('/deliveries?delivery=..');
  await page.getByRole('heading', { name: 'Delivery log' }).waitFor();
  expect(await page.getByRole('dialog').count(), 'of a delivery that is none').toBe(0);
  browser.expectTrouble(/status of 404/);
  browser.expectTrouble(/Failed to fetch dynamically imported module/);
  await page.route('**/WallboardPage-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Wallboard' }).click();
  await page.getByText('This page: this could not be shown.').waitFor();
  await page.getByRole('link', { name: 'Call handling' }).click();
  await page.getByLabel('Name', { exact: true }).waitFor();

  // As if another build were there by now.
  await page.route('**/admin/live', (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ body: 'the page of another build' })
      : route.continue(),
  );
  await page.reload();
  const reloaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Wallboard' }).click();
  await reloaded;
  await page.getByText('This page: this could not be shown.').waitFor();
  await page.unroute('**/WallboardPage-*.js');
  await button(page, 'Reload the page').click();
  await page.getByText('Live', { exact: true }).waitFor();
});
