import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openConsole, tabTo } from '../support/browser/adminConsole.ts';
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
  company = await gateway.company({ slug: `doubled-${companies++}`, agents: 1 });
});

const browser = useBrowser({ profile: { size: 'desk' } });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const create = async (body: object) =>
  (await gateway.as(company).post('/api/crm/contacts').send(body).expect(201)).body;
const read = async (id: string) => (await gateway.as(company).get(`/api/crm/contacts/${id}`).expect(200)).body;
const compared = () =>
  eventually(async () => (await gateway.as(company).get('/api/crm/duplicates').expect(200)).body.comparing === false);

/** Two of one address, of which the second says more, and two of one name. */
async function doubled() {
  await gateway.as(company).post('/api/crm/fields').send({ key: 'plan', label: 'Plan', kind: 'text' }).expect(201);
  const emails = [{ email: 'grace@example.com' }];
  const grace = await create({
    name: 'Grace',
    tier: 'gold',
    emails,
    phones: [{ phone_number: '+493012000001' }],
    fields: { plan: 'basic' },
  });
  const hopper = await create({
    name: 'Grace Hopper',
    tier: 'silver',
    language: 'en',
    notes: 'Mornings',
    tags: ['navy'],
    emails,
    phones: [{ phone_number: '+493012000002' }],
    fields: { plan: 'pro' },
  });
  const [ada, other] = [await create({ name: 'Ada Lovelace' }), await create({ name: 'Ada Lovelace' })];
  await compared();
  return { grace, hopper, ada, other };
}

it('teaches an admin what will stand here, while nothing does', async () => {
  const page = await openConsole(browser, gateway, company.slug, '/duplicates');
  await page.getByText('No duplicates').waitFor();
  await page.getByText('it is compared with the others').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('lets an admin merge two contacts field by field, and say of two others that they are two people', async () => {
  const { grace, hopper, ada, other } = await doubled();
  const page = await openConsole(browser, gateway, company.slug, '/duplicates');
  const first = page.getByRole('region', { name: /Grace and Grace Hopper/ });
  await first.getByText('Same e-mail').waitFor();
  // Of the one that says more.
  expect(await first.getByRole('radio', { name: 'Grace Hopper' }).isChecked()).toBe(true);
  expect(await first.getByRole('radio', { name: 'silver' }).isChecked()).toBe(true);
  expect(await first.getByRole('radiogroup', { name: 'Language' }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `${theme}-${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
  // By the keyboard alone: the group's chosen one, then the other with an arrow.
  await tabTo(page, first.getByRole('radio', { name: 'silver' }));
  await page.keyboard.press('ArrowLeft');
  await first.getByRole('radio', { name: 'gold' }).and(page.locator(':checked')).waitFor();
  await first.getByRole('radio', { name: 'basic' }).check();
  await tabTo(page, first.getByRole('button', { name: 'Merge', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByText('Grace Hopper is one contact now.').waitFor();
  expect(await read(grace.id)).toMatchObject({
    id: hopper.id,
    name: 'Grace Hopper',
    tier: 'gold',
    language: 'en',
    notes: 'Mornings',
    tags: ['navy'],
    fields: { plan: 'basic' },
    phones: [{ phone_number: '+493012000002' }, { phone_number: '+493012000001' }],
    emails: [{ email: 'grace@example.com' }],
  });

  // The next one is open, and has the focus.
  const second = page.getByRole('region', { name: /Ada Lovelace and Ada Lovelace/ });
  await second.getByRole('button', { expanded: true }).and(page.locator(':focus')).waitFor();
  await button(page, 'Not the same').click();
  await page.getByText('They stay two contacts.').waitFor();
  await page.getByText('No duplicates').waitFor();
  expect([(await read(ada.id)).id, (await read(other.id)).id]).toEqual([ada.id, other.id]);
});

it('shows an admin the new values where one of both was changed meanwhile, and merges those', async () => {
  const { grace, hopper } = await doubled();
  const page = await openConsole(browser, gateway, company.slug, '/duplicates');
  const first = page.getByRole('region', { name: /Grace and Grace Hopper/ });
  await first.getByRole('radio', { name: 'silver' }).waitFor();
  await gateway.as(company).patch(`/api/crm/contacts/${hopper.id}`).send({ tier: 'platinum' }).expect(200);
  browser.expectTrouble(/status of 409/);
  await first.getByRole('button', { name: 'Merge', exact: true }).click();
  await first.getByText('One of them was changed meanwhile.').waitFor();
  await first.getByRole('radio', { name: 'platinum' }).and(page.locator(':checked')).waitFor();
  expect((await read(grace.id)).id).toBe(grace.id);
  await first.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByText('Grace Hopper is one contact now.').waitFor();
  expect(await read(grace.id)).toMatchObject({ id: hopper.id, tier: 'platinum' });
});

it('shows an admin all of them, some more at a time, each once', async () => {
  // Four of each name and address: six pairs each.
  const names = [
    'Ada Lovelace',
    'Grace Hopper',
    'Alan Turing',
    'Edsger Dijkstra',
    'Barbara Liskov',
    'Donald Knuth',
    'Tony Hoare',
    'Frances Allen',
    'Niklaus Wirth',
  ];
  for (const [n, name] of names.flatMap((one, place) => Array.from({ length: 4 }, () => [place, one] as const))) {
    await create({ name, emails: [{ email: `person-${n}@example.com` }] });
  }
  await compared();
  const pairs = 6 * names.length;
  const page = await openConsole(browser, gateway, company.slug, '/duplicates');
  const shown = page.getByRole('region', { name: / and / });
  for (let count = 25; count < pairs; count += 25) {
    await shown.nth(count - 1).waitFor();
    expect(await shown.count()).toBe(count);
    await button(page, 'Show more').click();
  }
  await shown.nth(pairs - 1).waitFor();
  await button(page, 'Show more').waitFor({ state: 'detached' });
  expect(await shown.count()).toBe(pairs);
  // What was read stays while the rest is read again.
  await button(page, 'Not the same').click();
  await page.getByText('They stay two contacts.').waitFor();
  await shown.nth(pairs - 1).waitFor({ state: 'detached' });
  expect(await shown.count()).toBe(pairs - 1);
});
