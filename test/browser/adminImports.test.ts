import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openConsole } from '../support/browser/adminConsole.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await gateway.company({ slug: `importing-${companies++}`, agents: 1 });
});

const browser = useBrowser({ profile: { size: 'desk' } });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const contacts = async (): Promise<{ name: string; phones: { phone_number: string; label: string | null }[] }[]> =>
  (await gateway.as(company).get('/api/crm/contacts?limit=50').expect(200)).body.contacts;
/** How many rows had an outcome, as the report says it. */
const count = (page: Page, list: string, outcome: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: outcome }).locator('p').first();

async function open(): Promise<Page> {
  const page = await openConsole(browser, gateway, company.slug, '/imports');
  await page.getByText('No imports yet').waitFor();
  return page;
}

/** Chooses a file, as the system's dialog does. */
async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

async function saved(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return readFile(await download.path(), 'utf8');
}

it('takes an admin from a file to contacts and back: mapping, preview, check, run, refused rows, undo', async () => {
  const page = await open();
  await shot(page, 'empty');
  expect(await seriousFindings(page)).toEqual([]);
  await choose(
    page,
    'leads.csv',
    Buffer.from(
      'Name;Mobil;Wer\nJürgen Müller;030 120001;Navy\nAda;12;\nJürgen Müller;+4930120001;\nBob;+4930120002;\n' +
        'Bärbel;+4930120002;\n',
      'latin1',
    ),
  );
  await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Delimiter' }).inputValue()).toBe('Semicolon');
  expect(await page.getByRole('combobox', { name: 'Encoding' }).inputValue()).toBe(
    'Windows-1252 – Jürgen Müller, Bärbel',
  );
  expect(await page.getByRole('combobox', { name: 'Field of Mobil' }).inputValue()).toBe('Phone number');
  const preview = page.getByRole('region', { name: 'Preview' }).last();
  await preview.getByRole('row', { name: /^2 Would be refused/ }).waitFor();
  await page.getByRole('combobox', { name: 'Country of numbers without country code' }).fill('Germany');
  await page.getByRole('option', { name: 'Germany (DE)' }).click();
  await preview
    .getByRole('row', { name: /^2 Would be created/ })
    .getByText('+4930120001')
    .waitFor();
  await page.getByRole('combobox', { name: 'Field of Wer' }).click();
  await page.getByRole('option', { name: 'Organisation' }).click();
  await preview.getByText('Navy').waitFor();
  await preview.getByRole('row', { name: /^4 Duplicate The same contact as in row 2/ }).waitFor();
  await shot(page, 'mapping');
  expect(await seriousFindings(page)).toEqual([]);

  await button(page, 'Check without writing').click();
  await page.getByText('Together 5 of 5 rows').waitFor();
  const check = 'What the rows would come to';
  expect(await count(page, check, 'Would be created').textContent()).toBe('3');
  expect(await contacts()).toEqual([]);

  await button(page, 'Import').click();
  const report = 'What became of the rows';
  await button(page, 'Undo').waitFor();
  for (const [outcome, rows] of [
    ['Created', '3'],
    ['Refused', '1'],
    ['Duplicates', '1'],
  ] as const)
    expect(await count(page, report, outcome).textContent()).toBe(rows);
  await page
    .getByRole('region', { name: 'Refused' })
    .getByRole('row', { name: /^3 Mobil:/ })
    .waitFor();
  expect((await contacts()).map(({ name }) => name)).toEqual(['Jürgen Müller', 'Bob', 'Bärbel']);
  await page.getByText('1 row came in with remarks.').waitFor();
  expect(await saved(page, 'Download the refused row')).toMatch(/^\ufeffrow,reason,Name,Mobil,Wer\r\n3,.*,Ada,12\r\n$/);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `report ${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        size,
      ).toBeLessThanOrEqual(0);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }

  const [first] = (await gateway.as(company).get('/api/crm/contacts').expect(200)).body.contacts as { id: string }[];
  await gateway.as(company).patch(`/api/crm/contacts/${first!.id}`).send({ tier: 'gold' }).expect(200);
  await button(page, 'Undo').click();
  await page.getByRole('dialog').getByText('are left as they are and listed').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page
    .getByRole('region', { name: 'Left as they are' })
    .getByRole('row', { name: /^2 The contact was changed since/ })
    .waitFor();
  expect(await count(page, 'What was taken back', 'Taken back').textContent()).toBe('2');
  expect((await contacts()).map(({ name }) => name)).toEqual(['Jürgen Müller']);
  await button(page, 'All imports').click();
  await page.getByRole('row', { name: /^leads\.csv .* Undone 5 3 0 1$/ }).waitFor();
  expect(await saved(page, 'All contacts')).toContain('Jürgen Müller');
});

it('says what a file is refused for, and reads one in another way when asked', { tags: 'full' }, async () => {
  const page = await open();
  browser.expectTrouble(/status of 400/);
  await choose(page, 'broken.csv', 'name\n"Grace');
  await page.getByText('The quote in row 2 is never closed.').waitFor();
  await choose(page, 'odd.csv', 'Name|Phone;Fax\nGrace|+12025550101;1\n');
  await page.getByRole('heading', { name: 'odd.csv' }).waitFor();
  const other =
    (await page.getByRole('combobox', { name: 'Delimiter' }).inputValue()) === 'Semicolon' ? 'Pipe |' : 'Semicolon';
  const before = page.url();
  await page.getByRole('combobox', { name: 'Delimiter' }).click();
  await page.getByRole('option', { name: other }).click();
  await eventually(async () => expect(page.url()).not.toBe(before));
  await eventually(async () =>
    expect(await page.getByRole('combobox', { name: 'Delimiter' }).inputValue()).toBe(other),
  );
  expect((await gateway.as(company).get('/api/crm/imports').expect(200)).body.imports).toHaveLength(1);
});

it('makes contacts of what a CRM pushed with one click, and says where nothing was', { tags: 'full' }, async () => {
  const page = await open();
  const pushed = browser.expectTrouble(/status of 409/);
  await button(page, 'Make contacts of it').click();
  await page.getByText('No CRM has pushed anything yet.').waitFor();
  await pushed.met();
  await gateway
    .as(company)
    .post('/api/integrations/inbound')
    .send({ phone_number: '+12025550101', data: { name: 'Grace' } })
    .expect(200);
  await button(page, 'Make contacts of it').click();
  await page.getByText('Together 1 of 1 rows').waitFor();
  await button(page, 'Undo').waitFor();
  expect(await contacts()).toMatchObject([{ name: 'Grace' }]);
  await button(page, 'All imports').click();
  await page.getByRole('row', { name: /^Pushed by the CRM/ }).waitFor();
  expect(await saved(page, 'All calls')).toMatch(/^\ufeffid,created_at/);
  expect(await saved(page, 'All deals')).toMatch(/^\ufeffid,name,pipeline/);
});

/** So many people that an import of them takes some seconds. */
const crowd = (people: number) =>
  `name,phone\n${Array.from({ length: people }, (_, n) => `Person ${n},+4930${String(1_000_000 + n)}`).join('\n')}\n`;

it('takes a file that is dropped', { tags: 'full' }, async () => {
  const page = await open();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['name,phone\nGrace,+12025550101\n'], 'dropped.csv', { type: 'text/csv' }));
    return transfer;
  });
  const zone = page.getByText('Drop a CSV file here, or choose one.');
  await zone.dispatchEvent('dragover', { dataTransfer: dropped });
  await shot(page, 'dragged over');
  await zone.dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('heading', { name: 'dropped.csv' }).waitFor();
  await page
    .getByRole('region', { name: 'Preview' })
    .last()
    .getByRole('row', { name: /^2 Would be created Grace/ })
    .waitFor();
});

it(
  'shows a run again after the page was loaded anew, ends it when asked, and goes on to its end',
  { tags: 'full' },
  async () => {
    const people = 8_000;
    const page = await open();
    await choose(page, 'crowd.csv', crowd(people));
    await page.getByRole('heading', { name: 'crowd.csv' }).waitFor();
    await button(page, 'Import').click();
    await page.getByRole('progressbar', { name: 'Progress of the import' }).waitFor();
    await page.reload();
    const progress = page.getByRole('progressbar', { name: 'Progress of the import' });
    await progress.waitFor();
    await eventually(async () => expect(Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0));
    await shot(page, 'running');
    await button(page, 'Cancel').click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    await shot(page, 'canceled');
    const report = 'What became of the rows';
    const before = Number((await count(page, report, 'Created').textContent())?.replace(',', ''));
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(people);
    await page.getByText(`Together ${before.toLocaleString('en')} of 8,000 rows`).waitFor();
    await button(page, 'Go on').click();
    await page.getByText('Together 8,000 of 8,000 rows').waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    expect(await count(page, report, 'Created').textContent()).toBe('8,000');
  },
);

it(
  'says of a check that was ended that it was a check, and nothing of contacts that were created',
  { tags: 'full' },
  async () => {
    const page = await open();
    await choose(page, 'crowd.csv', crowd(20_000));
    await page.getByRole('heading', { name: 'crowd.csv' }).waitFor();
    await button(page, 'Check without writing').click();
    const progress = page.getByRole('progressbar', { name: 'Progress of the import' });
    await eventually(async () => expect(Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0));
    await button(page, 'Cancel').click();
    await page.getByText('Not run yet', { exact: true }).waitFor();
    expect(
      Number((await count(page, 'What the rows would come to', 'Would be created').textContent())?.replace(',', '')),
    ).toBeGreaterThan(0);
    expect(await page.getByText('What became of the rows').count()).toBe(0);
    expect(await contacts()).toEqual([]);
    await button(page, 'All imports').click();
    await page.getByRole('row', { name: /^crowd\.csv .* Not run yet 20,000 – – –$/ }).waitFor();
  },
);
