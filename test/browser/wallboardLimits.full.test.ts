import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
let agents: [TestAgent, TestAgent];

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'limits', agents: 2, wrapUpSeconds: 600 });
  agents = company.agents as typeof agents;
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'desk' } });

it('marks what takes longer than an admin has set, tells of it where it was asked to, and stops when it is over', async () => {
  const [one, other] = agents;
  const softphone = await gateway.readySoftphone(one);
  const second = await gateway.readySoftphone(other);
  const call = await softphone.startCall('+15551230001');
  await softphone.reportProgress(call.id, 'connected');
  await softphone.reportProgress(call.id, 'ended');

  const boss = await gateway.agent(company, 'boss', 'supervisor');
  const profile = await browser.profile({ size: 'desk', context: { permissions: ['notifications'] } });
  const floor = await profile.open(`${gateway.url}/admin/live`);
  await floor.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    // Chromium without a desktop shows none; what would be shown is what counts.
    class Told {
      static readonly permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
    }
    Object.assign(window, { Notification: Told });
  });
  await signIn(floor, boss, company.slug);
  const wrapUp = floor.locator(`[data-agent="${one.id}"]`);
  await wrapUp.getByText('Wrap-up').waitFor();
  // The usual limit is five minutes.
  expect(await floor.getByTitle('Longer than it should last').count()).toBe(0);
  await floor.getByRole('switch', { name: 'Notify me' }).check({ force: true });

  const page = await openConsole(browser, gateway, company.slug, '/company');
  const form = page.getByRole('region', { name: 'Wallboard' });
  expect(await form.getByLabel('Nobody Ready').inputValue()).toBe('60');
  await form.getByLabel('An agent in wrap-up').fill('1');
  await form.getByLabel('Nobody Ready').fill('1');
  await form.getByLabel('An agent on a call').fill('90000');
  await setTheme(page, 'dark');
  expect(await seriousFindings(page)).toEqual([]);
  await shot(page, 'form');
  await form.getByLabel('An agent on a call').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The wallboard’s times are saved.').waitFor();
  expect((await gateway.as(company).get('/api/company').expect(200)).body.wallboard_limits).toEqual({
    wrap_up_seconds: 1,
    on_call_seconds: null,
    not_ready_seconds: null,
    nobody_ready_seconds: 1,
  });

  // At once, without a reload.
  await wrapUp.getByTitle('Longer than it should last').waitFor();
  await second.setNotReady('break');
  await floor.getByText(/^Nobody for 0:0/).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(floor, theme);
    await setSize(floor, 'panel');
    await shot(floor, 'alarm');
    expect(
      await floor.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    ).toBe(true);
    await setSize(floor, 'desk');
    await shot(floor, 'alarm');
    expect(await seriousFindings(floor)).toEqual([]);
  }
  await floor.waitForFunction(() => (window as unknown as { told: string[] }).told.length === 2);
  expect((await floor.evaluate(() => (window as unknown as { told: string[] }).told)).toSorted()).toEqual([
    'Agent a100 has been in this state for too long: Wrap-up',
    'Nobody is Ready.',
  ]);
  await softphone.submitDisposition(call.id, { code: 'resolved' });
  await floor.getByTitle('Longer than it should last').waitFor({ state: 'detached' });
  await floor.getByText(/^Nobody for/).waitFor({ state: 'detached' });
});

it('keeps a limit that is not named, and takes none that is no time', async () => {
  const patch = (limits: object) => gateway.as(company).patch('/api/company').send({ wallboard_limits: limits });
  await patch({ wrap_up_seconds: 20, nobody_ready_seconds: null }).expect(200);
  await patch({ not_ready_seconds: 30 }).expect(200);
  for (const limits of [
    { wrap_up_seconds: 0 },
    { wrap_up_seconds: 86_401 },
    { wrap_up_seconds: '5' },
    { ready_seconds: 5 },
  ])
    await patch(limits).expect(400);
  expect((await gateway.as(company).get('/api/company').expect(200)).body.wallboard_limits).toEqual({
    wrap_up_seconds: 20,
    on_call_seconds: null,
    not_ready_seconds: 30,
    nobody_ready_seconds: null,
  });
});
