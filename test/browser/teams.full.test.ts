import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
let agents: [TestAgent, TestAgent, TestAgent];

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'teams', agents: 3, wrapUpSeconds: 0 });
  agents = company.agents as typeof agents;
  for (const agent of agents) await gateway.readySoftphone(agent);
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'desk' } });

it('are made by an admin, take the clicks that name them, and narrow the wallboard and the calls', async () => {
  const page = await openConsole(browser, gateway, company.slug);
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByText('No teams yet').waitFor();
  await page.getByRole('button', { name: 'New team' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales');
  await page.getByRole('textbox', { name: 'Code' }).fill('two words');
  const members = page.getByRole('combobox', { name: 'Agents' });
  await members.fill('a102');
  await page.getByRole('option', { name: 'Agent a102 (a102)' }).click();
  await page.keyboard.press('Escape');
  browser.expectTrouble(/status of 400 .*api.teams/);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('A code is letters, digits, dots, dashes and underscores, at most 64.').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill('sales');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await setSize(page, 'panel');
    await shot(page, `form-${theme}-panel`);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    ).toBe(true);
    await setSize(page, 'desk');
    await shot(page, `form-${theme}-desk`);
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 agent · Agent a102').waitFor();
  await shot(page, 'list');
  expect(await seriousFindings(page)).toEqual([]);

  const dialed = await gateway.click(company, { phone_number: '+15551230001', team_code: 'sales' }).expect(201);
  expect(dialed.body.agent.id).toBe(agents[2].id);

  const boss = await gateway.agent(company, 'boss', 'supervisor');
  const profile = await browser.profile({ size: 'desk' });
  const floor = await profile.open(`${gateway.url}/admin/live`);
  await signIn(floor, boss, company.slug);
  await floor.getByText('3 agents').waitFor();
  await floor.getByRole('combobox', { name: 'Team' }).click();
  await floor.getByRole('option', { name: 'Sales' }).click();
  await floor.getByText('1 agent', { exact: true }).waitFor();
  expect(await floor.locator('[data-agent]').count()).toBe(1);
  await floor.getByRole('button', { name: /^On call 1/ }).waitFor();
  await shot(floor, 'wallboard');
  expect(await seriousFindings(floor)).toEqual([]);
  await floor.getByRole('link', { name: 'Calls' }).click();
  await floor.getByRole('cell', { name: /a102/ }).waitFor();
  await floor.getByRole('combobox', { name: 'Team' }).click();
  await floor.getByRole('option', { name: 'Sales' }).click();
  await floor.waitForURL('**/admin/calls?team_id=*');
  await floor.getByRole('cell', { name: /a102/ }).waitFor();

  await page.getByRole('button', { name: 'Remove Sales' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No teams yet').waitFor();
  await gateway.click(company, { phone_number: '+15551230002', team_code: 'sales' }).expect(404);
});

it('are what a supervisor sees once an admin says so, also on a wallboard that is open', async () => {
  const [first, second] = agents;
  for (const [code, name, agent] of [
    ['sales', 'Sales', first],
    ['service', 'Service', second],
  ] as const) {
    await gateway
      .as(company)
      .post('/api/teams')
      .send({ code, name, agent_ids: [agent.id] })
      .expect(201);
  }
  const lead = await gateway.agent(company, 'lead', 'supervisor');
  const profile = await browser.profile({ size: 'desk' });
  const floor = await profile.open(`${gateway.url}/admin/live`);
  await signIn(floor, lead, company.slug);
  await floor.locator(`[data-agent="${second.id}"]`).getByRole('button').first().click();
  await floor.getByRole('dialog').getByText('Agent a101').waitFor();

  const page = await openConsole(browser, gateway, company.slug);
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Agent lead' }).click();
  await page.getByRole('combobox', { name: 'Sees and may act on' }).click();
  await page.getByRole('option', { name: 'The agents of some teams' }).click();
  await page.getByText('Choose a team. Until then this supervisor sees nobody.').waitFor();
  await page.getByRole('combobox', { name: 'Teams' }).click();
  await page.getByRole('option', { name: 'Sales' }).click();
  await page.keyboard.press('Escape');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `limits-${theme}-${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Supervisor · 1 team').waitFor();

  await floor.getByText('Your teams: Sales').waitFor();
  await floor.getByRole('dialog').waitFor({ state: 'detached' });
  await floor.locator(`[data-agent="${second.id}"]`).waitFor({ state: 'detached' });
  await floor.getByText('1 agent', { exact: true }).waitFor();
  expect(
    await floor.locator('[data-agent]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-agent'))),
  ).toEqual([first.id]);
  expect(await floor.getByRole('region', { name: 'Clicks today' }).count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(floor, theme);
    await shot(floor, `led-${theme}`);
    expect(await seriousFindings(floor)).toEqual([]);
  }
  await floor.getByRole('link', { name: 'Agents' }).click();
  await floor.getByText('2 of 2').waitFor();
  await floor.getByRole('link', { name: 'Reports' }).click();
  await floor.getByRole('combobox', { name: 'Team' }).click();
  await floor.getByRole('option', { name: 'Sales' }).waitFor();
  expect(await floor.getByRole('option').allTextContents()).not.toContain('Service');
});
