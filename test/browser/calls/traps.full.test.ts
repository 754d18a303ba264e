import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UpdateTelephonyRequest } from '../../../src/contract/telephony.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import { connectedSoftphone, patchAgent, putTelephony, telephonyOf } from '../../support/gateway/telephony.ts';
import { openCallLab, recordedEnd } from './callRoom.ts';

let gateway: Gateway;
let companies = 0;
/** Takes everything and answers nothing, as a server behind a closed firewall. */
const silent = createSocket('udp4');

beforeAll(async () => {
  gateway = await startGateway();
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  silent.close();
  await gateway.close();
});

const browser = useBrowser({ profile: { context: { bypassCSP: true } } });

async function oneAgent(): Promise<{ company: TestCompany; agent: TestAgent }> {
  const company = await gateway.company({ slug: `traps-${companies++}`, wrapUpSeconds: 600, agents: 1 });
  return { company, agent: company.agents[0]! };
}

/** The echo carrier as if it were the company's own PBX, so that the company's ICE servers count. */
async function atOwnPbx(
  iceServers: UpdateTelephonyRequest['ice_servers'],
): Promise<{ company: TestCompany; agent: TestAgent }> {
  const { company, agent } = await oneAgent();
  const softphone = await connectedSoftphone(gateway, agent);
  const given = await telephonyOf(softphone);
  await softphone.signOut();
  if (given.mode !== 'sip') throw new Error('the carrier of the demo is missing');
  const { host } = new URL(gateway.url);
  await patchAgent(gateway, company, agent, { sip_user: given.user, sip_secret: given.secret }).expect(200);
  await putTelephony(gateway, company, {
    mode: 'sip',
    sip_wss_url: `ws://${host}${given.wss_url}`,
    sip_domain: given.domain,
    ice_servers: iceServers ?? [],
  }).expect(200);
  return { company, agent };
}

describe('a call', () => {
  // The browser alone would wait for its answer for 40 s, which is longer than this test does.
  it('goes out though the STUN server never answers', async () => {
    const { agent } = await atOwnPbx([{ urls: [`stun:127.0.0.1:${silent.address().port}`] }]);
    const asked = once(silent, 'message');
    const lab = await openCallLab(await browser.profile(), gateway, agent);
    await lab.dial('+15551230001');
    await asked;
    await lab.isConnected();
  });

  it('fails, and the agent is told why, where the browser has no network to send the audio through', async () => {
    const { company, agent } = await atOwnPbx([]);
    const lab = await openCallLab(await browser.profile(), gateway, agent, { relayOnly: true });
    const { id } = await lab.dial('+15551230001');
    const { notice } = await lab.sees('why', (view) => view.notice !== null);
    expect(notice?.message.code).toBe('no_interface');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'failed' });
  });

  it('fails too where such a network never says so', async () => {
    const urls = [`turn:127.0.0.1:${silent.address().port}`];
    const { company, agent } = await atOwnPbx([{ urls, username: 'user', credential: 'secret' }]);
    const lab = await openCallLab(await browser.profile(), gateway, agent, { relayOnly: true });
    const { id } = await lab.dial('+15551230001');
    await lab.sees('why', ({ notice }) => notice?.message.code === 'no_interface');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'failed' });
  });

  it('outlives the line to the telephone network, which comes back by itself', async () => {
    const { company, agent } = await oneAgent();
    const lines: WebSocketRoute[] = [];
    const lab = await openCallLab(await browser.profile(), gateway, agent, {
      onPage: (page) =>
        page.routeWebSocket('**/demo/sip', (line) => {
          lines.push(line);
          line.connectToServer();
        }),
    });
    const { id } = await lab.dial('+15551230001');
    await lab.isConnected();
    // The agent sees it for a moment only, which the page itself does not miss.
    await lab.page.evaluate(() => {
      const { workplace } = window.lab;
      const whyGone = new Promise((resolve) => {
        workplace.subscribe(() => {
          const { phone } = workplace.view();
          if (phone.state === 'unavailable') resolve(phone.why);
        });
      });
      Object.assign(window, { whyGone });
    });
    await lines[0]!.close();
    expect(await lab.page.evaluate('whyGone')).toBe('connection_lost');
    await lab.sees('that it is back', ({ phone }) => phone.state === 'ready');
    expect(lines.length).toBeGreaterThan(1);
    expect((await lab.isConnected()).id).toBe(id);
    await lab.press('hangUp');
    expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });
});

describe('a telephone', () => {
  it('without a microphone says so, and does not let its agent go Ready', async () => {
    const { agent } = await oneAgent();
    const lab = await openCallLab(await browser.profile(), gateway, agent, { hasNoMicrophone: true });
    const { phone } = await lab.sees('why', (view) => view.phone.state === 'unavailable');
    expect(phone).toMatchObject({ why: 'microphone_missing' });
    await lab.page.evaluate(() => window.lab.workplace.setReady());
    expect(await lab.view()).toMatchObject({ agent: { state: 'not_ready' }, notice: { kind: 'problem' } });
  });

  it('whose account is refused says so', async () => {
    const { company, agent } = await atOwnPbx([]);
    await patchAgent(gateway, company, agent, { sip_secret: 'a secret of yesterday' }).expect(200);
    const lab = await openCallLab(await browser.profile(), gateway, agent);
    const { phone } = await lab.sees('why', (view) => view.phone.state === 'unavailable');
    expect(phone).toMatchObject({ why: 'account_refused', sipCode: 403 });
  });
});

describe('a tab that was duplicated', () => {
  it('takes over with a session of its own, and the first one stays quiet', async () => {
    const { agent } = await oneAgent();
    const profile = await browser.profile();
    const first = await openCallLab(profile, gateway, agent);
    await first.sees('a telephone', ({ phone }) => phone.state === 'ready');
    const storage = await first.page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>);
    const second = await openCallLab(profile, gateway, agent, { storage });
    await second.sees('a telephone', ({ phone, line }) => phone.state === 'ready' && line === 'connected');
    await first.sees('that it was taken over', ({ line }) => line === 'replaced');
    const key = `readyline.session.${agent.id}`;
    const own = await second.page.evaluate((name) => sessionStorage.getItem(name), key);
    expect(own).not.toBeNull();
    expect(own).not.toBe(storage[key]);
  });
});
