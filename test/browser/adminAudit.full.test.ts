import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConsole } from '../support/browser/adminConsole.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'audited' });
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'desk' } });
const create = async (body: object) =>
  (await gateway.as(company).post('/api/crm/contacts').send(body).expect(201)).body;

it('lets an admin erase a person, says what goes and what went, and lists it with what was merged', async () => {
  const [ada, other] = [await create({ name: 'Ada Lovelace' }), await create({ name: 'Ada King' })];
  await gateway
    .as(company)
    .post(`/api/crm/contacts/${ada.id}/merge`)
    .send({ contact_id: other.id, version: 1, other_version: 1 })
    .expect(200);
  const grace = await create({ name: 'Grace Hopper', phones: [{ phone_number: '+493012000001' }] });
  await gateway
    .as(company)
    .post('/api/crm/tasks')
    .send({ title: 'Offer', contact_id: grace.id, due_at: '2099-01-01T10:00:00Z' })
    .expect(201);
  const page = await openConsole(browser, gateway, company.slug, '/audit');
  await page.getByText('Contacts merged').waitFor();
  const search = page.getByRole('searchbox', { name: 'Name, number or e-mail' });
  await search.fill('nobody at all');
  await page.getByText('Nobody was found.').waitFor();
  await search.fill('hopp');
  await page.getByRole('button', { name: /Erase Grace Hopper/ }).click();
  const sure = page.getByRole('dialog', { name: 'Erase Grace Hopper?' });
  await sure.getByText('No import brings the person back.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await shot(page, 'sure');
  // Somebody changes the contact before it is pressed.
  await gateway.as(company).patch(`/api/crm/contacts/${grace.id}`).send({ notes: 'Wants to be forgotten' }).expect(200);
  browser.expectTrouble(/409/);
  await sure.getByRole('button', { name: 'Erase for good' }).click();
  await sure.getByRole('alert').waitFor();
  await gateway.as(company).get(`/api/crm/contacts/${grace.id}`).expect(200);
  await sure.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('The person is erased.').waitFor();
  await sure.waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('1 task').waitFor();
  await page
    .getByRole('region', { name: 'What was merged, erased and listened to' })
    .getByText('Person erased')
    .waitFor();
  await gateway.as(company).get(`/api/crm/contacts/${grace.id}`).expect(404);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await shot(page, `done-${theme}-${size}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }
});
