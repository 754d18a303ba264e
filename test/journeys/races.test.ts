import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { openBreakableLine, type BreakableLine } from '../support/gateway/breakableLine.ts';
import { gate, type Gate } from '../support/time/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

/** A gate whose way is broken. */
function failing(message: string): Gate {
  const broken = gate();
  broken.fail(new Error(message));
  return broken;
}

describe('an agent whom several things concern at once', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let supervisor: TestAgent;
  let line: BreakableLine;
  let companies = 0;
  let recording = gate();
  let callReading = gate();
  let presenceWriting = gate();
  let presenceAnswering = gate();
  let companyReading = gate();
  let customerReading = gate();

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', {
      clock,
      wrap: (services) => ({
        ...services,
        screenPops: {
          ...services.screenPops,
          find: (...args) => customerReading.pass(() => services.screenPops.find(...args)),
        },
        companyOf: (...args) => companyReading.pass(() => services.companyOf(...args)),
        calls: {
          ...services.calls,
          create: (...args) => recording.pass(() => services.calls.create(...args)),
          find: (...args) => callReading.pass(() => services.calls.find(...args)),
        },
        presence: {
          ...services.presence,
          commit: (...args) =>
            presenceWriting.pass(async () => {
              const written = await services.presence.commit(...args);
              return presenceAnswering.pass(async () => written);
            }),
        },
      }),
    });
  });
  beforeEach(async () => {
    [recording, callReading, companyReading, customerReading] = [gate(), gate(), gate(), gate()];
    [presenceWriting, presenceAnswering] = [gate(), gate()];
    companies += 1;
    company = await gateway.company({ slug: `races-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    supervisor = await gateway.agent(company, 'boss', 'supervisor');
    line = await openBreakableLine(gateway.url);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await line.close();
  });
  afterAll(() => gateway.close());

  const state = async () => (await gateway.as(supervisor).get(`/api/agents/${agent.id}/state`).expect(200)).body;
  const calls = async () => (await gateway.as(supervisor).get('/api/calls').expect(200)).body.calls;
  const callOf = async (id: string) => (await gateway.as(supervisor).get(`/api/calls/${id}`).expect(200)).body;
  const force = (body: object) => gateway.as(supervisor).put(`/api/agents/${agent.id}/state`).send(body);
  const click = () => gateway.click(company, { phone_number }).then((response) => response);
  const dialed = async (softphone: Softphone): Promise<string> => {
    const dialing = nextEvent(softphone, 'dial');
    expect((await click()).status).toBe(201);
    return (await dialing)[0].call_id;
  };
  /** Enough turns for whatever the gateway may do by itself. */
  const aWhile = async () => {
    for (let turn = 0; turn < 10; turn++) await state();
  };

  it('keeps the softphone that took over last, however slowly the one before it had connected', async () => {
    const before = await gateway.readySoftphone(agent);
    const callId = await dialed(before);
    before.close();
    await eventually(async () => (await state()).connection === 'reconnecting');
    const slow = gate();
    slow.shut();
    callReading = slow;
    const returning = before.connect().catch((error: unknown) => error);
    await slow.reached();
    callReading = gate();
    const after = gateway.softphone(agent);
    await after.connect();
    slow.open();
    expect(await returning).toMatchObject({ code: 'session_replaced' });
    await after.reportProgress(callId, 'ended');
    await inState(after, 'ready');
    expect((await click()).status).toBe(201);
  });

  it('is disconnected when the softphone that could not be told its state goes away again', async () => {
    const softphone = await gateway.readySoftphone(agent);
    softphone.close();
    await eventually(async () => (await state()).connection === 'reconnecting');
    companyReading = failing('the database is away');
    const connecting = softphone.connect().catch(() => null);
    await companyReading.reached();
    softphone.close();
    await connecting;
    await eventually(async () => (await state()).connection === 'reconnecting');
    companyReading = gate();
    expect((await click()).body.code).toBe('no_ready_agent');
  });

  it('is back by itself when the database was away for a moment while the softphone connected', async () => {
    const softphone = gateway.softphone(agent);
    companyReading = failing('the database is away');
    const connecting = softphone.connect();
    await companyReading.reached();
    companyReading = gate();
    expect((await connecting).agent.state).toBe('not_ready');
    expect((await softphone.setReady()).state).toBe('ready');
  });

  it('is not left connected because the presence store was away when the line broke', async () => {
    const softphone = await gateway.readySoftphone(agent);
    presenceWriting = failing('Redis is away');
    softphone.close();
    await presenceWriting.reached();
    presenceWriting = gate();
    await passTime(clock, 1_000, async () => (await state()).connection === 'reconnecting');
    expect((await click()).body.code).toBe('no_ready_agent');
  });

  it('does not stay on a call because the presence store was away when it ended', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const callId = await dialed(softphone);
    await passTime(clock, 16_000, async () => (await state()).version > 3);
    presenceWriting = failing('Redis is away');
    await softphone.reportProgress(callId, 'ended').catch(() => null);
    presenceWriting = gate();
    expect((await callOf(callId)).state).toBe('ended');
    await passTime(clock, 1_000, () => softphone.agent?.state === 'ready');
  });

  it('who is freed while the dial is being recorded has no call left behind', async () => {
    const softphone = await gateway.readySoftphone(agent);
    recording.shut();
    const clicking = click();
    await recording.reached();
    const freeing = force({ state: 'ready', force: true }).then((response) => response);
    await aWhile();
    recording.open();
    expect((await freeing).body.state).toBe('ready');
    expect((await clicking).status).toBe(503);
    expect([await calls(), softphone.pop]).toEqual([[], null]);
  });

  it('who is freed while a dial by hand is being recorded has no call left behind', async () => {
    const softphone = await gateway.readySoftphone(agent);
    recording.shut();
    const starting = softphone.startCall(phone_number).catch((error: unknown) => error);
    await recording.reached();
    const freeing = force({ state: 'ready', force: true }).then((response) => response);
    await aWhile();
    recording.open();
    expect((await freeing).body.state).toBe('ready');
    expect(await starting).toMatchObject({ code: 'dependency_unavailable' });
    expect([await calls(), softphone.call]).toEqual([[], null]);
  });

  it('is told of a click within 5 s that it cannot be served while the database hangs, and stays Ready', async () => {
    const softphone = await gateway.readySoftphone(agent);
    let pops = 0;
    softphone.on('pop', () => (pops += 1));
    customerReading.shut();
    const clicking = click();
    await customerReading.reached();
    await clock.advance(5_000);
    const { status, body } = await clicking;
    expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
    customerReading.open();
    // A dial that went on after all would have the agent before this one.
    const popped = nextEvent(softphone, 'pop');
    await dialed(softphone);
    await popped;
    expect(pops).toBe(1);
  });

  it('is not offered a click that has hardly any time left', async () => {
    await gateway.readySoftphone(agent);
    customerReading.shut();
    const clicking = click();
    await customerReading.reached();
    await clock.advance(4_900);
    customerReading.open();
    expect((await clicking).status).toBe(503);
    expect((await state()).state).toBe('ready');
  });

  it.each(['incomingCall', 'startCall'] as const)(
    'is free at once when nobody knows whether %s had been noted',
    async (event) => {
      const softphone = await gateway.readySoftphone(agent);
      presenceAnswering = failing('Redis did not answer in time');
      await expect(softphone[event](phone_number)).rejects.toMatchObject({ code: 'internal_error' });
      presenceAnswering = gate();
      const from = clock.now();
      await passTime(clock, 1_000, async () => (await state()).state === 'ready');
      expect(clock.now() - from).toBeLessThan(10_000);
      expect((await click()).status).toBe(201);
    },
  );

  it('is Ready again soon when nobody knows whether the dial was confirmed', async () => {
    const softphone = await gateway.readySoftphone(agent);
    presenceAnswering = failing('Redis did not answer in time');
    let status = 0;
    const clicking = click().then((answer) => (status = answer.status));
    // The failure is not told before the offer can no longer be shown.
    await passTime(clock, 0, () => status !== 0);
    await clicking;
    expect(status).toBeGreaterThanOrEqual(500);
    presenceAnswering = gate();
    const from = clock.now();
    await passTime(clock, 1_000, async () => (await state()).state === 'ready');
    expect(clock.now() - from).toBeLessThan(10_000);
    expect(softphone.pop).toBeNull();
  });

  it('has no wrap-up left when the call is wrapped up before the end of it has reached the agent', async () => {
    const slowly = await gateway.company({ slug: `slowly-${companies}`, agents: 1, wrapUpSeconds: 3_600 });
    const [talker] = slowly.agents;
    if (talker === undefined) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(talker);
    const dialing = nextEvent(softphone, 'dial');
    await gateway.click(slowly, { phone_number }).expect(201);
    const [{ call_id }] = await dialing;
    presenceWriting = gate();
    presenceWriting.shut();
    const slow = presenceWriting;
    const ending = softphone.reportProgress(call_id, 'ended');
    await slow.reached();
    presenceWriting = gate();
    await gateway.as(talker).post(`/api/calls/${call_id}/disposition`).send({ code: 'resolved' }).expect(200);
    slow.open();
    await ending;
    await inState(softphone, 'ready');
  });

  it('sees the newest state when it changed while the snapshot was made', async () => {
    const softphone = await gateway.readySoftphone(agent);
    softphone.close();
    await eventually(async () => (await state()).connection === 'reconnecting');
    const slow = gate();
    slow.shut();
    companyReading = slow;
    const connecting = softphone.connect();
    await slow.reached();
    companyReading = gate();
    await force({ state: 'not_ready' }).expect(200);
    slow.open();
    await connecting;
    await eventually(() => expect(softphone.agent).toMatchObject({ state: 'not_ready', reason: 'supervisor' }));
  });

  it('who was taken over and then signed out is not signed in again by the softphone left behind', async () => {
    const left = await gateway.readySoftphone(agent, { url: line.url });
    const replaced = nextEvent(left, 'line', (now) => now === 'replaced');
    const other = gateway.softphone(agent);
    await other.connect();
    await replaced;
    await other.signOut();
    // Over the same line, a softphone that does connect by itself.
    const witness = await gateway.readySoftphone(supervisor, { url: line.url });
    let lines = 0;
    left.on('line', () => (lines += 1));
    const [lost, back] = [nextEvent(witness, 'line', (now) => now === 'reconnecting'), nextEvent(witness, 'snapshot')];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    line.cut();
    await lost;
    line.mend();
    // The longest that a softphone waits before it tries.
    await vi.advanceTimersByTimeAsync(3_000);
    await back;
    expect([lines, left.line]).toEqual([0, 'replaced']);
    expect((await state()).state).toBe('offline');
    await left.connect();
    expect(left.agent?.state).toBe('not_ready');
  });

  it('who was away so long as to be logged out is not made Ready by the softphone that comes back', async () => {
    const softphone = await gateway.readySoftphone(agent, { url: line.url });
    line.cut();
    await eventually(async () => (await state()).connection === 'reconnecting');
    await passTime(clock, 301_000, async () => (await state()).state === 'offline');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
    const seen: string[] = [];
    softphone.on('agent', (view) => seen.push(`${view.state} ${view.reason}`));
    const back = nextEvent(softphone, 'snapshot');
    line.mend();
    await back;
    // Whatever it has asked for by itself is done before this.
    await softphone.setNotReady('break');
    await eventually(() => expect(seen).toEqual(['not_ready login', 'not_ready break']));
  });

  it('can connect again what is connected, to log in anew after a supervisor logged the agent out', async () => {
    const softphone = await gateway.readySoftphone(agent);
    await force({ state: 'offline' }).expect(200);
    await inState(softphone, 'offline');
    expect((await softphone.connect()).agent).toMatchObject({ state: 'not_ready', reason: 'login' });
    expect((await softphone.setReady()).state).toBe('ready');
  });

  it('declines when the page fails to decide on an offer', async () => {
    const softphone = await gateway.readySoftphone(agent, {
      acceptOffer: () => Promise.reject(new Error('no dialog')),
    });
    expect((await gateway.click(company, { phone_number, agent_id: agent.id })).body.code).toBe('agent_not_ready');
    await inState(softphone, 'not_ready');
    expect(softphone.agent?.reason).toBe('rejected');
  });

  it('keeps the call on screen when an earlier one is wrapped up by somebody else', async () => {
    const softphone = await gateway.readySoftphone(agent);
    const earlier = await dialed(softphone);
    await softphone.reportProgress(earlier, 'ended');
    await inState(softphone, 'ready');
    const now = await dialed(softphone);
    const told = nextEvent(softphone, 'call', (call) => call.id === earlier);
    await gateway.as(supervisor).post(`/api/calls/${earlier}/disposition`).send({ code: 'resolved' }).expect(200);
    await told;
    expect(softphone.call?.id).toBe(now);
  });

  it('has no pop on screen of a call that ended while the line was broken', async () => {
    const softphone = await gateway.readySoftphone(agent, { url: line.url });
    const callId = await dialed(softphone);
    expect(softphone.pop?.call_id).toBe(callId);
    line.cut();
    await eventually(async () => (await state()).connection === 'reconnecting');
    await force({ state: 'ready', force: true }).expect(200);
    const closed = nextEvent(softphone, 'popClosed');
    line.mend();
    expect((await closed)[0]).toBe(callId);
    expect(softphone.pop).toBeNull();
  });
});

describe('a gateway that starts', () => {
  it('puts an agent back on the call though another agent of the company cannot be read', async () => {
    const database = await createDatabase();
    const config = { databaseUrl: database.url, jwtSecret: randomBytes(32), encryptionKey: randomBytes(32) };
    const before = await startGateway('memory', { config });
    const company = await before.company({ slug: 'restarted', agents: 2 });
    const calls: string[] = [];
    for (const agent of company.agents) {
      await before.readySoftphone(agent);
      calls.push((await before.click(company, { phone_number, agent_id: agent.id }).expect(201)).body.call_id);
    }
    await before.close();
    const [broken, whole] = company.agents;
    const after = await startGateway('memory', {
      config,
      wrap: (services) => ({
        ...services,
        presence: {
          ...services.presence,
          find: async (companyId, agentId) => {
            if (agentId === broken?.id) throw new Error('what is stored is broken');
            return services.presence.find(companyId, agentId);
          },
        },
      }),
    });
    const path = `/api/agents/${whole?.id}/state`;
    const { body } = await after.as(company).get(path).expect(200);
    await after.close();
    await database.drop();
    expect(body).toMatchObject({ state: 'on_call', call_id: calls[1] });
  });
});
