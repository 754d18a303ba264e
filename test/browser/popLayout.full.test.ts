import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { drag } from '../support/browser/drag.ts';
import { push, SoftphonePage } from '../support/browser/softphonePage.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';

const grace = '+15551230001';
let gateway: Gateway;
let company: TestCompany;
let anna: TestAgent;
let ada: TestAgent;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'acme', agents: 2, wrapUpSeconds: 3_600 });
  [anna, ada] = company.agents as [TestAgent, TestAgent];
  const data = {
    name: 'Grace Hopper',
    plan: 'pro',
    revenue: 12500.5,
    currency: 'EUR',
    renewal: '2026-12-18',
    homepage: 'https://grace.example/',
    internal_score: 554023000000,
    account: { manager: 'Bob' },
  };
  await push(gateway, company, { phone_number: grace, data, tier: 'gold' });
  const softphone = await gateway.readySoftphone(anna);
  const { id } = await softphone.startCall(grace);
  await softphone.reportProgress(id, 'connected');
  await softphone.reportProgress(id, 'ended');
  await softphone.submitDisposition(id, { code: 'follow_up', notes: 'Wants an offer by Monday' });
  await inState(softphone, 'ready');
  softphone.close();
});
afterAll(() => gateway.close());
const browser = useBrowser({ profile: { size: 'desk' } });

/** Names of the fields on the customer's card, in their order. */
const fieldsOn = (page: Page) => page.getByTestId('customer-card').locator('dt').allInnerTexts();

it('lets an admin arrange the fields before a real customer, and shows it to the agent in the call that lasts and the next', async () => {
  const phone = new SoftphonePage(await (await browser.profile({ size: 'panel' })).open(`${gateway.url}/`));
  await phone.enter(ada, company);
  await phone.goReady();
  await gateway.click(company, { phone_number: grace, agent_id: ada.id }).expect(201);
  await phone.inCall('Connected');
  await phone.card.getByText('Last spoke with').waitFor();
  await phone.card.getByRole('region', { name: 'Last calls' }).getByText('Wants an offer by Monday').waitFor();
  expect(await fieldsOn(phone.page)).toEqual([
    'Plan',
    'Revenue',
    'Currency',
    'Renewal',
    'Homepage',
    'Internal score',
    'Account › Manager',
  ]);
  await shot(phone.page, 'before');

  const page = await openConsole(browser, gateway, company.slug, '/pop-layout');
  await page.getByTestId('customer-card').getByText('12500.5').waitFor();
  for (const field of ['Renewal', 'Plan', 'Revenue', 'Internal score'])
    await page.getByRole('button', { name: `Add ${field}`, exact: true }).click();
  await page.getByRole('button', { name: 'Hide Internal score' }).click();
  await page.getByRole('button', { name: /^Pin Plan/ }).click();
  await page.getByRole('textbox', { name: 'Label of Revenue' }).fill('Contract value');
  await page.getByRole('combobox', { name: 'Format of Contract value' }).selectOption('Money');
  await page.getByRole('combobox', { name: 'Currency of Contract value' }).click();
  await page.getByRole('option', { name: 'currency', exact: true }).click();
  const row = (key: string) => page.locator(`[data-key="${key}"]`);
  await drag(page, row('revenue').locator('[data-part=handle]'), row('renewal'), () => shot(page, 'dragging'));
  await page.getByText('Contract value is at position 1 of 4.').waitFor({ state: 'attached' });
  const arranged = ['Plan', 'Contract value', 'Renewal', 'Currency', 'Homepage', 'Account › Manager'];
  expect(await fieldsOn(page)).toEqual(arranged);
  await page.getByTestId('customer-card').getByText('€12,500.50').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await isWhole(page, `layout ${theme}`);
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Open softphones show it now.').waitFor();

  // In the pop that is open, and in the next one.
  await phone.card.getByText('€12,500.50').waitFor();
  expect(await fieldsOn(phone.page)).toEqual(arranged);
  expect(await phone.card.getByRole('link', { name: 'https://grace.example/' }).getAttribute('rel')).toBe(
    'noopener noreferrer',
  );
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(phone.page, theme);
    await shot(phone.page, 'arranged');
    await phone.fits();
    expect(await seriousFindings(phone.page)).toEqual([]);
  }
  await phone.button('Hang up').click();
  await phone.wrapUpAs('Resolved');
  await phone.card.waitFor({ state: 'detached' });
  await gateway.click(company, { phone_number: grace, agent_id: ada.id }).expect(201);
  await phone.card.getByText('€12,500.50').waitFor();
  expect(await fieldsOn(phone.page)).toEqual(arranged);
  await phone.card.getByText('Last spoke with you').waitFor();
  await shot(phone.page, 'next call');
});
