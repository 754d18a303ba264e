import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';

const minute = 60_000;
const clock = createLeapingClock();
let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
  company = await gateway.company({ slug: 'outbound', wrapUpSeconds: 3_600, agents: 1 });
  ada = company.agents[0]!;
  const admin = gateway.as(company);
  await admin.put('/api/integrations').send({ mode: 'builtin' }).expect(200);
  await admin
    .post('/api/crm/pipelines')
    .send({ name: 'Sales', stages: [{ name: 'New' }, { name: 'Won', outcome: 'won' }] })
    .expect(201);
  const { importFile } = importRoom(
    () => gateway,
    () => company,
  );
  const rows = Array.from(
    { length: 60 },
    (_, n) => `Customer ${n},+4930100000${String(n).padStart(2, '0')},${n % 3 === 0 ? ada.agentCode : ''}`,
  );
  await importFile(`Name,Phone,Owner\n${rows.join('\n')}\n`);
});
afterAll(() => gateway.close());
// As wide as a screen of today: what the other tests of these pages do not look at.
const browser = useBrowser({ profile: { context: { viewport: { width: 1920, height: 1080 } } } });

/** What `datetime-local` is filled with for a time so many minutes from now. */
const wallTime = (page: Page, minutes: number) =>
  page.evaluate(
    (at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16),
    clock.now() + minutes * minute,
  );

it('an agent’s day, on a wide screen: from the list to the call, the callback at its time, and the deal that is won', async () => {
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/#/contacts`));
  await phone.enter(ada, company);
  const { page } = phone;
  const crm = page.getByRole('region', { name: 'CRM' });
  const looked = async (name: string) => {
    await phone.fits();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, name);
  };
  await phone.goReady();
  await crm.getByRole('button', { name: 'Mine' }).click();
  await crm.getByText('Customer 10', { exact: true }).waitFor({ state: 'detached' });
  await looked('mine');
  await crm.getByRole('link', { name: 'Customer 3', exact: true }).click();
  // The list goes on standing there until the contact has come.
  await crm.getByRole('heading', { name: 'Customer 3', exact: true }).waitFor();
  await crm.getByRole('button', { name: 'Dial' }).click();
  await phone.inCall('Connected');
  await looked('contact');
  await phone.button('Hang up').click();
  await phone.wrapUp.getByRole('radio', { name: 'Call back' }).check();
  await phone.wrapUp.locator('input[type=datetime-local]').fill(await wallTime(page, 90));
  await phone.wrapUp.getByRole('button', { name: 'Save' }).click();
  await phone.wrapUp.waitFor({ state: 'detached' });

  // Another one is set beside the calls, on the contact's page.
  await crm.getByRole('link', { name: 'New callback or task' }).click();
  await crm.getByText('Task', { exact: true }).click();
  await crm.getByLabel('What is to be done').fill('Send the contract');
  await crm.getByLabel('When').fill(await wallTime(page, 24 * 60));
  await looked('new task');
  await crm.getByRole('button', { name: 'Set', exact: true }).click();
  await crm.getByRole('region', { name: 'To do' }).getByText('Send the contract').waitFor();
  await crm.getByRole('link', { name: 'New deal' }).click();
  await crm.getByLabel('What is sold').fill('Contract of a year');
  await crm.getByRole('button', { name: 'Create deal' }).click();
  await crm.getByRole('heading', { name: 'Contract of a year' }).waitFor();

  await clock.advance(90 * minute);
  const due = page.getByTestId('due-tasks');
  await due.getByRole('button', { name: 'Call: Call back Customer 3' }).click();
  await phone.inCall('Connected');
  await phone.button('Hang up').click();
  await phone.wrapUpAs('Resolved');
  // Who was called back is not due any more.
  await due.waitFor({ state: 'detached' });
  await crm.getByRole('link', { name: 'My callbacks' }).click();
  await crm.getByText('Send the contract').waitFor();
  await looked('callbacks');

  await crm.getByRole('link', { name: 'Deals', exact: true }).click();
  await crm.getByRole('button', { name: 'Move Contract of a year' }).press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await crm.getByTestId('deal-announcement').getByText('Contract of a year is in Won now.').waitFor();
  await setTheme(page, 'dark');
  await looked('board');
  const { body } = await gateway.as(company).get('/api/calls').expect(200);
  expect(
    body.calls.map(({ trigger, disposition }: { trigger: string; disposition: { code: string } }) => [
      trigger,
      disposition.code,
    ]),
  ).toEqual([
    ['click_to_dial', 'resolved'],
    ['manual_dial', 'callback'],
  ]);
});
