import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IceServer } from '../../src/contract/telephony.ts';
import { Watcher } from '../../src/client/watcher.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { connectedSoftphone, patchAgent, pbx, putTelephony, telephonyOf } from '../support/gateway/telephony.ts';
import { shiftedClock } from '../support/gateway/shiftedClock.ts';
import { eventually } from '../support/time/waiting.ts';

const secret = 'shared with the TURN server';
const stun = { urls: ['stun:turn.example.com:3478'] };
const turn = { urls: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com'] };
const hour = 3_600_000;

let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let bob: TestAgent;
const clock = shiftedClock();

beforeAll(async () => {
  gateway = await startGateway('memory', { wrap: clock.wrap });
  [company, [ada, bob]] = await withAgents('turn');
});
beforeEach(async () => {
  clock.setAhead(0);
  await put([stun, { ...turn, secret }]).expect(200);
});
afterAll(() => gateway.close());

/** A company with two agents who telephone at its PBX. */
async function withAgents(slug: string): Promise<[TestCompany, [TestAgent, TestAgent]]> {
  const made = await gateway.company({ slug, agents: 2 });
  await putTelephony(gateway, made, pbx).expect(200);
  for (const agent of made.agents)
    await patchAgent(gateway, made, agent, { sip_user: agent.agentCode, sip_secret: 'a secret' }).expect(200);
  return [made, made.agents as [TestAgent, TestAgent]];
}

const put = (ice_servers: Parameters<typeof putTelephony>[2]['ice_servers'], of = company) =>
  putTelephony(gateway, of, { ice_servers });
const serversOf = async (agent: TestAgent): Promise<IceServer[]> => {
  const telephony = await telephonyOf(await connectedSoftphone(gateway, agent));
  if (telephony.mode !== 'sip') throw new Error('the agent has no telephone');
  return telephony.ice_servers;
};
const turnOf = async (agent: TestAgent) => (await serversOf(agent)).at(-1);
const passwordFor = (username = '', by = secret) => createHmac('sha1', by).update(username).digest('base64');

describe('a TURN server that shares a secret with the gateway', () => {
  it('is given to each agent’s softphone with a user and a credential of its own, for 12 hours', async () => {
    const before = Date.now();
    const servers = await serversOf(ada);
    const { username = '', expires_at: end = '' } = servers[1] ?? {};
    expect(servers).toEqual([stun, { ...turn, username, credential: passwordFor(username), expires_at: end }]);
    expect(username).toBe(`${Date.parse(end) / 1000}:${ada.id}`);
    expect(Date.parse(end)).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000 + 12 * hour);
    expect(Date.parse(end)).toBeLessThanOrEqual(Date.now() + 12 * hour);
    const others = await turnOf(bob);
    expect(others?.username).toMatch(new RegExp(`^\\d+:${bob.id}$`));
    expect(others?.credential).toBe(passwordFor(others?.username));
  });

  it('is given anew at each reading', async () => {
    const { expires_at: first = '' } = (await turnOf(ada)) ?? {};
    clock.setAhead(7 * hour);
    const { expires_at: second = '', username = '', credential } = (await turnOf(ada)) ?? {};
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(7 * hour);
    expect(credential).toBe(passwordFor(username));
  });

  it('is given to a supervisor who listens, in the supervisor’s name', async () => {
    const boss = await gateway.agent(company, 'boss', 'supervisor');
    const softphone = gateway.softphone(ada, { admitListener: async () => 'the offer of her page' });
    await softphone.connect();
    await softphone.setReady();
    const { id } = await softphone.startCall('+15551230001');
    await softphone.reportProgress(id, 'connected');
    const watcher = new Watcher({ url: gateway.url, token: boss.token });
    watcher.connect();
    try {
      await eventually(() => watcher.line === 'connected');
      const { ice_servers: servers } = await watcher.startListening(ada.id, id, 'listen');
      expect(servers[1]?.username).toMatch(new RegExp(`^\\d+:${boss.id}$`));
      expect(JSON.stringify(servers)).not.toContain(secret);
    } finally {
      watcher.close();
    }
    await softphone.reportProgress(id, 'ended', { end_reason: 'completed' });
  });

  it('keeps its secret where that is left out, and shows it to nobody', async () => {
    const shown = await gateway.as(company).get('/api/telephony').expect(200);
    expect(shown.body.ice_servers).toEqual([
      { ...stun, username: null, credential_set: false, secret_set: false },
      { ...turn, username: null, credential_set: false, secret_set: true },
    ]);
    const saved = await put([{ ...turn, username: null }, stun]).expect(200);
    expect(saved.body.ice_servers[0]).toEqual(shown.body.ice_servers[1]);
    expect(shown.text + saved.text).not.toContain(secret);
    const { username, credential } = (await serversOf(ada))[0] ?? {};
    expect(credential).toBe(passwordFor(username));
  });

  it('takes another secret, or a fixed user in its place, and back', async () => {
    await put([{ ...turn, secret: 'the next one' }]).expect(200);
    const next = await turnOf(ada);
    expect(next?.credential).toBe(passwordFor(next?.username, 'the next one'));
    const fixed = { ...turn, username: 'readyline', credential: 'fixed' };
    await put([fixed]).expect(200);
    expect(await serversOf(ada)).toEqual([fixed]);
    // Neither is kept for the other.
    const refused = await put([turn]).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'ice_servers.0.username', code: 'required' }]);
    await put([{ ...turn, secret }]).expect(200);
    expect((await put([{ ...turn, username: 'readyline' }]).expect(400)).body.errors).toMatchObject([
      { path: 'ice_servers.0.credential', code: 'required' },
    ]);
    expect((await put([{ ...turn, credential: 'alone' }]).expect(400)).body.errors).toMatchObject([
      { path: 'ice_servers.0.username', code: 'required' },
    ]);
    const again = await turnOf(ada);
    expect(again?.credential).toBe(passwordFor(again?.username));
  });

  it('does not lend its secret to another server, nor to another company', async () => {
    await put([{ urls: ['turn:elsewhere.example.com'] }]).expect(400);
    const [other, [stranger]] = await withAgents('turn-other');
    await put([turn], other).expect(400);
    await put([{ ...turn, secret: 'another one' }], other).expect(200);
    const theirs = await turnOf(stranger);
    expect(theirs?.credential).toBe(passwordFor(theirs?.username, 'another one'));
    const again = await turnOf(ada);
    expect(again?.credential).toBe(passwordFor(again?.username));
  });

  it.each([
    ['beside a user', { ...turn, username: 'readyline', secret }, 'secret_beside_user'],
    ['beside a credential', { ...turn, credential: 'fixed', secret }, 'secret_beside_user'],
    ['at a STUN server', { ...stun, secret }, 'secret_without_turn'],
    ['that is empty', { ...turn, secret: '' }, 'too_short'],
    ['that is too long', { ...turn, secret: 'x'.repeat(501) }, 'too_long'],
    ['of several lines', { ...turn, secret: 'one\ntwo' }, 'control_characters'],
  ])('is refused with a secret %s, and nothing has changed', async (_, server, code) => {
    const before = (await gateway.as(company).get('/api/telephony')).body;
    const { body } = await put([server]).expect(400);
    expect(body.errors).toMatchObject([{ path: 'ice_servers[0].secret', code }]);
    expect((await gateway.as(company).get('/api/telephony')).body).toEqual(before);
  });
});
