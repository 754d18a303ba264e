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

// Without a worker, as within a CRM's page; with one: app.full.test.ts.
const browser = useBrowser({
  profile: { size: 'panel', context: { permissions: ['notifications', 'microphone'], serviceWorkers: 'block' } },
});

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
const noticesOf = ({ page }: SoftphonePage) =>
  page.evaluate(() =>
    (window as unknown as { notices: { text: string; isOpen: boolean }[] }).notices
      .filter(({ isOpen }) => isOpen)
      .map(({ text }) => text),
  );
const iconOf = ({ page }: SoftphonePage) => page.locator('link[rel=icon]').getAttribute('href');

it('tells of a call outside the page, where the agent has asked for it, for as long as it rings', async () => {
  await push(gateway, company, { phone_number: '+15551230003', data: { name: 'Grace Hopper' } });
  const phone = await atWork(agents[0]);
  const { page } = phone;
  await phone.goReady();
  const tools = phone.button('Ringing and sound');
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
  await phone.button('Ringing and sound').click();
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
  // What was declined counts among the missed calls, as soon as they are counted.
  await eventually(async () => expect(await iconOf(phone)).not.toContain('icon-ringing'));

  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }));
  const away = ring(gateway, company, agents[0], { from: '+15551230003' });
  // By number, until the gateway has said who that is.
  await eventually(async () => expect(await noticesOf(phone)).toEqual(['Incoming call from Grace Hopper']));
  await phone.button('Decline').click();
  await away;
  await eventually(async () => expect(await noticesOf(phone)).toEqual([]));
});

it('counts the calls that were missed since the agent looked, and shows them alone', async () => {
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
  // They are read when they are asked for.
  await eventually(async () => expect(await phone.recent.getByRole('listitem').count()).toBe(2));
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

type Lab = { open: MediaStreamTrack[]; hidden: string };
const usb = 'Fake Audio Input 2';

it('is heard by the microphone that the agent has chosen on this device, again when it was unplugged and came back', async () => {
  const [agent] = agents;
  const phone = new SoftphonePage(await browser.open('about:blank'));
  const { page } = phone;
  await page.addInitScript(() => {
    const lab: Lab = { open: [], hidden: '' };
    const { mediaDevices } = navigator;
    const [open, list] = [
      mediaDevices.getUserMedia.bind(mediaDevices),
      mediaDevices.enumerateDevices.bind(mediaDevices),
    ];
    mediaDevices.getUserMedia = async (asked) => {
      const stream = await open(asked);
      lab.open.push(...stream.getTracks());
      return stream;
    };
    mediaDevices.enumerateDevices = async () => (await list()).filter(({ label }) => label !== lab.hidden);
    Object.assign(window, { lab });
  });
  const inLab = <T>(act: (lab: Lab) => T) => page.evaluate(`(${act.toString()})(window.lab)`) as Promise<T>;
  const used = () =>
    inLab(({ open }) => open.filter(({ readyState }) => readyState === 'live').map(({ label }) => label));
  const openSettings = async () => {
    await phone.button('Ringing and sound').click();
    await page.getByRole('button', { name: 'Microphone and speaker' }).click();
  };
  const microphone = page.getByLabel('Microphone', { exact: true });
  await page.goto(`${gateway.url}/`);
  await phone.enter(agent, company);
  await phone.goReady();
  await eventually(async () => expect(await used()).toEqual([]));

  await openSettings();
  await page.waitForFunction(() => document.querySelector('meter')!.value > 5);
  await microphone.selectOption({ label: usb });
  const speaker = page.getByLabel('Speaker', { exact: true });
  await speaker.selectOption({ index: 1 });
  await page.getByRole('slider', { name: 'How loud calls are' }).fill('40');
  await page.getByRole('button', { name: 'Suppress noise' }).click();
  await page.getByRole('button', { name: 'Hear yourself' }).click();
  await eventually(async () => expect(await used()).toEqual([usb]));
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await shot(page, 'audio settings');
    expect(await seriousFindings(page)).toEqual([]);
  }
  await phone.fits();
  await page.keyboard.press('Escape');
  await eventually(async () => expect(await used()).toEqual([]));

  await page.reload();
  await openSettings();
  await eventually(async () =>
    expect(await microphone.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label)).toBe(usb),
  );
  expect(await page.getByRole('button', { name: 'Suppress noise' }).getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('Escape');
  await phone.connected();
  const answered = ring(gateway, company, agent, { from: '+15551230009' });
  await phone.button('Answer').click();
  await answered;
  await phone.inCall('Connected');
  expect(await used()).toEqual([usb]);
  expect(await inLab(({ open }) => open.at(-1)?.getSettings().noiseSuppression)).toBe(false);
  await page.waitForFunction(() => document.querySelector('audio')!.sinkId !== '');
  expect(await page.evaluate(() => document.querySelector('audio')!.volume)).toBe(0.4);

  await page.evaluate(`window.lab.hidden = ${JSON.stringify(usb)}`);
  await inLab(({ open }) => {
    const track = open.find(({ readyState }) => readyState === 'live');
    track?.stop();
    track?.dispatchEvent(new Event('ended'));
  });
  await page.getByText('Microphone disconnected. Another one is used now.').waitFor();
  expect(await used()).toHaveLength(1);
  expect(await used()).not.toContain(usb);
  await page.evaluate("window.lab.hidden = ''; navigator.mediaDevices.dispatchEvent(new Event('devicechange'))");
  await eventually(async () => expect(await used()).toEqual([usb]));
  await phone.inCall('Connected');
  await phone.button('Hang up').click();
  await eventually(async () => expect(await used()).toEqual([]));
});

it('is tried by a call to the echo of the PBX, of which nobody is told, and which a customer’s call ends', async () => {
  const [, agent] = agents;
  const phone = await atWork(agent);
  const { page } = phone;
  await phone.goReady();
  const before = (await gateway.as(company).get('/api/calls').expect(200)).body.calls;
  await phone.button('Ringing and sound').click();
  await page.getByRole('button', { name: 'Microphone and speaker' }).click();
  const button = page.getByRole('button', { name: 'Test call' });
  await button.click();
  const told = page.getByTestId('test-call');
  await eventually(async () => expect(await told.textContent()).toContain('you hear yourself'));
  expect(await page.evaluate(() => document.querySelector('audio')?.srcObject !== null)).toBe(true);
  await shot(page, 'test call');
  expect((await gateway.as(company).get('/api/calls').expect(200)).body.calls).toEqual(before);

  const answered = ring(gateway, company, agent, { from: '+15551230011' });
  await phone.button('Answer').click();
  await answered;
  await phone.inCall('Connected');
  await phone.button('Hang up').click();
});
