import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { shot, useBrowser } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { putTelephony } from '../support/gateway/telephony.ts';
import { gate } from '../support/time/gate.ts';
import { numberInSentence, shownNumber } from '../support/web/shownNumber.ts';

const number = '+15551230001';
const formats = '**/assets/internationalFormat-*.js';
let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'acme', wrapUpSeconds: 600 });
  await putTelephony(gateway, company, { mode: 'desk_phone' }).expect(200);
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel' } });

/**
 * The softphone of a new agent with a call before, in a call with a desk phone.
 * @param prepare the page, before it loads anything
 */
async function inCall(agentCode: string, prepare: (page: Page) => Promise<unknown>): Promise<SoftphonePage> {
  const agent = await gateway.agent(company, agentCode);
  const before = gateway.softphone(agent);
  await before.connect();
  const { id } = await before.startCall('+442079460958');
  await before.reportProgress(id, 'ended');
  await before.signOut();
  const page = await browser.open('about:blank');
  // Chromium would ask which program shall dial, and take every click meanwhile.
  await page.addInitScript(() => {
    HTMLAnchorElement.prototype.click = () => undefined;
  });
  await prepare(page);
  await page.goto(`${gateway.url}/`);
  const phone = new SoftphonePage(page);
  await phone.enter(agent, company);
  await phone.number.fill(number);
  await phone.number.press('Enter');
  await phone.inCall('Dialing');
  return phone;
}

/** Where everything stands, and how high it is. Headings are as wide as the number in them. */
function places(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('section, button, li, dt, h2, svg')].map((element) => {
      const { x, y, height } = element.getBoundingClientRect();
      return [element.tagName, x, y, height].join(' ');
    }),
  );
}

it('stand on the softphone as they are dialed until their formats are here, and change without moving anything else', async () => {
  const late = gate();
  late.shut();
  const phone = await inCall('late', (page) => page.route(formats, (route) => late.pass(() => route.continue())));
  const { page, recent } = phone;
  await page.getByRole('heading', { name: number, exact: true }).first().waitFor();
  await recent.getByText('+442079460958', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Notes' }).waitFor();
  await page.getByText('Nothing is known about this number.').waitFor();
  for (const name of ['Ringing and sound', 'Ended', 'Change speed dials'])
    await page.getByRole('button', { name, exact: true }).waitFor();
  await shot(page, 'before');
  const before = await places(page);
  late.open();
  await page
    .getByRole('heading', { name: shownNumber(number), exact: true })
    .first()
    .waitFor();
  await recent.getByText(shownNumber('+442079460958'), { exact: true }).waitFor();
  await shot(page, 'after');
  expect(await places(page)).toEqual(before);
  expect(
    await page.getByRole('link', { name: `Dial ${numberInSentence(number)} on your phone` }).getAttribute('href'),
  ).toBe(`tel:${number}`);
});

it('stay as they are dialed where the formats cannot be loaded', async () => {
  browser.expectTrouble(/ERR_FAILED|Failed to (?:load|fetch)/);
  const { page, recent } = await inCall('without', (opened) => opened.route(formats, (route) => route.abort()));
  await page.getByRole('heading', { name: number, exact: true }).first().waitFor();
  await recent.getByText('+442079460958', { exact: true }).waitFor();
});

it('stand from left to right in a text from right to left, and it is noticed where they do not', async () => {
  const { page } = await inCall('mirrored', () => Promise.resolve());
  await page.goto(`${gateway.url}/?lng=pseudo`);
  await page
    .getByRole('heading', { name: shownNumber(number), exact: true })
    .first()
    .waitFor();
  await isWhole(page, 'right to left');
  // As if there were no <bdi>.
  await page.evaluate(() => {
    for (const number of document.querySelectorAll('bdi')) number.style.unicodeBidi = 'normal';
  });
  await expect(isWhole(page, 'backwards')).rejects.toThrow('+1 555 123 0001');
});

it('can be copied from where they stand, and dialed', async () => {
  const phone = await inCall('copies', () => Promise.resolve());
  const { page, recent } = phone;
  await phone.button('Ended').click();
  await page.getByRole('menuitem', { name: 'Busy' }).click();
  await phone.wrapUpAs('Resolved');
  const copied = await recent.getByText(shownNumber('+442079460958'), { exact: true }).evaluate((shown) => {
    getSelection()!.selectAllChildren(shown);
    return getSelection()!.toString();
  });
  // As another program hands it over.
  await phone.number.fill(`\u202a${copied}\u202c`);
  expect(await phone.number.inputValue()).toBe('+44 20 7946 0958');
  await phone.number.press('Enter');
  await phone.inCall('Dialing');
  const { body } = await gateway.as(company).get('/api/calls').expect(200);
  expect(body.calls[0]).toMatchObject({ phone: '+442079460958', state: 'dialing' });
});
