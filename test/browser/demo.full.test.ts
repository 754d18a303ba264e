import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DemoCrm } from '../../demo/crm/demoCrm.ts';
import { GatewayApi } from '../../demo/gatewayApi.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { allIsWell, SoftphonePage } from '../support/browser/softphonePage.ts';

const admin = { email: 'admin@demo.example', password: 'a-password-of-the-tests' };
let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'demo', agents: 1, wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { permissions: ['microphone', 'clipboard-read', 'clipboard-write'] } });

const softphoneOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Readyline softphone"]');
const step = (page: Page, title: string) =>
  page.getByRole('complementary', { name: 'Guide' }).getByRole('listitem').filter({ hasText: title });
const webhooks = (page: Page) => page.getByRole('region', { name: 'Webhooks' });

/** By the link that the terminal prints. */
async function openByLink(): Promise<Page> {
  const [agent] = company.agents;
  const page = await browser.open(`${gateway.url}/demo#admin=${admin.password}&agent=${agent!.password}`);
  page.on('dialog', (dialog) => void dialog.accept());
  await softphoneOf(page).getByText('Demo: you hear yourself').waitFor();
  return page;
}

async function isDone(page: Page, title: string): Promise<void> {
  await step(page, title).getByText(', done').waitFor({ state: 'attached' });
}

it('leads through the main job, and ticks what has really happened', async () => {
  const page = await openByLink();
  const softphone = softphoneOf(page);
  expect(page.url(), 'no password is left in the address').toBe(`${gateway.url}/demo`);
  expect(await page.getByText(', done').count()).toBe(0);
  await page.getByText('Grace Hopper').waitFor();
  await shot(page, 'start');

  await page.getByRole('button', { name: 'Push to Readyline' }).click();
  await isDone(page, 'Push a customer');
  await softphone.getByRole('button', { name: 'Ready', exact: true }).click();
  await isDone(page, 'Go Ready');

  await page.getByRole('button', { name: 'Dial Margaret Hamilton' }).click();
  await isDone(page, 'Click to dial');
  const record = page.getByRole('region', { name: 'Record' });
  await record.getByRole('heading', { name: 'Margaret Hamilton' }).waitFor();
  await record.getByText('Tranquility Software').waitFor();
  await softphone.getByTestId('call-state').getByText('Connected', { exact: true }).waitFor();
  await isDone(page, 'Talk');
  await shot(page, 'talking');

  await softphone.getByRole('button', { name: 'Hang up', exact: true }).click();
  await softphone.getByTestId('wrap-up').getByRole('radio', { name: 'Resolved' }).check();
  await softphone.getByTestId('wrap-up').getByRole('button', { name: 'Save' }).click();
  await isDone(page, 'Wrap up');
  await isDone(page, 'See the webhooks arrive');
  await page.getByText('That is the whole job.').waitFor();

  for (const event of ['cti_click_to_dial', 'call_started', 'call_answered', 'disposition']) {
    await webhooks(page)
      .getByRole('button', { name: new RegExp(`${event}.*signature verified`) })
      .waitFor();
  }
  await webhooks(page)
    .getByRole('button', { name: /disposition/ })
    .click();
  await webhooks(page).getByText('"code": "resolved"').waitFor();
  await webhooks(page)
    .getByText(/x-service-signature: sha256=/)
    .waitFor();
  await shot(page, 'finished');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await shot(page, 'finished');
});

it('lets a customer call the agent, and opens the record before the agent answers', async () => {
  const page = await openByLink();
  const softphone = softphoneOf(page);
  await softphone.getByRole('button', { name: 'Ready', exact: true }).click();
  await isDone(page, 'Go Ready');
  await page.getByRole('button', { name: 'Ring the agent' }).click();
  await page.getByRole('region', { name: 'Record' }).getByRole('heading', { name: 'Grace Hopper' }).waitFor();
  await softphone.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('The agent has answered.').waitFor();
  await softphone.getByRole('button', { name: 'Hang up', exact: true }).click();
});

it('says why a click was refused', async () => {
  const page = await openByLink();
  browser.expectTrouble(/503/);
  await page.getByRole('button', { name: 'Dial Alan Turing' }).click();
  await page.getByText(/^503: That agent is .+ Only an agent who is Ready can be dialed from/).waitFor();
  expect(await step(page, 'Click to dial').getByText(', done').count()).toBe(0);
});

it('shows the requests as commands that work when they are pasted', async () => {
  const page = await openByLink();
  await page.getByRole('cell', { name: 'Grace Hopper', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy as curl: Push a customer' }).click();
  await page.getByText('Copied').waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = '', body = ''] = /^curl (\S+) [^]*-d '(.*)'$/.exec(command) ?? [];
  expect(url).toBe(`${gateway.url}/api/integrations/inbound`);
  await gateway.api
    .post(new URL(url).pathname)
    .set('X-Service-Api-Key', company.key)
    .send(JSON.parse(body))
    .expect(200);
});

it('asks for the passwords where the address has none, and keeps both log-ins apart', async () => {
  const page = await browser.open(`${gateway.url}/demo`);
  await page.getByRole('heading', { name: 'Acme CRM' }).waitFor();
  await shot(page, 'sign in');
  await signIn(page, admin);
  const softphone = softphoneOf(page);
  await softphone.getByLabel('Agent code or e-mail').fill('a100');
  await softphone.getByRole('textbox', { name: 'Password' }).fill(company.agents[0]!.password);
  await softphone.getByRole('button', { name: 'Sign in' }).click();
  await allIsWell(softphone).waitFor({ state: 'attached' });
  await page.reload();
  await page.getByRole('button', { name: /^Sign out/ }).waitFor();
  await allIsWell(softphone).waitFor({ state: 'attached' });
});

it('tells of a link whose passwords are not taken', async () => {
  const page = await browser.open('about:blank');
  browser.expectTrouble(/401/);
  await page.goto(`${gateway.url}/demo#admin=nonsense&agent=nonsense`);
  await page.getByText(/The link does not fit/).waitFor();
  expect(page.url()).toBe(`${gateway.url}/demo`);
});

it.each(['hubspot', 'salesforce'] as const)(
  'shows a %s that is played: a pull, a link, a call from a record',
  async (provider) => {
    const crm = await DemoCrm.open(provider);
    onTestFinished(() => crm.close());
    const connected = await startGateway('memory', { config: { crmBaseUrls: new Map([[provider, crm.url]]) } });
    onTestFinished(() => connected.close());
    const employer = await connected.company({ slug: 'demo', agents: 1, wrapUpSeconds: 600 });
    const [agent] = employer.agents;
    await crm.connect(new GatewayApi(connected.url), employer.adminToken, agent!.agentCode);
    const phone = new SoftphonePage(await browser.open(`${connected.url}/`));
    await phone.enter(agent!, employer);
    await phone.goReady();

    const page = await browser.open(`${crm.url}/`, { size: 'panel' });
    const people = page.getByRole('list', { name: 'People' });
    await people.getByRole('listitem').first().waitFor();
    await shot(page, `played ${provider}`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Call as Grace Hopper' }).click();
    await phone.customer('Grace Hopper').waitFor();
    await phone.button('Answer').click();
    await page.getByRole('status').getByText('The agent has answered.').waitFor();
    const [record] = await Promise.all([
      phone.page.context().waitForEvent('page'),
      phone.card.getByRole('link', { name: `Open in ${crm.name}` }).click(),
    ]);
    await record
      .getByRole('listitem')
      .filter({ hasText: 'This is the record that you opened.' })
      .getByText('Grace Hopper', { exact: true })
      .waitFor();
    await shot(record, `record ${provider}`);
    await record.close();
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');

    await page.getByRole('button', { name: 'Dial Ada Byron' }).click();
    await phone.customer('Ada Byron').waitFor();
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
  },
);
