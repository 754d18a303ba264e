import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { push, ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents: [TestAgent, TestAgent];

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'ringing', agents: 2, wrapUpSeconds: 600 });
  agents = company.agents as typeof agents;
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel', context: { permissions: ['notifications', 'microphone'] } } });

async function atWork(agent: TestAgent): Promise<SoftphonePage> {
  const phone = new SoftphonePage(await browser.open('about:blank'));
  await phone.page.addInitScript(() => {
    const notices: { text: string; isOpen: boolean }[] = [];
    // Chromium without a desktop shows none; what would be shown is what counts.
    class Told {
      static readonly permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      onclick: (() => void) | null = null;
      readonly #notice: (typeof notices)[number];
      constructor(text: string) {
        this.#notice = { text, isOpen: true };
        notices.push(this.#notice);
      }
      close() {
        this.#notice.isOpen = false;
      }
    }
    Object.assign(window, { Notification: Told, notices });
  });
  await phone.page.goto(`${gateway.url}/`);
  await phone.enter(agent, company);
  return phone;
}

/** Those that are to be seen. */
const noticesOf = ({ page }: SoftphonePage) => page.evaluate(() => (window as unknown as { notices: { text: string; isOpen: boolean }[] }).notices.filter(({ isOpen }) => isOpen).map(({ text }) => text));
const iconOf = ({ page }: SoftphonePage) => page.locator('link[rel=icon]').getAttribute('href');

it('tells of a call outside the page, where the agent has asked for it, for as long as it rings', { timeout: 60_000 }, async () => {
  await push(gateway, company, { phone_number: '+15551230003', data: { name: 'Grace Hopper' } });
  const phone = await atWork(agents[0]);
  const { page } = phone;
  await phone.goReady();
  const tools = phone.button('Ringing');
  await tools.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Notify me of calls' }).click();
  await page.getByRole('button', { name: 'Bright' }).click();
  await page.getByLabel('Volume').fill('80');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await shot(page, 'settings');
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.keyboard.press('Escape');
  expect(await tools.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.reload();
  await phone.button('Ringing').click();
  expect(await page.getByRole('button', { name: 'Bright' }).getAttribute('aria-pressed')).toBe('true');
  expect(await page.getByLabel('Volume').inputValue()).toBe('80');
  await page.keyboard.press('Escape');

  // In front, the page itself is enough.
  const seen = ring(gateway, company, agents[0], { from: '+15551230003' });
  await phone.button('Decline').waitFor();
  expect(await iconOf(phone)).toContain('icon-ringing');
  expect(await noticesOf(phone)).toEqual([]);
  await phone.button('Decline').click();
  await seen;
  await eventually(async () => expect(await iconOf(phone)).toBe('/icon.svg'));

  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }));
  const away = ring(gateway, company, agents[0], { from: '+15551230003' });
  // By number, until the gateway has said who that is.
  await eventually(async () => expect(await noticesOf(phone)).toEqual(['Incoming call from Grace Hopper']));
  await phone.button('Decline').click();
  await away;
  await eventually(async () => expect(await noticesOf(phone)).toEqual([]));
});

it('counts the calls that were missed since the agent looked, and shows them alone', { timeout: 60_000 }, async () => {
  const [, agent] = agents;
  const before = gateway.softphone(agent);
  await before.connect();
  for (const phone of ['+15551230005', '+15551230006']) {
    const { call } = await before.incomingCall(phone);
    await before.reportProgress(call.id, 'ended', { end_reason: 'missed' });
  }
  await before.setReady();
  const { id } = await before.startCall('+15551230007');
  await before.reportProgress(id, 'ended', { end_reason: 'busy' });
  await before.submitDisposition(id, { code: 'no_answer' });
  await before.signOut();
  const phone = await atWork(agent);
  const badge = phone.recent.getByRole('button', { name: '2 missed' });
  await badge.click();
  expect(await phone.recent.getByRole('listitem').count()).toBe(2);
  const filter = phone.recent.getByRole('button', { name: 'Missed', exact: true });
  expect(await filter.getAttribute('aria-pressed')).toBe('true');
  await shot(phone.page, 'missed');
  expect(await seriousFindings(phone.page)).toEqual([]);
  await filter.click();
  await eventually(async () => expect(await phone.recent.getByRole('listitem').count()).toBe(3));
  await phone.page.reload();
  await phone.recent.getByRole('button', { name: 'Missed', exact: true }).waitFor();
  expect(await phone.recent.getByRole('button', { name: '2 missed' }).count()).toBe(0);
});
