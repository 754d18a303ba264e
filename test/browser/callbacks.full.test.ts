import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { requestsOf } from '../support/browser/requests.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';

const minute = 60_000;
const clock = createLeapingClock();
let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
  company = await gateway.company({ slug: 'callbacks', wrapUpSeconds: 3_600, agents: 2 });
  await gateway.as(company).put('/api/integrations').send({ mode: 'builtin' }).expect(200);
  const contact = { name: 'Grace Hopper', phones: [{ phone_number: '+15551230001' }], time_zone: 'Asia/Tokyo' };
  await gateway.as(company).post('/api/crm/contacts').send(contact).expect(201);
});
afterAll(() => gateway.close());
const browser = useBrowser({ profile: { size: 'desk' } });

it('lets an agent set a callback in wrap-up, see it among the callbacks, and dial when it pops at its time', async () => {
  const [agent, other] = company.agents;
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/#/callbacks`));
  await phone.enter(agent!, company);
  const { page } = phone;
  const requests = requestsOf(page);
  const crm = page.getByRole('region', { name: 'CRM' });
  await crm.getByText('No callbacks').waitFor();
  await shot(page, 'none');
  await phone.number.fill('+15551230001');
  await phone.number.press('Enter');
  await phone.inCall('Connected');
  await phone.button('Hang up').click();
  await phone.wrapUp.getByRole('radio', { name: 'Call back' }).check();
  await phone.wrapUp.getByLabel('Notes').fill('Wants an offer');
  await phone.wrapUp.getByRole('button', { name: 'Save' }).click();
  // "Call back" asks when.
  await phone.wrapUp.getByText('Choose when to call back.').waitFor();
  const due = await page.evaluate(
    (at) => {
      const date = new Date(at);
      return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    },
    clock.now() + 3 * minute,
  );
  await phone.wrapUp.locator('input[type=datetime-local]').fill(due);
  await phone.wrapUp.getByRole('button', { name: 'Save' }).click();
  await phone.wrapUp.waitFor({ state: 'detached' });
  // Beside the call stood the contact.
  await crm.getByRole('link', { name: 'My callbacks' }).click();
  await crm.getByText('Call back Grace Hopper').waitFor();
  await crm.getByText('(Asia/Tokyo)', { exact: false }).waitFor();
  expect(await page.getByTestId('due-tasks').count()).toBe(0);
  await phone.goReady();
  await requests.answered();
  await clock.advance(3 * minute);
  const pop = page.getByTestId('due-tasks');
  await pop.getByText('Wants an offer').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'due');
  }
  await setSize(page, 'panel');
  await shot(page, 'due, narrow');
  await phone.fits();
  await setSize(page, 'desk');
  await pop.getByRole('button', { name: 'Call: Call back Grace Hopper' }).click();
  await phone.inCall('Connected');
  const { body } = await gateway.as(company).get('/api/calls?limit=1').expect(200);
  expect(body.calls[0]).toMatchObject({ trigger: 'click_to_dial', phone: '+15551230001' });
  await pop.getByRole('button', { name: 'Done: Call back Grace Hopper' }).click();
  await pop.waitFor({ state: 'detached' });
  await crm.getByRole('link', { name: 'My callbacks' }).click();
  await crm.getByText('No callbacks').waitFor();
  await phone.button('Hang up').click();
  await phone.wrapUpAs('Resolved');

  // What is overdue stands on the wallboard, and is handed over there.
  const overdue = { title: 'Send the offer', due_at: new Date(clock.now() - minute).toISOString() };
  await gateway.as(agent!).post('/api/crm/tasks').send(overdue).expect(201);
  const boss = await gateway.agent(company, 'boss', 'supervisor');
  const live = await (await browser.profile()).open(`${gateway.url}/admin/live`);
  await signIn(live, boss, company.slug);
  await live.getByRole('button', { name: 'Overdue callbacks: 1' }).click();
  await live.getByRole('dialog', { name: 'Overdue callbacks' }).getByText('Send the offer').waitFor();
  await live.getByRole('button', { name: 'Hand over Send the offer' }).click();
  await shot(live, 'overdue');
  await chooseColleague(live, 'Hand over: Send the offer', ['a101', 'Agent a101 (a101)']);
  await live.getByText('Agent a101, due', { exact: false }).waitFor();
  expect((await gateway.as(other!).get('/api/crm/tasks?assignee=me').expect(200)).body.tasks).toMatchObject([
    { title: 'Send the offer' },
  ]);
  await page.getByTestId('due-tasks').waitFor({ state: 'detached' });
});

it('lets an agent hand a callback over to a colleague found by name, from the list of callbacks and from the pop', async () => {
  const [agent, colleague] = [
    await gateway.agent(company, 'grace', 'agent'),
    await gateway.agent(company, 'ada', 'agent'),
  ];
  await gateway.as(company).patch(`/api/agents/${colleague.id}`).send({ name: 'Ada Lovelacé' }).expect(200);
  for (const title of ['Send the contract', 'Ask for the address']) {
    await gateway
      .as(agent)
      .post('/api/crm/tasks')
      .send({ title, due_at: new Date(clock.now() + minute).toISOString() })
      .expect(201);
  }
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/#/callbacks`));
  await phone.enter(agent, company);
  const { page } = phone;
  const requests = requestsOf(page);
  const crm = page.getByRole('region', { name: 'CRM' });
  const handOver = async (title: string) => {
    await page
      .getByRole('button', { name: `Later: ${title}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Hand over …' }).click();
  };
  await handOver('Send the contract');
  const dialog = page.getByRole('dialog', { name: 'Hand over: Send the contract' });
  await dialog.getByRole('combobox', { name: 'Colleague' }).fill('lovelace');
  await page.getByRole('option', { name: 'Ada Lovelacé (ada)' }).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'hand over');
  }
  await chooseColleague(page, 'Hand over: Send the contract', ['lovelace', 'Ada Lovelacé (ada)']);
  await crm.getByText('Send the contract').waitFor({ state: 'detached' });
  await crm.getByText('Ask for the address').waitFor();
  await requests.answered();
  await clock.advance(2 * minute);
  await page.getByTestId('due-tasks').getByText('Ask for the address', { exact: true }).waitFor();
  await handOver('Ask for the address');
  await chooseColleague(page, 'Hand over: Ask for the address', ['ADA', 'Ada Lovelacé (ada)']);
  await page.getByTestId('due-tasks').waitFor({ state: 'detached' });
  const { body } = await gateway.as(colleague).get('/api/crm/tasks?assignee=me').expect(200);
  expect(body.tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual([
    'Ask for the address',
    'Send the contract',
  ]);
});

/** In the dialog that asks to whom something is handed over. */
async function chooseColleague(
  page: Page,
  dialogName: string,
  [typed, option]: readonly [typed: string, option: string],
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: dialogName });
  const field = dialog.getByRole('combobox', { name: 'Colleague' });
  await field.fill(typed);
  await page.getByRole('option', { name: option }).click();
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
