import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConsole } from '../support/browser/adminConsole.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { FakeFinesse } from '../support/cti/fakeFinesse.ts';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { platforms, type Sent } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let companies = 0;

let genesys: FakeGenesys;

beforeAll(async () => {
  genesys = await FakeGenesys.start();
  gateway = await startGateway('memory', { config: { ctiBaseUrls: new Map([['genesys', genesys.url]]) } });
});
afterAll(async () => {
  await gateway.close();
  await genesys.close();
});

const browser = useBrowser({ profile: { size: 'desk' } });
const sendsOf = (id: string) => platforms.find(({ connector }) => connector === id)!;
const newCompany = () => gateway.company({ slug: `with-platforms-${(companies += 1)}`, agents: 4 });
const post = (address: string, { headers, body }: Sent) =>
  gateway.api.post(new URL(address, gateway.url).pathname).set(headers).send(body).expect(200);
const connect = async (company: TestCompany, connector: string) =>
  (await gateway.as(company).post('/api/integrations/cti/connections').send({ connector }).expect(201)).body;

it('lets an admin connect a platform, say who its agents are and who dials for them, and end it', async () => {
  const company = await newCompany();
  const page = await openConsole(browser, gateway, company.slug, '/platforms');
  await page.getByText('No platform is connected').waitFor();
  await page.getByRole('combobox', { name: 'Connect a platform' }).click();
  await page.getByRole('option', { name: 'Genesys Cloud' }).click();
  await page.getByRole('button', { name: 'Make its address' }).click();
  const shown = page.getByRole('dialog', { name: 'Shown only now' });
  const url = await shown.getByRole('textbox', { name: 'Address' }).inputValue();
  expect(url).toMatch(/\/api\/integrations\/cti\/events\/genesys\/[A-Za-z0-9_-]{43}$/);
  const [filled] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download readyline-call-event.custom.json' }).click(),
  ]);
  expect(readFileSync(await filled.path(), 'utf8')).toContain(url);
  expect(await seriousFindings(page)).toEqual([]);
  await shot(page, 'shown');
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'It is stored, go on' }).click();
  await shown.waitFor({ state: 'detached' });
  const genesys = page.getByRole('region', { name: 'Genesys Cloud' });
  await genesys.getByText('Nothing yet').waitFor();
  await genesys.getByText('Import the actions').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    genesys.getByRole('button', { name: 'Download readyline-lookup.custom.json' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('readyline-lookup.custom.json');
  await shot(page, 'recipe');
  await genesys.getByRole('button', { name: 'Hide the steps' }).click();
  const about = { callId: 'c-1', agent: 'u-77', customer: '+15551230001', at: Date.now() };
  await post(url, sendsOf('genesys').ready!(about));
  await genesys.getByText('1 is nobody you have.').waitFor();
  await genesys.getByRole('button', { name: 'Who the agents of Genesys Cloud are' }).click();
  const who = genesys.getByRole('combobox', { name: 'u-77 is' });
  await who.fill('a101');
  await page.getByRole('option', { name: 'Agent a101 (a101)' }).click();
  await genesys.getByText('1 agent is known to be yours.').waitFor();
  await genesys.getByText('You said so').waitFor();
  const [, second] = company.agents;
  expect((await gateway.as(company).get(`/api/agents/${second!.id}/state`).expect(200)).body).toMatchObject({
    state: 'ready',
    platform: { connector: 'genesys', dials_by: 'nobody' },
  });
  await genesys.getByRole('combobox', { name: 'Who dials for its agents' }).click();
  await page.getByRole('option', { name: 'Their softphone, which they have open beside it' }).click();
  await eventually(
    async () =>
      (await gateway.as(company).get('/api/integrations/cti/connections').expect(200)).body.connections[0].dial_via ===
      'softphone',
  );
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `connected-${theme}-${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
  await genesys.getByRole('button', { name: 'Disconnect' }).click();
  await page
    .getByRole('dialog', { name: 'Disconnect Genesys Cloud?' })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await page.getByText('Genesys Cloud is disconnected.').waitFor();
  await page.getByText('No platform is connected').waitFor();
});

it('shows a supervisor agents of three platforms and one of our own, each doing what its owner says', async () => {
  const company = await newCompany();
  const [ada, grace, mary, own] = company.agents;
  const [genesys, finesse, five9] = [
    await connect(company, 'genesys'),
    await connect(company, 'cisco'),
    await connect(company, 'five9'),
  ];
  const softphone = await gateway.readySoftphone(own!);
  const boss = await gateway.agent(company, 'boss', 'supervisor');
  const page = await browser.open(`${gateway.url}/admin/live`);
  await signIn(page, boss, company.slug);
  const row = (agent: { id: string }) => page.locator(`[data-agent="${agent.id}"]`);
  await row(own!).and(page.locator('[data-state=ready]')).waitFor();
  const about = (agent: string, callId = 'c-1') => ({ callId, agent, customer: '+15551230001', at: Date.now() });
  await post(genesys.url, sendsOf('genesys').ready!(about(ada!.agentCode)));
  await post(finesse.url, sendsOf('cisco').notReady!(about(grace!.agentCode)));
  await post(five9.url, sendsOf('five9').answered(about(mary!.agentCode)));
  await row(ada!).and(page.locator('[data-state=ready]')).getByText('Genesys Cloud').waitFor();
  await row(grace!).and(page.locator('[data-state=not_ready]')).getByText('Cisco Finesse').waitFor();
  await row(mary!).and(page.locator('[data-state=on_call]')).getByText('Five9').waitFor();
  expect(
    await row(own!)
      .getByText(/Genesys|Cisco|Five9/)
      .count(),
  ).toBe(0);
  expect(await row(ada!).getByText('Connection lost').count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `wallboard-${theme}`);
  }
  await post(genesys.url, sendsOf('genesys').ringing!(about(ada!.agentCode, 'c-2')));
  await row(ada!).and(page.locator('[data-state=reserved]')).waitFor();
  await post(genesys.url, sendsOf('genesys').ended(about(ada!.agentCode, 'c-2')));
  await row(ada!).and(page.locator('[data-state=ready]')).waitFor();
  softphone.close();
});

it('pops at the softphone of an agent, which says where the state is set, and has no buttons for the platform’s call', async () => {
  const company = await newCompany();
  const [ada] = company.agents;
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: '+15551230001', data: { name: 'Grace Hopper', tier: 'gold' } })
    .expect(200);
  const { url } = await connect(company, 'genesys');
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await phone.enter(ada!, company);
  const { page } = phone;
  const about = { callId: 'c-1', agent: ada!.agentCode, customer: '+15551230001', at: Date.now() };
  await post(url, sendsOf('genesys').notReady!(about));
  await page.getByText('Your state is set in Genesys Cloud.').waitFor();
  await post(url, sendsOf('genesys').ringing!({ ...about, customer: 'tel:+15551230001' }));
  await page.getByText('Grace Hopper').first().waitFor();
  await page.getByRole('heading', { name: 'Call in Genesys Cloud' }).waitFor();
  expect(await page.getByRole('button', { name: /^(Answer|Hang up|Decline)($| )/ }).count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `softphone-${theme}`);
  }
  // A page that is opened anew in the middle of the call shows the customer again.
  await page.reload();
  await page.getByRole('heading', { name: 'Call in Genesys Cloud' }).waitFor();
  await page.getByText('Grace Hopper').first().waitFor();
  await post(url, sendsOf('genesys').ended({ ...about, customer: 'tel:+15551230001' }));
  await page.getByText('Grace Hopper').first().waitFor({ state: 'detached' });
});

it('lets an admin have a platform dial, and try it; a click then calls there, with the customer at the agent’s softphone', async () => {
  const company = await newCompany();
  const [ada] = company.agents;
  const { url } = await connect(company, 'genesys');
  genesys.agents.add(ada!.agentCode);
  const page = await openConsole(browser, gateway, company.slug, '/platforms');
  const section = page.getByRole('region', { name: 'Genesys Cloud' });
  const form = section.getByRole('form', { name: 'Account at Genesys Cloud' });
  const chooseWho = async () => {
    await section.getByRole('combobox', { name: 'Who dials for its agents' }).click();
    await page.getByRole('option', { name: 'Genesys Cloud, which calls for them; they need no softphone' }).click();
  };
  browser.expectTrouble(/status of 409 .*connections.genesys/);
  await chooseWho();
  await section.getByText('The account at Genesys Cloud is not set yet').waitFor();
  await form.getByRole('combobox', { name: 'Region' }).fill('mypurecloud.de');
  await page.getByRole('option', { name: 'mypurecloud.de' }).click();
  await form.getByLabel('Client ID').fill(genesys.settings.client_id);
  browser.expectTrouble(/status of 400 .*connections.genesys/);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This is needed.').waitFor();
  await form.getByLabel('Client secret').fill('another');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The account is saved.').waitFor();
  expect(await form.getByLabel('Client secret').inputValue()).toBe('');
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('Genesys Cloud does not take it: The credentials were refused: 401').waitFor();
  await form.getByLabel('Client secret').fill(genesys.settings.client_secret);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('Genesys Cloud takes this account. Nothing was dialed.').waitFor();
  await section.getByRole('switch', { name: 'Listen at Genesys Cloud' }).click({ force: true });
  await eventually(() => genesys.lines.size === 1);
  await chooseWho();
  await eventually(
    async () =>
      (await gateway.as(company).get('/api/integrations/cti/connections').expect(200)).body.connections[0].dial_via ===
      'platform',
  );
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `dialing-${theme}`);
  }
  await post(
    url,
    sendsOf('genesys').ready!({ callId: 'c-1', agent: ada!.agentCode, customer: '+15551230001', at: Date.now() }),
  );
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await phone.enter(ada!, company);
  await phone.page.getByText('Your state is set in Genesys Cloud.').waitFor();
  const clicked = await gateway.click(company, { phone_number: '+15551230001', screen_pop: { name: 'Grace Hopper' } });
  expect(clicked.status).toBe(201);
  expect(genesys.dialed).toMatchObject([{ agent: ada!.agentCode, phone: '+15551230001' }]);
  await phone.page.getByText('Grace Hopper').first().waitFor();
  await phone.page.getByText('Call in Genesys Cloud').first().waitFor();
  await shot(phone.page, 'dialed-by-platform');
});

it('has an agent’s Ready and Not Ready set at the platform, once the account allows it, and shows them when the platform says so', async () => {
  const company = await newCompany();
  const [ada] = company.agents;
  const { url } = await connect(company, 'genesys');
  genesys.agents.add(ada!.agentCode);
  const about = { callId: 'c-1', agent: ada!.agentCode, customer: '+15551230001', at: Date.now() };
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  const { page } = phone;
  await phone.enter(ada!, company);
  await post(url, sendsOf('genesys').notReady!(about));
  await page.getByText('Your state is set in Genesys Cloud.').waitFor();
  expect(await phone.button('Not Ready').count()).toBe(0);
  await gateway
    .as(company)
    .patch('/api/integrations/cti/connections/genesys')
    .send({ account: genesys.settings })
    .expect(204);
  await phone.button('Ready').click();
  await page.getByText('Genesys Cloud was asked: Ready').waitFor();
  expect(genesys.states).toEqual([{ agent: ada!.agentCode, state: 'On Queue' }]);
  await page.getByTestId('agent-state').getByText('Not Ready').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `asked-${theme}`);
  }
  await post(url, sendsOf('genesys').ready!({ ...about, at: Date.now() }));
  await page.getByText('Your state is set in Genesys Cloud.').waitFor();
  await page.getByRole('button', { name: 'Ready', exact: true, pressed: true }).waitFor();
  genesys.busy.add(ada!.agentCode);
  await phone.button('Not Ready').click();
  await page.getByRole('menuitem', { name: 'Break' }).click();
  await page.getByText('Genesys Cloud did not take the state: 409 The user has no station').waitFor();
  await page.getByRole('button', { name: 'Ready', exact: true, pressed: true }).waitFor();

  const boss = await gateway.agent(company, 'boss', 'supervisor');
  const wallboard = await (await browser.profile()).open(`${gateway.url}/admin/live`);
  await signIn(wallboard, boss, company.slug);
  genesys.busy.clear();
  await wallboard.getByRole('row').filter({ hasText: ada!.agentCode }).getByRole('button').click();
  await wallboard.getByRole('dialog', { name: ada!.agentCode }).getByRole('button', { name: 'Not Ready' }).click();
  await wallboard.getByText(`Genesys Cloud was asked to set Agent ${ada!.agentCode}: Not Ready.`).waitFor();
  // The softphone is logged out; nothing of that was asked of the platform.
  const asked = genesys.states.length;
  await wallboard.getByRole('dialog', { name: ada!.agentCode }).getByRole('button', { name: 'Log out' }).click();
  await wallboard.getByText(`Agent ${ada!.agentCode}: Ready.`).waitFor();
  expect(genesys.states).toHaveLength(asked);
  genesys.agents.clear();
});

it('lets an admin set what an agent logs in with where a platform dials for nobody else, and says whether it is taken', async () => {
  const finesse = await FakeFinesse.start();
  const company = await newCompany();
  const [ada] = company.agents;
  finesse.agents.add(ada!.agentCode);
  const { url } = await connect(company, 'cisco');
  await gateway
    .as(company)
    .patch('/api/integrations/cti/connections/cisco')
    .send({ dial_via: 'platform', account: finesse.settings })
    .expect(204);
  await post(
    url,
    sendsOf('cisco').ready!({ callId: 'c-1', agent: ada!.agentCode, customer: '+15551230001', at: Date.now() }),
  );
  const page = await openConsole(browser, gateway, company.slug, '/platforms');
  const section = page.getByRole('region', { name: 'Cisco Finesse' });
  await section.getByText('Cisco Finesse dials only for who is signed in there').waitFor();
  expect(await section.getByRole('button', { name: 'Try it' }).count()).toBe(0);
  expect(await section.getByRole('switch').count()).toBe(0);
  await section.getByRole('button', { name: 'Who the agents of Cisco Finesse are' }).click();
  await section.getByRole('button', { name: 'Set the log-in: Ada Byron' }).click();
  const form = section.getByRole('form', { name: 'Log-in of Ada Byron at Cisco Finesse' });
  await form.getByLabel('Extension').fill('1001001');
  await form.locator('input[type=password]').fill('another');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Cisco Finesse does not take it: 401 Authorization Failure').waitFor();
  await form.locator('input[type=password]').fill(finesse.logInOf().password);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Cisco Finesse takes this account. Nothing was dialed.').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `agent-log-in-${theme}`);
  }
  expect((await gateway.click(company, { phone_number: '+15551230001' })).status).toBe(201);
  expect(finesse.dialed).toMatchObject([{ agent: ada!.agentCode }]);
  await form.getByRole('button', { name: 'Remove the log-in' }).click();
  await page.getByText('The log-in is removed.').waitFor();
  await finesse.close();
});

it('lets an admin say whose pages may hold the pop page in a frame', async () => {
  const company = await newCompany();
  const page = await openConsole(browser, gateway, company.slug, '/platforms');
  const section = page.getByRole('region', { name: 'Pop page' });
  const field = section.getByRole('combobox', { name: 'Sites that may show it in a frame' });
  const save = section.getByRole('button', { name: 'Save' });
  await field.fill('nowhere');
  await page.keyboard.press('Enter');
  browser.expectTrouble(/status of 400 .*integrations/);
  await save.click();
  await section.locator('.mantine-TagsInput-error').waitFor();
  await page.keyboard.press('Escape');
  await section.getByRole('button', { name: 'Discard changes' }).click();
  await field.fill('https://desktop.example.com');
  await page.keyboard.press('Enter');
  expect(await seriousFindings(page)).toEqual([]);
  await shot(page, 'pop-page');
  await save.click();
  await page.getByText('The sites are saved.').waitFor();
  const { body } = await gateway.as(company).get('/api/integrations').expect(200);
  expect(body.integration.pop_frame_ancestors).toEqual(['https://desktop.example.com']);
});
