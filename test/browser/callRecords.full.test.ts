import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let boss: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'records', agents: 2 });
  [ada] = company.agents as [TestAgent];
  boss = await gateway.agent(company, 'boss', 'supervisor');
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: '+15551230001', data: { name: 'Grace Hopper', plan: 'Pro' } })
    .expect(200);
  await gateway
    .as(company)
    .patch('/api/company')
    .send({ tags: [{ code: 'price', label: 'Price question' }] })
    .expect(200);
  const softphone = await gateway.readySoftphone(ada);
  for (const [phone, reason] of [
    ['+15551230001', null],
    ['+15551230002', 'busy'],
  ] as const) {
    const call = await softphone.startCall(phone);
    if (reason === null) await softphone.reportProgress(call.id, 'connected');
    if (reason === null) await softphone.reportProgress(call.id, 'held');
    if (reason === null) await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended', reason === null ? {} : { end_reason: reason });
    if (reason === null) await softphone.submitDisposition(call.id, { code: 'resolved', notes: 'Sent the offer' });
    if (reason === null) {
      await gateway.api
        .patch(`/api/calls/${call.id}`)
        .set('X-Service-Api-Key', company.key)
        .send({ recording_url: `${gateway.url}/icon.svg` })
        .expect(200);
    }
  }
  softphone.close();
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'desk' } });

it('lets a supervisor find a call, see its course, hear where its recording is, and correct how it was wrapped up', async () => {
  const page = await browser.open(`${gateway.url}/admin/calls`);
  await signIn(page, boss, company.slug);
  await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `list-${theme}-${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.getByRole('combobox', { name: 'Result' }).click();
  await page.getByRole('option', { name: 'Busy' }).click();
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('end_reason')).toBe('busy');
  await page.getByRole('button', { name: 'Show all' }).click();
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.pressSequentially('nobody');
  await page.getByText('No call fits').waitFor();
  await search.fill('123 0001');
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor();
  await search.fill('hop gra');
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Today' }).click();
  await page.getByRole('cell', { name: 'Grace Hopper' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('hop gra');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('calls.csv');
  await page.locator('tbody tr button').click();
  const call = page.getByRole('dialog', { name: 'Call' });
  await call.getByText('Answered').waitFor();
  await call.getByText('On hold', { exact: true }).waitFor();
  await call.getByText('Taken back').waitFor();
  await call.getByRole('heading', { name: 'The record that popped' }).waitFor();
  await call.getByText('Pro', { exact: true }).waitFor();
  await call.getByText('Nothing was sent of this call.').waitFor();
  await call.getByText('Sent the offer').waitFor();
  expect(await call.getByRole('link', { name: 'Open the recording' }).getAttribute('href')).toBe(
    `${gateway.url}/icon.svg`,
  );
  // The delivery log is the admins'.
  expect(await call.getByRole('link', { name: /delivery log/ }).count()).toBe(0);
  await call.getByRole('button', { name: 'Correct' }).click();
  await call.getByRole('combobox', { name: 'Disposition' }).click();
  await page.getByRole('option', { name: 'Not interested' }).click();
  await call.getByRole('textbox', { name: 'Notes' }).fill('No money');
  await call.getByRole('combobox', { name: 'Tags' }).click();
  await page.getByRole('option', { name: 'Price question' }).click();
  await page.keyboard.press('Escape');
  await call.getByRole('button', { name: 'Save the correction' }).click();
  await page.getByText('The correction is saved.').waitFor();
  await call.getByText('Resolved → Not interested').waitFor();
  await call.getByText('Tags: – → Price question').waitFor();
  await call.getByRole('list', { name: 'Tags' }).getByText('Price question').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `call-${theme}`);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'Not interested' }).waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('cell', { name: 'Busy' }).waitFor();
  await page.getByRole('combobox', { name: 'Tag' }).fill('Price question');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'Busy' }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Price question' }).waitFor();
  expect(new URL(page.url()).searchParams.get('tag')).toBe('price');
  await shot(page, 'by-tag');
});
