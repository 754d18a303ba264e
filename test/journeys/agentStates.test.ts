import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { io } from 'socket.io-client';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const phone_number = '+15551230001';
const wrapUpSeconds = 30;

describe('an agent', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let supervisor: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', { clock });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `states-${companies}`, agents: 1, wrapUpSeconds });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    supervisor = await gateway.agent(company, 'boss', 'supervisor');
  });
  afterAll(() => gateway.close());

  const stateOf = async (id: string) => (await gateway.as(supervisor).get(`/api/agents/${id}/state`).expect(200)).body;
  const callOf = async (id: string) => (await gateway.as(supervisor).get(`/api/calls/${id}`).expect(200)).body;
  const force = (body: object) => gateway.as(supervisor).put(`/api/agents/${agent.id}/state`).send(body);
  const dialed = async (softphone: Softphone): Promise<string> => {
    const dialing = nextEvent(softphone, 'dial');
    expect((await gateway.click(company, { phone_number })).status).toBe(201);
    return (await dialing)[0].call_id;
  };

  it('begins the day Not Ready with the reason login', async () => {
    const softphone = gateway.softphone(agent);
    const snapshot = await softphone.connect();
    expect(snapshot).toMatchObject({ agent: { state: 'not_ready', reason: 'login' }, call: null, offer: null });
    expect(snapshot.dispositions.map(({ code }) => code)).toContain('resolved');
  });

  it('gives a reason for Not Ready that the company knows, and no other', async () => {
    const softphone = await gateway.readySoftphone(agent);
    expect(await softphone.setNotReady('break')).toMatchObject({ state: 'not_ready', reason: 'break' });
    await expect(softphone.setNotReady('fishing')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is in wrap-up after a call and Ready again when the time for it is over', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    await softphone.reportProgress(callId, 'ended', { end_reason: 'no_answer' });
    await inState(softphone, 'wrap_up');
    expect(softphone.agent?.wrap_up_ends_at).toBe(new Date(clock.now() + wrapUpSeconds * 1000).toISOString());
    await passTime(clock, wrapUpSeconds * 1000, () => softphone.agent?.state === 'ready');
  });

  it('who types has 30 s more from each key, up to the company’s maximum, and everybody sees the true end', async () => {
    await gateway.as(company).patch('/api/company').send({ wrap_up_max_seconds: 70 }).expect(200);
    const softphone = await gateway.readySoftphone(agent);
    expect((await softphone.readSettings()).wrap_up_max_seconds).toBe(70);
    const callId = await dialed(softphone);
    await expect(softphone.extendWrapUp(callId)).rejects.toMatchObject({ code: 'conflict' });
    await softphone.reportProgress(callId, 'ended', { end_reason: 'no_answer' });
    await inState(softphone, 'wrap_up');
    const begun = clock.now();
    const endsAfter = (seconds: number) => new Date(begun + seconds * 1000).toISOString();
    const { version } = await softphone.extendWrapUp(callId);
    expect(version).toBe(softphone.agent?.version);
    expect(softphone.agent?.wrap_up_ends_at).toBe(endsAfter(30));
    await clock.advance(20_000);
    expect((await softphone.extendWrapUp(callId)).wrap_up_ends_at).toBe(endsAfter(50));
    expect(await stateOf(agent.id)).toMatchObject({
      state: 'wrap_up',
      wrap_up_ends_at: endsAfter(50),
      since: endsAfter(0),
    });
    await clock.advance(25_000);
    expect((await softphone.extendWrapUp(callId)).wrap_up_ends_at).toBe(endsAfter(70));
    await clock.advance(20_000);
    expect((await softphone.extendWrapUp(callId)).wrap_up_ends_at).toBe(endsAfter(70));
    await passTime(clock, 5_000, () => softphone.agent?.state === 'ready');
    await expect(softphone.extendWrapUp(callId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('who types in a tab that was taken over, or about another call, holds no wrap-up open', async () => {
    const stale = await gateway.readySoftphone(agent);
    const callId = await dialed(stale);
    await stale.reportProgress(callId, 'ended', { end_reason: 'no_answer' });
    await inState(stale, 'wrap_up');
    const replaced = nextEvent(stale, 'line');
    const softphone = gateway.softphone(agent);
    const { agent: before } = await softphone.connect();
    expect((await replaced)[0]).toBe('replaced');
    await clock.advance(20_000);
    await expect(stale.extendWrapUp(callId)).rejects.toMatchObject({ code: 'session_replaced' });
    await expect(softphone.extendWrapUp(randomUUID())).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(agent.id)).toMatchObject({ wrap_up_ends_at: before.wrap_up_ends_at, version: before.version });
  });

  it('has no longer wrap-up by typing where the company’s maximum is less than the wrap-up itself', async () => {
    await gateway.as(company).patch('/api/company').send({ wrap_up_max_seconds: 0 }).expect(200);
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    await softphone.reportProgress(callId, 'ended', { end_reason: 'no_answer' });
    await inState(softphone, 'wrap_up');
    const end = softphone.agent?.wrap_up_ends_at;
    await clock.advance(20_000);
    expect((await softphone.extendWrapUp(callId)).wrap_up_ends_at).toBe(end);
  });

  it('chooses during a call what comes after it', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    expect(await softphone.setNotReady('meal')).toMatchObject({ state: 'on_call', pending_state: 'not_ready' });
    await softphone.reportProgress(callId, 'ended');
    await inState(softphone, 'wrap_up');
    await softphone.submitDisposition(callId, { code: 'resolved' });
    await inState(softphone, 'not_ready');
    expect(softphone.agent?.reason).toBe('meal');
  });

  it('whose line breaks is not routable at once, and is Ready again when back within 30 s', async () => {
    const softphone = await gateway.readySoftphone(agent);
    softphone.close();
    await eventually(async () => (await stateOf(agent.id)).connection === 'reconnecting');
    expect(await stateOf(agent.id)).toMatchObject({ state: 'ready', connection: 'reconnecting' });
    expect((await gateway.click(company, { phone_number })).body.code).toBe('no_ready_agent');
    await clock.advance(20_000);
    const snapshot = await softphone.connect();
    expect(snapshot.agent).toMatchObject({ state: 'ready', connection: 'connected' });
    expect((await gateway.click(company, { phone_number })).status).toBe(201);
  });

  it('who stays away becomes Not Ready after 30 s and offline after 300 s', async () => {
    const softphone = await gateway.readySoftphone(agent);
    softphone.close();
    await eventually(async () => (await stateOf(agent.id)).connection === 'reconnecting');
    await passTime(clock, 30_000, async () => (await stateOf(agent.id)).state === 'not_ready');
    expect(await stateOf(agent.id)).toMatchObject({ reason: 'connection_lost', connection: 'lost' });
    await passTime(clock, 270_000, async () => (await stateOf(agent.id)).state === 'offline');
  });

  it('whose line breaks in a call finds the call on return', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    await softphone.reportProgress(callId, 'connected');
    softphone.close();
    await eventually(async () => (await stateOf(agent.id)).connection === 'reconnecting');
    await passTime(clock, 60_000, async () => (await stateOf(agent.id)).connection === 'lost');
    expect((await stateOf(agent.id)).state).toBe('on_call');
    const snapshot = await softphone.connect();
    expect(snapshot.agent).toMatchObject({ state: 'on_call', call_id: callId });
    expect(snapshot.call).toMatchObject({ id: callId, state: 'connected' });
    await softphone.reportProgress(callId, 'ended');
    await inState(softphone, 'wrap_up');
  });

  it('who never returns from a call does not stay on it: the call ends as failed after the grace', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    softphone.close();
    await eventually(async () => (await stateOf(agent.id)).connection === 'reconnecting');
    await passTime(clock, 300_000, async () => (await stateOf(agent.id)).state === 'offline');
    await eventually(async () => (await callOf(callId)).state === 'ended');
    expect(await callOf(callId)).toMatchObject({
      end_reason: 'failed',
      ended_by: 'system',
      end_detail: 'softphone_lost',
    });
  });

  it('has one softphone: a second takes over, and the first becomes passive', async () => {
    const first = await gateway.readySoftphone(agent);
    const replaced = nextEvent(first, 'line', (line) => line === 'replaced');
    const second = gateway.softphone(agent);
    expect((await second.connect()).agent.state).toBe('ready');
    await replaced;
    await expect(first.setNotReady('break')).rejects.toMatchObject({ code: 'session_replaced' });
    const popped = nextEvent(second, 'pop');
    let firstPopped = false;
    first.on('pop', () => (firstPopped = true));
    expect((await gateway.click(company, { phone_number })).status).toBe(201);
    await popped;
    expect(firstPopped).toBe(false);
  });

  it('whose replaced softphone reconnects by itself does not fight for the session', async () => {
    const first = await gateway.readySoftphone(agent);
    const firstSession = first.session;
    const second = gateway.softphone(agent);
    await second.connect();
    const again = gateway.softphone(agent, firstSession === undefined ? {} : { session: firstSession });
    await expect(again.connect()).rejects.toMatchObject({ code: 'session_replaced' });
    expect((await second.setNotReady('break')).state).toBe('not_ready');
  });

  it('takes the softphone back by connecting anew', async () => {
    const first = await gateway.readySoftphone(agent);
    const replaced = nextEvent(first, 'line', (line) => line === 'replaced');
    const second = gateway.softphone(agent);
    await second.connect();
    await replaced;
    await first.connect();
    expect(await first.setReady()).toMatchObject({ state: 'ready' });
  });

  it('signs out', async () => {
    const softphone = await gateway.readySoftphone(agent);
    await softphone.signOut();
    await eventually(async () => (await stateOf(agent.id)).state === 'offline');
  });

  it('is seen and moved by the supervisor', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const watching = io(gateway.url, { auth: { token: supervisor.token, watch: true }, transports: ['websocket'] });
    const seen = new Promise<object>((resolve) => watching.once('agents_snapshot', resolve));
    expect(await seen).toMatchObject({
      agents: [{ agent_id: agent.id, state: 'ready' }],
      server_time: new Date(clock.now()).toISOString(),
    });
    const changed = new Promise<object>((resolve) => watching.once('agent_state_changed', resolve));
    expect((await force({ state: 'not_ready' })).body).toMatchObject({ state: 'not_ready', reason: 'supervisor' });
    expect(await changed).toMatchObject({ agent_id: agent.id, state: 'not_ready' });
    await inState(softphone, 'not_ready');
    watching.disconnect();
  });

  it('has a new name at once, on the wallboard and in the softphone', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const watching = io(gateway.url, { auth: { token: supervisor.token, watch: true }, transports: ['websocket'] });
    await new Promise((resolve) => watching.once('agents_snapshot', resolve));
    const seen = new Promise<object>((resolve) => watching.once('agent_state_changed', resolve));
    const told = nextEvent(softphone, 'agent', ({ name }) => name === 'Renamed');
    const { version } = await stateOf(agent.id);
    await gateway.as(company).patch(`/api/agents/${agent.id}`).send({ name: 'Renamed' }).expect(200);
    const renamed = { agent_id: agent.id, name: 'Renamed', state: 'ready', version: version + 1 };
    expect(await seen).toMatchObject(renamed);
    expect((await told)[0]).toMatchObject(renamed);
    watching.disconnect();
  });

  it('who is stuck in a call is freed by the supervisor, and the call ends', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    expect((await force({ state: 'ready' })).body).toMatchObject({ state: 'on_call', pending_state: 'ready' });
    expect((await force({ state: 'ready', force: true })).body).toMatchObject({ state: 'ready', call_id: null });
    expect(await callOf(callId)).toMatchObject({
      state: 'ended',
      ended_by: 'system',
      end_detail: 'freed_by_supervisor',
    });
    await inState(softphone, 'ready');
  });

  it('keeps a call that the supervisor who frees it did not see', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const seen = await dialed(softphone);
    await softphone.reportProgress(seen, 'ended');
    await inState(softphone, 'wrap_up');
    await softphone.submitDisposition(seen, { code: 'resolved' });
    await inState(softphone, 'ready');
    const callId = await dialed(softphone);
    const free = (call_id: string | null) => force({ state: 'not_ready', force: true, call_id });
    for (const call_id of [seen, null]) {
      const { status, body } = await free(call_id);
      expect([status, body]).toMatchObject([
        409,
        { code: 'conflict', detail: expect.stringContaining('another call'), agent_state: { state: 'on_call' } },
      ]);
    }
    expect(await stateOf(agent.id)).toMatchObject({ state: 'on_call', call_id: callId, pending_state: null });
    expect((await callOf(callId)).state).not.toBe('ended');
    expect((await free(callId)).body).toMatchObject({ state: 'not_ready', call_id: null });
    expect(await callOf(callId)).toMatchObject({ state: 'ended', end_detail: 'freed_by_supervisor' });
  });

  it('is refused a state that makes no sense, with the current one in the answer', async () => {
    expect((await force({ state: 'ready' })).body).toMatchObject({
      code: 'conflict',
      agent_state: { state: 'offline' },
    });
    expect((await force({ state: 'ready' })).status).toBe(409);
  });

  it('whose token expires is disconnected, unless it was renewed', async () => {
    const renewing = gateway.softphone(agent);
    await renewing.connect();
    const forgetful = gateway.softphone(supervisor);
    await forgetful.connect();
    await clock.leap(4 * 3_600_000);
    const fresh = await gateway.logIn({
      agent_code: agent.agentCode,
      company_slug: company.slug,
      password: agent.password,
    });
    expect(Date.parse((await renewing.renewToken(fresh)) ?? '')).toBeGreaterThan(clock.now() + 7 * 3_600_000);
    const cutOff = nextEvent(forgetful, 'line', (line) => line === 'refused');
    await clock.leap(4 * 3_600_000);
    await cutOff;
    expect(renewing.line).toBe('connected');
    await expect(forgetful.connect()).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('who is deactivated loses the line and the token at once', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const cutOff = nextEvent(softphone, 'line', (line) => line === 'refused');
    await gateway.as(company).patch(`/api/agents/${agent.id}`).send({ active: false }).expect(200);
    await cutOff;
    const me = await gateway.as(agent).get('/api/me');
    expect([me.status, me.body.code]).toEqual([401, 'invalid_token']);
  });
});
