import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../../demo/cluster/freePort.ts';
import { type Program, startProgram } from '../../../demo/cluster/program.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../../support/gateway/gateway.ts';
import { connectedSoftphone, patchAgent, putTelephony, telephonyOf } from '../../support/gateway/telephony.ts';
import { shiftedClock } from '../../support/gateway/shiftedClock.ts';
import { eventually } from '../../support/time/waiting.ts';
import { type CallLab, openCallLab, recordedEnd } from './callRoom.ts';
import { toneFile } from './tones.ts';

// A browser that can be reached by its TURN server alone, which is coturn.
const secret = randomBytes(16).toString('hex');
const hour = 3_600_000;
let directory: string;
let coturn: Program;
let turn: string;
let gateway: Gateway;
let company: TestCompany;
const clock = shiftedClock();
/** What pages have opened to the PBX. */
let lines: WebSocketRoute[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'readyline-coturn-'));
  const port = String(await freePort());
  turn = `turn:127.0.0.1:${port}`;
  coturn = startProgram('turnserver', [
    ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--verbose', '--log-file=stdout', '--simple-log'],
    ...[`--pidfile=${join(directory, 'pid')}`, `--userdb=${join(directory, 'users')}`, '--realm=readyline.test'],
    ...['--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', `--listening-port=${port}`, '--allow-loopback-peers'],
    ...['--use-auth-secret', `--static-auth-secret=${secret}`],
  ]);
  await coturn.says(/UDP listener opened|listener opened on : 127\.0\.0\.1/);
  gateway = await startGateway('memory', { wrap: clock.wrap });
  company = await gateway.company({ slug: 'relayed', wrapUpSeconds: 600 });
});
beforeEach(() => {
  clock.setAhead(0);
  lines = [];
});
afterAll(async () => {
  await gateway?.close();
  await coturn?.stop();
  await rm(directory, { recursive: true, force: true });
});

const browser = useBrowser({
  profile: { context: { bypassCSP: true } },
  flags: [`--use-file-for-fake-audio-capture=${toneFile(1_000)}`],
});

/** The echo of the demo as if it were the company's own PBX, with that secret for coturn. */
async function someAgent(shared: string): Promise<TestAgent> {
  const agent = await gateway.agent(company, `relayed${randomBytes(4).toString('hex')}`);
  await putTelephony(gateway, company, { mode: 'none' }).expect(200);
  const softphone = await connectedSoftphone(gateway, agent);
  const given = await telephonyOf(softphone);
  await softphone.signOut();
  if (given.mode !== 'sip') throw new Error('the carrier of the demo is missing');
  await patchAgent(gateway, company, agent, { sip_user: given.user, sip_secret: given.secret }).expect(200);
  await putTelephony(gateway, company, {
    ...{ mode: 'sip', sip_domain: given.domain, ice_servers: [{ urls: [turn], secret: shared }] },
    sip_wss_url: `ws://${new URL(gateway.url).host}${given.wss_url}`,
  }).expect(200);
  return agent;
}

async function page(agent: TestAgent): Promise<CallLab> {
  const lab = await openCallLab(await browser.profile(), gateway, agent, {
    relayOnly: true,
    onPage: (opened) =>
      opened.routeWebSocket('**/demo/sip', (line) => {
        lines.push(line);
        line.connectToServer();
      }),
  });
  await lab.sees('a telephone', ({ phone }) => phone.state === 'ready');
  return lab;
}

it('lets a call through with the credential that the gateway has made, in the agent’s name', async () => {
  const agent = await someAgent(secret);
  const lab = await page(agent);
  await lab.dial('+15551230001');
  await lab.isConnected();
  expect(await lab.hears()).toBeCloseTo(1_000, -2);
  await lab.press('hangUp');
  await eventually(() => expect(coturn.stdout).toMatch(new RegExp(`user <\\d+:${agent.id}>.*success`)));
});

it('lets none through with another secret', async () => {
  const lab = await page(await someAgent('another secret'));
  const { id } = await lab.dial('+15551230001');
  await lab.sees('why', ({ notice }) => notice?.message.code === 'no_interface');
  expect(await recordedEnd(gateway, company, id)).toMatchObject({ end_reason: 'failed' });
});

it('lets a call through from a page that has slept for longer than its credential lasts, at the same line', async () => {
  const agent = await someAgent(secret);
  clock.setAhead(-13 * hour);
  const lab = await page(agent);
  clock.setAhead(0);
  await lab.dial('+15551230001');
  await lab.isConnected();
  expect(await lab.hears()).toBeCloseTo(1_000, -2);
  expect(lines).toHaveLength(1);
});
