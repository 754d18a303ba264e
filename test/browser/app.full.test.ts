import type { Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { type BreakableLine, openBreakableLine } from '../support/gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let line: BreakableLine;

beforeAll(async () => {
  gateway = await startGateway();
  line = await openBreakableLine(gateway.url);
  company = await gateway.company({ slug: 'apps', agents: 2, wrapUpSeconds: 0 });
});
afterAll(async () => {
  await line.close();
  await gateway.close();
});

const browser = useBrowser({ profile: { size: 'panel', context: { permissions: ['microphone'] } } });

it('can be installed as an app', async () => {
  const page = await browser.open(`${gateway.url}/`);
  const devtools = await page.context().newCDPSession(page);
  const { errors, data = '' } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data)).toMatchObject({ name: 'Readyline softphone', start_url: '/', display: 'standalone' });
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // A private window installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

it('says why it cannot be loaded, keeps nothing of the company, and comes back by itself', async () => {
  browser.expectTrouble(/ERR_|Failed to load|WebSocket/);
  const [agent] = company.agents;
  const phone = new SoftphonePage(await browser.open(`${line.url}/`));
  const { page } = phone;
  await phone.enter(agent!, company);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.toSorted()).toEqual(['/icon.svg', '/offline.css', '/offline.html', '/offline.js']);

  line.cut();
  await page.reload();
  await page.getByRole('heading', { name: 'The softphone cannot be loaded' }).waitFor();
  await page.getByText('The gateway cannot be reached.').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await shot(page, 'offline');
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.context().setOffline(true);
  await page.getByText('This computer has no network connection.').waitFor();
  await page.context().setOffline(false);
  line.mend();
  await phone.connected();
  await setTheme(page, 'light');
  expect(await page.getByRole('heading', { name: 'The softphone cannot be loaded' }).count()).toBe(0);
});

it('lets other pages of the gateway alone', async () => {
  const page = await browser.open(`${gateway.url}/`);
  const phone = new SoftphonePage(page);
  await phone.enter(company.agents[0]!, company);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const answer = await page.goto(`${gateway.url}/admin`);
  expect(answer?.fromServiceWorker()).toBe(false);
  expect((await page.goto(`${gateway.url}/`))?.status()).toBe(200);
});

type Shown = { title: string; tag: string; data: unknown; actions: { title: string }[]; close: () => void };

/**
 * Chromium without a desktop shows nothing, and allows nothing to be shown: what the page's worker would
 * show is kept in its place.
 */
async function watchedWorker(page: Page): Promise<Worker> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const worker = page
    .context()
    .serviceWorkers()
    .find((one) => one.url() === `${gateway.url}/sw.js`)!;
  await worker.evaluate(() => {
    const { registration } = globalThis as unknown as { registration: object };
    let all: Shown[] = [];
    Object.assign(registration, {
      getNotifications: () => Promise.resolve(all),
      showNotification: (title: string, options: Shown) => {
        const one: Shown = { ...options, title, close: () => (all = all.filter((other) => other !== one)) };
        all = [...all.filter(({ tag }) => tag !== options.tag), one];
        return Promise.resolve();
      },
    });
  });
  return worker;
}

/** What is shown: its text and its buttons. */
const notices = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: { getNotifications: () => Promise<Shown[]> } };
    return (await registration.getNotifications()).map(({ title, actions }) => [
      title,
      ...actions.map((one) => one.title),
    ]);
  });

/** @param action a button of the notification; empty: the notification itself */
const press = (worker: Worker, action: string) =>
  worker.evaluate(async (pressed) => {
    const { registration } = globalThis as unknown as { registration: { getNotifications: () => Promise<Shown[]> } };
    const [notification] = await registration.getNotifications();
    dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, action: pressed, waitUntil: () => undefined }),
    );
  }, action);

it('answers and declines a call from the notification, which is there for as long as it rings', async () => {
  const agent = company.agents[1]!;
  const phone = new SoftphonePage(await browser.open('about:blank'));
  const { page } = phone;
  await page.addInitScript(() =>
    Object.assign(window, {
      Notification: { permission: 'granted', requestPermission: () => Promise.resolve('granted') },
    }),
  );
  await page.goto(`${gateway.url}/`);
  await phone.enter(agent, company);
  const worker = await watchedWorker(page);
  await phone.goReady();
  await phone.button('Ringing and sound').click();
  await page.getByRole('button', { name: 'Notify me of calls' }).click();
  await page.keyboard.press('Escape');
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }));

  const declined = ring(gateway, company, agent, { from: '+15551230008' });
  await eventually(async () =>
    expect(await notices(worker)).toEqual([['Incoming call from +1 555 123 0008', 'Answer', 'Decline']]),
  );
  await press(worker, '');
  await eventually(async () => expect(await notices(worker)).toEqual([]));
  await phone.button('Answer').waitFor();
  await phone.button('Decline').click();
  await declined;

  const again = ring(gateway, company, agent, { from: '+15551230009' });
  await eventually(async () => expect(await notices(worker)).toHaveLength(1));
  await press(worker, 'decline');
  await again;
  await eventually(async () => expect(await notices(worker)).toEqual([]));

  void ring(gateway, company, agent, { from: '+15551230010' });
  await eventually(async () => expect(await notices(worker)).toHaveLength(1));
  await press(worker, 'answer');
  await phone.button('Hang up').waitFor();
  await eventually(async () => expect(await notices(worker)).toEqual([]));
  await phone.button('Hang up').click();
});
