import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let boss: TestAgent;
let chief: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'figures', agents: 2, wrapUpSeconds: 600 });
  boss = await gateway.agent(company, 'boss', 'supervisor');
  chief = await gateway.agent(company, 'chief', 'admin');
  for (const [index, times] of [3, 1].entries()) {
    const softphone = await gateway.readySoftphone(company.agents[index]!);
    for (let n = 0; n < times; n += 1) {
      const call = await softphone.startCall(`+1555123000${n}`);
      if (n > 0) await softphone.reportProgress(call.id, 'connected');
      await softphone.reportProgress(call.id, 'ended', n > 0 ? {} : { end_reason: 'busy' });
      await softphone.submitDisposition(call.id, { code: n > 0 ? 'resolved' : 'no_answer' });
    }
  }
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'desk' } });

it('shows a supervisor the calls in figures, as a chart and as a table, by what they choose', async () => {
  const page = await browser.open(`${gateway.url}/admin/reports?range=week`);
  await signIn(page, boss, company.slug);
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  const table = page.getByRole('table', { name: 'Reports' });
  const cells = async () => (await table.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').slice(0, 2));
  await table.waitFor();
  expect((await table.locator('tfoot tr').innerText()).split('\t').slice(0, 7)).toEqual([
    'Total',
    '4',
    '4',
    '4',
    '0',
    '2',
    '0',
  ]);
  await page.getByText('Agent', { exact: true }).click();
  await table.getByRole('rowheader', { name: 'Agent a101' }).waitFor();
  expect(await cells()).toEqual([
    ['Agent a100', '3'],
    ['Agent a101', '1'],
  ]);
  expect(new URL(page.url()).searchParams.get('group_by')).toBe('agent');
  await page.locator('.recharts-bar-rectangle').first().waitFor({ state: 'attached' });
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, 'by agent');
      // The chart follows the size of the page a moment later.
      await eventually(async () =>
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
        ).toBe(true),
      );
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
  await table.getByRole('button', { name: 'Calls' }).click();
  await table.getByRole('button', { name: 'Calls' }).click();
  expect(await cells()).toEqual([
    ['Agent a101', '1'],
    ['Agent a100', '3'],
  ]);
  await page.getByText('Disposition', { exact: true }).click();
  await table.getByRole('rowheader', { name: 'No answer' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report.csv');
  // A reload, or a colleague with the address, sees the same.
  await page.reload();
  await table.getByRole('rowheader', { name: 'No answer' }).waitFor();
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await page.getByText('No calls in this time.').waitFor();
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'From … until …' }).click();
  browser.expectTrouble(/status of 400 .*api.reports/);
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await page.getByText('At most 400 days.').waitFor();
});

it('keeps filters as a view, which an admin has sent by webhook', async () => {
  const page = await browser.open(`${gateway.url}/admin/reports?range=last_week&group_by=hour`);
  await signIn(page, chief, company.slug);
  await page.getByRole('button', { name: 'Keep as a view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Last week by hour');
  await page.getByRole('switch', { name: 'Everybody who sees reports sees it' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The view is saved.').waitFor();
  const id = new URL(page.url()).searchParams.get('view');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  // Another time: the view is changed, and saved.
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  const schedule = page.getByRole('region', { name: 'Sent by webhook' });
  await schedule.getByRole('button', { name: 'Send by webhook…' }).click();
  await schedule.getByText('Every month').click();
  await schedule.getByLabel('On day').fill('31');
  await schedule.getByLabel('At').fill('06:30');
  const look = async (what: string) => {
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      for (const size of ['panel', 'desk'] as const) {
        await setSize(page, size);
        await shot(page, `${what}-${theme}-${size}`);
        await eventually(async () =>
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
          ).toBe(true),
        );
      }
      expect(await seriousFindings(page)).toEqual([]);
    }
  };
  await look('schedule form');
  await schedule.getByRole('button', { name: 'Save' }).click();
  await schedule.getByText(/Every month on day 31 at 06:30/).waitFor();
  browser.expectTrouble(/status of 409 .*runs/);
  await schedule.getByRole('button', { name: 'Send now' }).click();
  await schedule.getByText('The webhook does not get reports.', { exact: false }).waitFor();
  await look('scheduled');
  // The address of the view alone, as a colleague gets it, shows what it shows.
  await page.goto(`${gateway.url}/admin/reports?view=${id ?? ''}`);
  await page.getByRole('table', { name: 'Reports' }).getByRole('columnheader', { name: 'Hour' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'View' }).inputValue()).toBe('Last week by hour');
  expect(await page.getByRole('combobox', { name: 'Time' }).inputValue()).toBe('Last 7 days');
});
