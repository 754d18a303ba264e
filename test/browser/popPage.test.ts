import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { languages } from '../../src/contract/vocabulary.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, signIn, useBrowser } from '../support/browser/browser.ts';
import { catalogText } from '../support/browser/catalogText.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

const desktop = 'https://desktop.example.com';
const grace = '+15551230001';
let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'acme', agents: 1 });
  await push(grace, { name: 'Grace Hopper', email: 'grace@mail.example' }, 'gold');
  await gateway
    .as(company)
    .post('/api/crm/contacts')
    .send({ name: 'Grace Hopper', phones: [{ phone: '+15551230009' }] });
});
afterAll(() => gateway.close());

const browser = useBrowser();
const push = (phone_number: string, data: object, tier?: string) =>
  gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number, data, tier })
    .expect(200);
const cardOf = (page: Page) => page.getByTestId('pop-card');

async function linkTo(phone: string): Promise<string> {
  const { body } = await gateway.api
    .post('/api/integrations/cti/pop-links')
    .set('X-Service-Api-Key', company.key)
    .send({ phone })
    .expect(201);
  return new URL(body.url, gateway.url).href;
}

it('shows the customer to an agent who signs in, in both themes and sizes', async () => {
  const page = await browser.open(`${gateway.url}/pop?phone=${encodeURIComponent(grace)}`);
  await signIn(page, company.agents[0]!);
  await cardOf(page).getByText('grace@mail.example').waitFor();
  await cardOf(page).getByText('gold').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await isWhole(page, `pop ${theme}`);
    expect(await seriousFindings(page)).toEqual([]);
  }
});

it('does not take over the agent’s softphone', { tags: 'full' }, async () => {
  const softphone = await gateway.readySoftphone(company.agents[0]!);
  const page = await browser.open(`${gateway.url}/pop?phone=${encodeURIComponent(grace)}`);
  await signIn(page, company.agents[0]!);
  await cardOf(page).getByText('grace@mail.example').waitFor();
  const { body } = await gateway.as(company).get(`/api/agents/${company.agents[0]!.id}/state`).expect(200);
  expect(body.state).toBe('ready');
  softphone.close();
});

it(
  'shows it by a link to whoever opens it first, and then what is pushed, without a reload',
  { tags: 'full' },
  async () => {
    const link = await linkTo('+15551230002');
    const page = await browser.open(link);
    await cardOf(page).getByText(catalogText('en', 'softphone.customer.unknown')).waitFor();
    expect(page.url()).not.toContain('#');
    await push('+15551230002', { name: 'Ada Byron' });
    await cardOf(page).getByRole('heading', { name: 'Ada Byron' }).waitFor();
    browser.expectTrouble(/401/);
    const second = await browser.open(link);
    await second.getByRole('alert').getByText(catalogText('en', 'pop.linkOver')).waitFor();
  },
);

it.each(languages)('speaks %s', async (language) => {
  const link = new URL(await linkTo(grace));
  link.searchParams.set('lng', language);
  const page = await browser.open(link.href);
  await page
    .getByRole('region', { name: catalogText(language, 'softphone.customer.label') })
    .getByText('grace@mail.example')
    .waitFor();
  await isWhole(page, `pop ${language}`);
});

it('is shown in the frame of a page that the company names, and in no other', async () => {
  const page = await browser.open('about:blank');
  // Both by https, as desktops require it.
  const host = 'https://gateway.example.com';
  let link = '';
  // The page asks again every two seconds: what it asks as its frame goes is answered to nobody.
  await page.route(`${host}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(host, gateway.url) }).catch(() => null);
    if (response !== null) await route.fulfill({ response }).catch(() => undefined);
  });
  await page.route(`${desktop}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Desktop</title><iframe title="pop" src="${link}"></iframe>`,
    }),
  );
  const hold = async () => {
    link = (await linkTo(grace)).replace(gateway.url, host);
    await page.goto(`${desktop}/`);
  };
  await gateway
    .as(company)
    .put('/api/integrations')
    .send({ pop_frame_ancestors: [desktop] })
    .expect(200);
  await hold();
  await page.frameLocator('iframe').getByText('grace@mail.example').waitFor();
  await gateway
    .as(company)
    .put('/api/integrations')
    .send({ pop_frame_ancestors: ['https://other.example.com'] })
    .expect(200);
  const refused = browser.expectTrouble(/frame-ancestors/);
  await hold();
  await refused.met();
});
