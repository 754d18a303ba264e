import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { receiver, rawReceiver, selfSignedReceiver, type Listener } from '../support/webhooks/listeners.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { push, ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { patchAgent, pbx, putTelephony } from '../support/gateway/telephony.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

/** The softphone page when things do not go by the book. */
let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'acme', wrapUpSeconds: 3_600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { size: 'panel' } });

async function newAgent(of = company): Promise<TestAgent> {
  agents += 1;
  return gateway.agent(of, `t${String(agents)}`);
}

async function atWork(of = company): Promise<{ phone: SoftphonePage; agent: TestAgent }> {
  const agent = await newAgent(of);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
  await phone.enter(agent, of);
  return { phone, agent };
}

/** In a call by hand with the carrier's answering machine. */
async function inCall(): Promise<{ phone: SoftphonePage; agent: TestAgent }> {
  const room = await atWork();
  await room.phone.number.fill('+15551230001');
  await room.phone.number.press('Enter');
  await room.phone.inCall('Connected');
  return room;
}

describe('a customer record from strangers', () => {
  it('never breaks the layout, runs nothing and links to nowhere but https', async () => {
    const data = {
      name: '<img src=x onerror=alert(1)>',
      long: 'x'.repeat(5_000),
      lines: Array.from({ length: 400 }, (_, index) => `line ${String(index)}`),
      bad: 'javascript:alert(1)',
      trick: 'https://bank.example@evil.example/',
      good: 'https://crm.example.com/contacts/1',
      deep: { address: { city: 'London' } },
      ['k'.repeat(300)]: 'a long key',
      ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${String(index)}`, index])),
    };
    await push(gateway, company, { phone_number: '+15551230010', data, tier: 'W'.repeat(200) });
    const { phone, agent } = await atWork();
    await phone.goReady();
    await gateway.click(company, { phone_number: '+15551230010', agent_code: agent.agentCode }).expect(201);
    await phone.card.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await phone.fits();
    expect(await phone.card.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      'https://crm.example.com/contacts/1',
    ]);
    expect(await phone.card.getByRole('link').getAttribute('rel')).toContain('noopener');
    expect(await phone.card.locator('img').count()).toBe(0);
    await phone.card.getByText('Deep › Address › City').waitFor();
    await phone.card.getByRole('button', { name: /Show \d+ more/ }).click();
    await phone.card.getByText('Field 99').waitFor();
    await phone.fits();
    await phone.inCall('Connected');
    await phone.page.evaluate(() => scrollTo(0, 0));
    await shot(phone.page, 'odd record');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.button('Hang up').click();
  });
});

describe('wrap-up', () => {
  it('refuses a time to call back that is past, and keeps what was typed over a reload', async () => {
    const { phone } = await inCall();
    await phone.button('Hang up').click();
    await phone.wrapUp.waitFor();
    await phone.page.keyboard.press('3');
    await phone.wrapUp.getByLabel('Notes').fill('Asked for 9 in the morning');
    await phone.wrapUp.getByLabel('Call back at').fill('2020-01-01T09:00');
    await phone.button('Save').click();
    await phone.wrapUp.getByText('The time to call back must be in the future.').waitFor();
    await phone.page.reload();
    await phone.settled();
    await expect.poll(() => phone.wrapUp.getByLabel('Notes').inputValue()).toBe('Asked for 9 in the morning');
    expect(await phone.wrapUp.getByRole('radio', { name: 'Call back' }).isChecked()).toBe(true);
    expect(await phone.wrapUp.getByLabel('Call back at').inputValue()).toBe('2020-01-01T09:00');
    await phone.wrapUp.getByLabel('Call back at').fill('2099-01-01T09:00');
    await shot(phone.page, 'wrap-up with notes');
    await phone.fits();
    await phone.button('Save').click();
    await phone.recent.getByText(/Call back/).waitFor();
  });

  it('keeps the field that is typed in when the time for it ends, and takes the disposition later', async () => {
    const brief = await gateway.company({ slug: 'brief', wrapUpSeconds: 1 });
    await gateway.as(brief).patch('/api/company').send({ wrap_up_max_seconds: 1 }).expect(200);
    const { phone } = await atWork(brief);
    await phone.number.fill('+15551230486');
    await phone.number.press('Enter');
    const notes = phone.wrapUp.getByLabel('Notes');
    await notes.pressSequentially('Typed while ');
    await phone.wrapUp.getByText('The time for it is over.').waitFor();
    await phone.page.keyboard.type('the time ended');
    expect(await notes.inputValue()).toBe('Typed while the time ended');
    await phone.page.reload();
    await phone.settled();
    await expect.poll(() => notes.inputValue()).toBe('Typed while the time ended');
    await phone.wrapUpAs('No answer');
    await phone.recent.getByText(/Busy.*No answer/).waitFor();
  });
});

describe('the connection', () => {
  it('is shown as it is when it breaks in a call, and the call goes on when it is back', async () => {
    const refused = browser.expectTrouble(/WebSocket connection to .* failed/);
    // The telephone's connection is another, and holds.
    const line = await openBreakableLine(gateway.url, '/socket.io/');
    onTestFinished(() => line.close());
    const agent = await newAgent();
    const phone = new SoftphonePage(await browser.open(`${line.url}/`));
    await phone.enter(agent, company);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.inCall('Connected');
    line.cut();
    await phone.status.getByText(/Reconnecting/).waitFor();
    await phone.callState.getByText('Connected').waitFor();
    await shot(phone.page, 'reconnecting');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await refused.met();
    line.mend();
    // The longest pause between two tries is ten seconds.
    await phone.settled(45_000);
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
  });

  it('is grey the moment the browser is offline, and says afterwards that the agent was set Not Ready', async () => {
    const clock = createManualClock(Date.now());
    const timed = await startGateway('memory', { clock });
    onTestFinished(() => timed.close());
    const owner = await timed.company({ slug: 'timed', agents: 1 });
    const agent = owner.agents[0]!;
    const phone = new SoftphonePage(await browser.open(`${timed.url}/`));
    await phone.enter(agent, owner);
    await phone.goReady();
    const { page } = phone;
    const stateThere = async () =>
      (await timed.as(owner).get(`/api/agents/${agent.id}/state`).expect(200)).body;
    const unreachable = browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await phone.state.getByText('Reconnecting…').waitFor();
    await phone.state.getByText('You get no calls now').waitFor();
    expect(await phone.state.getByText('Ready', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ready', exact: true, pressed: false }).waitFor();
    await expect.poll(() => page.title()).toBe('Reconnecting… · Readyline');
    await page.getByTestId('announce').getByText('You get no calls now').waitFor({ state: 'attached' });
    await shot(page, 'offline');
    await phone.fits();
    expect(await seriousFindings(page)).toEqual([]);
    await eventually(async () => (await stateThere()).connection === 'reconnecting');
    await passTime(clock, 30_000, async () => (await stateThere()).reason === 'connection_lost');
    await unreachable.met();
    await page.context().setOffline(false);
    const told = page.getByTestId('set-aside');
    await told.getByText('You were set to Not Ready because the connection was lost.').waitFor({ timeout: 45_000 });
    await phone.state.getByText('Connection lost').waitFor();
    await shot(page, 'back after a lost connection');
    await phone.settled();
    await told.getByRole('button', { name: 'Go Ready' }).click();
    await phone.state.getByText('Ready', { exact: true }).waitFor();
    await told.waitFor({ state: 'detached' });
  });

  it('is grey when the gateway is not heard in its time, though nothing has closed', async () => {
    const line = await openBreakableLine(gateway.url);
    try {
      const agent = await newAgent();
      const phone = new SoftphonePage(await browser.open('about:blank', { size: 'panel' }));
      await phone.page.clock.install();
      await phone.page.goto(`${line.url}/`);
      await phone.enter(agent, company);
      await phone.goReady();
      line.hold();
      await phone.page.clock.fastForward(18_500);
      await phone.state.getByText('You get no calls now').waitFor();
      expect(await phone.state.getByText('Ready', { exact: true }).count()).toBe(0);
      await phone.page.close();
    } finally {
      await line.close();
    }
  });

  it('recovers a call over a reload', async () => {
    const { phone } = await inCall();
    const sent = await countedVoice(phone.page);
    await phone.page.reload();
    await phone.settled();
    await phone.inCall('Connected');
    await phone.page.getByText('Reconnecting audio').waitFor({ state: 'detached' });
    await expect.poll(sent).toBeGreaterThan(0);
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });

  it('gives the softphone to a second tab, says so in the first, and takes it back', async () => {
    const { phone, agent } = await atWork();
    const second = new SoftphonePage(await browser.open(`${gateway.url}/`));
    await second.page.getByRole('heading', { name: `Agent ${agent.agentCode}` }).waitFor();
    await second.button('Take over here').click();
    await second.settled();
    await phone.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
    await phone.status.getByText('Your softphone is open in another tab or on another device').waitFor();
    await shot(phone.page, 'taken over');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.button('Take back').click();
    await phone.settled();
    await second.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
  });

  it('leaves a call where it is when another tab is opened, until the agent takes it over there', async () => {
    const { phone } = await inCall();
    const second = new SoftphonePage(await browser.open(`${gateway.url}/`));
    const isOffered = () => second.page.getByRole('heading', { name: 'Your softphone is open in another tab' }).waitFor();
    await isOffered();
    await shot(second.page, 'open in another tab');
    expect(await seriousFindings(second.page)).toEqual([]);
    await second.page.reload();
    await isOffered();
    await phone.inCall('Connected');
    await phone.page.reload();
    await phone.settled();
    await phone.inCall('Connected');
    await second.button('Take over here').click();
    await second.inCall('Connected');
    await phone.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
    const third = await browser.open(`${gateway.url}/`);
    await third.getByRole('link', { name: 'Sign in as somebody else' }).click();
    await third.getByRole('button', { name: 'Sign in' }).waitFor();
    await third.reload();
    await third.getByRole('button', { name: 'Sign in' }).waitFor();
    await second.button('Hang up').click();
    await second.wrapUp.waitFor();
  });

  it('does not sign in a tab that opens while its person signs out in another', async () => {
    const { phone } = await atWork();
    await phone.page.evaluate(() => {
      // After the answer that the page itself gives.
      const channel = new BroadcastChannel('readyline.sign-in.softphone');
      const { agent } = JSON.parse(sessionStorage.getItem('readyline.sign-in') ?? '{}') as { agent: { id: string } };
      channel.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type === 'ask') channel.postMessage({ type: 'signed_out', agentId: agent.id });
      });
    });
    const second = await browser.open(`${gateway.url}/`);
    await phone.button('Sign in').waitFor();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('asks for the password once per browser: other tabs have the sign-in, sign out together, and keep nothing of it', async () => {
    const { phone } = await atWork();
    const second = new SoftphonePage(await browser.open(`${gateway.url}/`));
    await second.button('Take over here').click();
    await second.settled();
    const stranger = await newAgent();
    const third = new SoftphonePage(await browser.open(`${gateway.url}/#sign-in`));
    await third.enter(stranger, company);
    const console_ = await browser.open(`${gateway.url}/admin`);
    await console_.getByRole('heading', { name: 'Readyline console' }).waitFor();
    // Two persons are signed in by now, and nobody can tell which of them a further tab is for.
    const fourth = await browser.open(`${gateway.url}/`);
    await fourth.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await second.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('eyJ');
    await second.button('Sign out').click();
    await second.button('Sign in').waitFor();
    await phone.button('Sign in').waitFor();
    await third.settled();
    await phone.page.reload();
    await phone.page.getByRole('heading', { name: `Agent ${stranger.agentCode}` }).waitFor();
  });

  it('asks for the sign-in again, and says why, when the log-in is not taken any more', async () => {
    const { phone, agent } = await atWork();
    await patchAgent(gateway, company, agent, { password: 'quite-another-password' }).expect(200);
    await phone.button('Sign in').waitFor();
    await phone.page.getByText(/Sign in again\./).waitFor();
    await shot(phone.page, 'refused');
  });

  it('renews a log-in that is about to end, without a break', async () => {
    browser.expectTrouble(/401/);
    const { phone, agent } = await atWork();
    await phone.page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem('readyline.sign-in') ?? '{}') as { expiresAt: string };
      kept.expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
      sessionStorage.setItem('readyline.sign-in', JSON.stringify(kept));
    });
    await phone.page.reload();
    await phone.settled();
    const banner = phone.page.getByRole('region', { name: 'Your log-in ends soon' });
    await banner.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await phone.button('Stay logged in').click();
    await banner.getByText(/credentials|password/i).last().waitFor();
    await shot(phone.page, 'log-in ends');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await banner.getByRole('textbox', { name: 'Password' }).fill(agent.password);
    await phone.button('Stay logged in').click();
    await banner.waitFor({ state: 'detached' });
    await phone.settled();
  });
});

describe('a log-in that ends in mid-call', () => {
  it('leaves the voice and its buttons, and the same agent goes on after signing in again', async () => {
    const page = await browser.open('about:blank');
    const sent = await countedVoice(page);
    await page.goto(`${gateway.url}/`);
    const phone = new SoftphonePage(page);
    const agent = await newAgent();
    await phone.enter(agent, company);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.inCall('Connected');
    const password = 'quite-another-password';
    await patchAgent(gateway, company, agent, { password }).expect(200);
    const banner = page.getByRole('region', { name: 'Your log-in has ended' });
    await banner.waitFor();
    const before = await sent();
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(before);
    await shot(page, 'log-in ended in a call');
    expect(await seriousFindings(page)).toEqual([]);
    await banner.getByRole('textbox', { name: 'Password' }).fill(password);
    await phone.button('Sign in again').click();
    await banner.waitFor({ state: 'detached' });
    await phone.settled();
    const after = await sent();
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(after);
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });

  it('lets the agent hang up, and records it once they have signed in again', async () => {
    const { phone, agent } = await inCall();
    const password = 'quite-another-password';
    await patchAgent(gateway, company, agent, { password }).expect(200);
    const banner = phone.page.getByRole('region', { name: 'Your log-in has ended' });
    await banner.waitFor();
    await phone.button('Hang up').click();
    await banner.getByRole('textbox', { name: 'Password' }).fill(password);
    await phone.button('Sign in again').click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
    await banner.waitFor({ state: 'detached' });
  });
});

describe('a page that is reloaded before anybody has answered', () => {
  it('ends the call that it was dialing, at the customer’s too', async () => {
    const page = await browser.open('about:blank');
    // What a page says as it goes is kept where the next one finds it.
    await page.addInitScript(() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function keep(message) {
        send.call(this, message);
        if (typeof message === 'string' && message.startsWith('CANCEL ')) localStorage.setItem('canceled', message);
      };
    });
    await page.goto(`${gateway.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(await newAgent(), company);
    await phone.number.fill('+15551230408');
    await phone.number.press('Enter');
    await phone.inCall('Ringing');
    await page.reload();
    await phone.settled();
    await phone.wrapUp.getByText(/Canceled/).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('canceled'))).toContain('+15551230408');
  });

  it('lets who was calling ring again, and the agent answers', async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551230005' });
    await phone.button('Answer').waitFor();
    await phone.page.reload();
    await phone.button('Answer').click();
    expect(await rung).toBe('answered');
    await phone.button('Hang up').click();
    await phone.settled();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });
});

describe('a call that rang before the page was reloaded', () => {
  it('is said to be waited for, and need not be', async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551230005' }).catch(() => null);
    await phone.button('Answer').waitFor();
    // The telephone does not come back.
    await phone.page.routeWebSocket(/\/demo\/sip/, () => undefined);
    await phone.page.reload();
    await phone.page.getByText('Waiting for this call to ring again…').waitFor();
    expect(await phone.button('Answer').count()).toBe(0);
    await shot(phone.page, 'waiting for a call');
    await phone.button('Don’t wait').click();
    await phone.page.getByText('Waiting for this call to ring again…').waitFor({ state: 'detached' });
    await phone.page.close();
    await rung;
  });
});

describe('the telephone', () => {
  it('is the agent’s own in desk phone mode: a link, and what happened told by hand', async () => {
    const desk = await gateway.company({ slug: 'desk' });
    await putTelephony(gateway, desk, { mode: 'desk_phone' }).expect(200);
    const page = await browser.open('about:blank');
    // Chromium would ask which program shall dial, and take every click meanwhile.
    await page.addInitScript(() => {
      const follow = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function click() {
        if (this.protocol === 'tel:') document.documentElement.dataset['dialed'] = this.href;
        else follow.call(this);
      };
    });
    await page.goto(`${gateway.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(await newAgent(desk), desk);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['dialed'])).toBe('tel:+15551230001');
    const link = phone.page.getByRole('link', { name: 'Dial +15551230001 on your phone' });
    expect(await link.getAttribute('href')).toBe('tel:+15551230001');
    await shot(phone.page, 'desk phone');
    await phone.button('Answered').click();
    await phone.inCall('Connected');
    await phone.button('Ended').click();
    await phone.page.getByRole('menuitem', { name: 'The customer hung up' }).click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
    await phone.wrapUpAs('Resolved');
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.button('Ended').click();
    await phone.page.getByRole('menuitem', { name: 'Busy' }).click();
    await phone.wrapUp.getByText(/Busy/).waitFor();
  });

  it('is said not to be ready, and why, and so is the agent', async () => {
    const strict = await gateway.company({ slug: 'strict' });
    await putTelephony(gateway, strict, pbx).expect(200);
    const agent = await newAgent(strict);
    const phone = new SoftphonePage(await browser.open(`${gateway.url}/`));
    await signIn(phone.page, agent, strict.slug);
    await phone.status.getByText(/Phone not ready\./).waitFor();
    await phone.button('Ready').click();
    await phone.page.getByText(/You cannot go Ready\./).waitFor();
    await phone.state.getByText('Not Ready').waitFor();
    await shot(phone.page, 'no telephone');
    expect(await seriousFindings(phone.page)).toEqual([]);
  });
});

it('looks right in both themes and sizes', async () => {
  const { phone } = await inCall();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(phone.page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(phone.page, size);
      await phone.fits();
      expect(await seriousFindings(phone.page), `${theme} ${size}`).toEqual([]);
      await shot(phone.page, 'in call');
    }
  }
  await phone.button('Keyboard shortcuts').click();
  await phone.page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await shot(phone.page, 'shortcuts');
  expect(await seriousFindings(phone.page)).toEqual([]);
  await phone.page.keyboard.press('Escape');
  await phone.button('Change to the light look').click();
  expect(await phone.page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('light');
});

/** What the page's telephone has sent of voice so far, in bytes. To be asked for before the page is opened. */
async function countedVoice(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const opened: RTCPeerConnection[] = [];
    Object.assign(window, { opened });
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        opened.push(this);
      }
    };
  });
  return () =>
    page.evaluate(async () => {
      const { opened } = window as unknown as { opened: RTCPeerConnection[] };
      let bytes = 0;
      for (const connection of opened) {
        const report = (await connection.getStats()) as unknown as Map<string, { type: string; bytesSent?: number }>;
        for (const { type, bytesSent } of report.values()) if (type === 'outbound-rtp') bytes += bytesSent ?? 0;
      }
      return bytes;
    });
}

describe('a telephone network that cannot be reached', () => {
  const somePage = (_request: unknown, response: { writeHead: (code: number) => { end: () => void } }) => response.writeHead(200).end();
  const gone = async () => ({ port: await freePort() });
  const cases: { where: string; open: () => Promise<Pick<Listener, 'port'>>; scheme: 'ws' | 'wss'; told: RegExp; error: RegExp | null }[] = [
    { where: 'behind a certificate that nobody trusts', open: () => selfSignedReceiver(somePage), scheme: 'wss', told: /does not trust the certificate/, error: /ERR_CERT_AUTHORITY_INVALID/ },
    { where: 'as it is none', open: () => receiver(somePage), scheme: 'ws', told: /answers, but not as a phone network/, error: /WebSocket connection to .* failed/ },
    { where: 'as nothing runs there', open: gone, scheme: 'ws', told: /No phone network answers/, error: /ERR_CONNECTION_REFUSED/ },
    { where: 'as nothing comes back', open: () => rawReceiver(() => undefined), scheme: 'wss', told: /switched off, or a firewall/, error: null },
  ];
  it.each(cases)('$where is told apart, with a link to where the browser shows more', async ({ open, scheme, told, error }) => {
    if (error !== null) browser.expectTrouble(error);
    const { port } = await open();
    const employer = await gateway.company({ slug: `unreachable-${String(port)}` });
    const agent = await newAgent(employer);
    await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: `${scheme}://127.0.0.1:${String(port)}/ws` }).expect(200);
    await patchAgent(gateway, employer, agent, { sip_user: 'ada', sip_secret: 'secret' }).expect(200);
    const page = await browser.open(`${gateway.url}/`);
    await signIn(page, agent);
    const status = page.getByTestId('status-line');
    await status.getByText(told).waitFor();
    const link = status.getByRole('link', { name: `Open 127.0.0.1:${String(port)}` });
    expect(await link.getAttribute('href')).toBe(`http${scheme === 'wss' ? 's' : ''}://127.0.0.1:${String(port)}/`);
  });
});
