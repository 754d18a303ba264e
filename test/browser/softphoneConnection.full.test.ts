import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { shot } from '../support/browser/browser.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { startGateway } from '../support/gateway/gateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { patchAgent } from '../support/gateway/telephony.ts';
import { eventually, passTime } from '../support/time/waiting.ts';
import { useSoftphoneRoom } from './softphoneRoom.ts';

/** The softphone page while connections, tabs and log-ins come and go. */
const room = useSoftphoneRoom();

describe('the connection', () => {
  it('is shown as it is when it breaks in a call, and the call goes on when it is back', async () => {
    const refused = room.browser.expectTrouble(/WebSocket connection to .* failed/);
    // The telephone's connection is another, and holds.
    const line = await openBreakableLine(room.gateway.url, '/socket.io/');
    onTestFinished(() => line.close());
    const agent = await room.newAgent();
    const phone = new SoftphonePage(await room.browser.open(`${line.url}/`));
    await phone.enter(agent, room.company);
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
    await phone.connected();
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
    const phone = new SoftphonePage(await room.browser.open(`${timed.url}/`));
    await phone.enter(agent, owner);
    await phone.goReady();
    const { page } = phone;
    const stateThere = async () => (await timed.as(owner).get(`/api/agents/${agent.id}/state`).expect(200)).body;
    const unreachable = room.browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await phone.state.getByText('Reconnecting…').waitFor();
    await phone.state.getByText('You get no calls now').waitFor();
    expect(await phone.state.getByText('Ready', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ready', exact: true, pressed: false }).waitFor();
    await eventually(async () => expect(await page.title()).toBe('Reconnecting… · Readyline'));
    await page.getByTestId('announce').getByText('You get no calls now').waitFor({ state: 'attached' });
    await shot(page, 'offline');
    await phone.fits();
    expect(await seriousFindings(page)).toEqual([]);
    await eventually(async () => (await stateThere()).connection === 'reconnecting');
    await passTime(clock, 30_000, async () => (await stateThere()).reason === 'connection_lost');
    await unreachable.met();
    await page.context().setOffline(false);
    const told = page.getByTestId('set-aside');
    await told.getByText('You were set to Not Ready because the connection was lost.').waitFor();
    await phone.state.getByText('Connection lost').waitFor();
    await shot(page, 'back after a lost connection');
    await phone.connected();
    await told.getByRole('button', { name: 'Go Ready' }).click();
    await phone.state.getByText('Ready', { exact: true }).waitFor();
    await told.waitFor({ state: 'detached' });
  });

  it('is grey when the gateway is not heard in its time, though nothing has closed', async () => {
    const line = await openBreakableLine(room.gateway.url);
    try {
      const agent = await room.newAgent();
      const phone = new SoftphonePage(await room.browser.open('about:blank', { size: 'panel' }));
      await phone.page.clock.install();
      await phone.page.goto(`${line.url}/`);
      await phone.enter(agent, room.company);
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

  it('that changes while the page loads leaves no part of it out, nor its telephone', async () => {
    const agent = await room.newAgent();
    const page = await room.browser.open('about:blank');
    const parts = ['CustomerCard', 'DialPad', 'PageTools', 'RecentCalls', 'RingNotice', 'WrapUp', 'userAgent'];
    const ended = new Set<string>();
    room.browser.expectTrouble(/ERR_NETWORK_CHANGED|ERR_FAILED/);
    // As browsers do when their network changes: what is under way is ended.
    await page.route(new RegExp(`/assets/(?:${parts.join('|')})-[^/]+\\.js$`), (route) => {
      const [, part = ''] = /\/assets\/(\w+)-/.exec(route.request().url()) ?? [];
      if (ended.has(part)) return route.continue();
      ended.add(part);
      return route.abort('failed');
    });
    await page.goto(`${room.gateway.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(agent, room.company);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.inCall('Connected');
    await phone.page.getByRole('textbox', { name: 'Notes' }).waitFor();
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
    expect([...ended].toSorted()).toEqual(parts.toSorted());
  });

  it('recovers a call over a reload', async () => {
    const { phone } = await room.inCall();
    const sent = await countedAudio(phone.page);
    await phone.page.reload();
    await phone.connected();
    await phone.inCall('Connected');
    await phone.page.getByText('Reconnecting audio').waitFor({ state: 'detached' });
    await eventually(async () => expect(await sent()).toBeGreaterThan(0));
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });

  it('gives the softphone to a second tab, says so in the first, and takes it back', async () => {
    const { phone, agent } = await room.atWork();
    const second = new SoftphonePage(await room.browser.open(`${room.gateway.url}/`));
    await second.page.getByRole('heading', { name: `Agent ${agent.agentCode}` }).waitFor();
    await second.button('Take over here').click();
    await second.connected();
    await phone.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
    await phone.status.getByText('Your softphone is open in another tab or on another device').waitFor();
    await shot(phone.page, 'taken over');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.button('Take back').click();
    await phone.connected();
    await second.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
  });

  it('leaves a call where it is when another tab is opened, until the agent takes it over there', async () => {
    const { phone } = await room.inCall();
    const second = new SoftphonePage(await room.browser.open(`${room.gateway.url}/`));
    const isOffered = () =>
      second.page.getByRole('heading', { name: 'Your softphone is open in another tab' }).waitFor();
    await isOffered();
    await shot(second.page, 'open in another tab');
    expect(await seriousFindings(second.page)).toEqual([]);
    await second.page.reload();
    await isOffered();
    await phone.inCall('Connected');
    await phone.page.reload();
    await phone.connected();
    await phone.inCall('Connected');
    await second.button('Take over here').click();
    await second.inCall('Connected');
    await phone.page.getByRole('heading', { name: 'Your softphone is open somewhere else' }).waitFor();
    const third = await room.browser.open(`${room.gateway.url}/`);
    await third.getByRole('link', { name: 'Sign in as somebody else' }).click();
    await third.getByRole('button', { name: 'Sign in' }).waitFor();
    await third.reload();
    await third.getByRole('button', { name: 'Sign in' }).waitFor();
    await second.button('Hang up').click();
    await second.wrapUp.waitFor();
  });

  it('does not sign in a tab that opens while its person signs out in another', async () => {
    const { phone } = await room.atWork();
    await phone.page.evaluate(() => {
      // After the answer that the page itself gives.
      const channel = new BroadcastChannel('readyline.sign-in.softphone');
      const { agent } = JSON.parse(sessionStorage.getItem('readyline.sign-in') ?? '{}') as { agent: { id: string } };
      channel.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type === 'ask') channel.postMessage({ type: 'signed_out', agentId: agent.id });
      });
    });
    const second = await room.browser.open(`${room.gateway.url}/`);
    await phone.button('Sign in').waitFor();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('asks for the password once per browser: other tabs have the sign-in, sign out together, and keep nothing of it', async () => {
    const { phone } = await room.atWork();
    const second = new SoftphonePage(await room.browser.open(`${room.gateway.url}/`));
    await second.button('Take over here').click();
    await second.connected();
    const stranger = await room.newAgent();
    const third = new SoftphonePage(await room.browser.open(`${room.gateway.url}/#sign-in`));
    await third.enter(stranger, room.company);
    const console_ = await room.browser.open(`${room.gateway.url}/admin`);
    await console_.getByRole('heading', { name: 'Readyline console' }).waitFor();
    // Two persons are signed in by now, and nobody can tell which of them a further tab is for.
    const fourth = await room.browser.open(`${room.gateway.url}/`);
    await fourth.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await second.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('eyJ');
    await second.button('Sign out').click();
    await second.button('Sign in').waitFor();
    await phone.button('Sign in').waitFor();
    await third.connected();
    await phone.page.reload();
    await phone.page.getByRole('heading', { name: `Agent ${stranger.agentCode}` }).waitFor();
  });

  it('asks for the sign-in again, and says why, when the log-in is not taken any more', async () => {
    const { phone, agent } = await room.atWork();
    await patchAgent(room.gateway, room.company, agent, { password: 'quite-another-password' }).expect(200);
    await phone.button('Sign in').waitFor();
    await phone.page.getByText(/Sign in again\./).waitFor();
    await shot(phone.page, 'refused');
  });

  it('renews a log-in that is about to end, without a break', async () => {
    room.browser.expectTrouble(/401/);
    const { phone, agent } = await room.atWork();
    await phone.page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem('readyline.sign-in') ?? '{}') as { expiresAt: string };
      kept.expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
      sessionStorage.setItem('readyline.sign-in', JSON.stringify(kept));
    });
    await phone.page.reload();
    await phone.connected();
    const banner = phone.page.getByRole('region', { name: 'Your log-in ends soon' });
    await banner.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await phone.button('Stay logged in').click();
    await banner
      .getByText(/credentials|password/i)
      .last()
      .waitFor();
    await shot(phone.page, 'log-in ends');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await banner.getByRole('textbox', { name: 'Password' }).fill(agent.password);
    await phone.button('Stay logged in').click();
    await banner.waitFor({ state: 'detached' });
    await phone.connected();
  });
});

describe('a log-in that ends in mid-call', () => {
  it('leaves the voice and its buttons, and the same agent goes on after signing in again', async () => {
    const page = await room.browser.open('about:blank');
    const sent = await countedAudio(page);
    await page.goto(`${room.gateway.url}/`);
    const phone = new SoftphonePage(page);
    const agent = await room.newAgent();
    await phone.enter(agent, room.company);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.inCall('Connected');
    const password = 'quite-another-password';
    await patchAgent(room.gateway, room.company, agent, { password }).expect(200);
    const banner = page.getByRole('region', { name: 'Your log-in has ended' });
    await banner.waitFor();
    const before = await sent();
    await eventually(async () => expect(await sent()).toBeGreaterThan(before));
    await shot(page, 'log-in ended in a call');
    expect(await seriousFindings(page)).toEqual([]);
    await banner.getByRole('textbox', { name: 'Password' }).fill(password);
    await phone.button('Sign in again').click();
    await banner.waitFor({ state: 'detached' });
    await phone.connected();
    const after = await sent();
    await eventually(async () => expect(await sent()).toBeGreaterThan(after));
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });

  it('lets the agent hang up, and records it once they have signed in again', async () => {
    const { phone, agent } = await room.inCall();
    const password = 'quite-another-password';
    await patchAgent(room.gateway, room.company, agent, { password }).expect(200);
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
    const page = await room.browser.open('about:blank');
    // What a page says as it goes is kept where the next one finds it.
    await page.addInitScript(() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function keep(message) {
        send.call(this, message);
        if (typeof message === 'string' && message.startsWith('CANCEL ')) localStorage.setItem('canceled', message);
      };
    });
    await page.goto(`${room.gateway.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(await room.newAgent(), room.company);
    await phone.number.fill('+15551230408');
    await phone.number.press('Enter');
    await phone.inCall('Ringing');
    await page.reload();
    await phone.connected();
    await phone.wrapUp.getByText(/Canceled/).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('canceled'))).toContain('+15551230408');
  });

  it('lets who was calling ring again, and the agent answers', async () => {
    const { phone, agent } = await room.atWork();
    await phone.goReady();
    const rung = ring(room.gateway, room.company, agent, { from: '+15551230005' });
    await phone.button('Answer').waitFor();
    await phone.page.reload();
    await phone.button('Answer').click();
    expect(await rung).toBe('answered');
    await phone.button('Hang up').click();
    await phone.connected();
    await phone.wrapUp.getByText(/Completed/).waitFor();
  });
});

describe('a call that rang before the page was reloaded', () => {
  it('is said to be waited for, and need not be', async () => {
    const { phone, agent } = await room.atWork();
    await phone.goReady();
    const calling = room.gateway
      .as(room.company)
      .post('/demo/ring')
      .send({ agent_code: agent.agentCode, from: '+15551230005' });
    const rung = calling.then(
      () => null,
      () => null,
    );
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
    calling.abort();
    await rung;
  });
});

/** How much audio the page's phone has sent so far, in bytes. To be asked for before the page is opened. */
async function countedAudio(page: Page): Promise<() => Promise<number>> {
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
