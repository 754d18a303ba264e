import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { CallView } from '../../src/contract/calls.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../src/domain/ids.ts';
import type { PhoneNumber } from '../../src/domain/phones/phoneNumbers.ts';
import type { PresenceCommand } from '../../src/domain/presence.ts';
import { changePresence } from '../../src/usecases/agents/changePresence.ts';
import { newCall } from '../../src/usecases/calls/lifecycle/newCall.ts';
import { reapCalls } from '../../src/usecases/calls/repair/reapCalls.ts';
import type { Services } from '../../src/usecases/services.ts';
import { type BreakableLine, openBreakableLine } from '../support/gateway/breakableLine.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { gate } from '../support/time/gate.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';
/** A click's deadline and the grace for its record. */
const givenUpAfterMs = 5_600;
/** So much later it is answered, whatever is known by then. */
const decidedAfterMs = 400;
/** A softphone's gateway looks what became of an offer as often. */
const lookedAfterMs = 1_000;
/** The reaper looks at calls that are older. */
const minAgeOfReapedMs = 31_000;
/** What has to be tried again is, at the latest. */
const againAfterMs = 15_000;

describe('the record of a call that is late or meets another', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let services: Services;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let line: BreakableLine;
  let dials: string[];
  let heard: CallView[];
  let companies = 0;
  /** Before the statement, and between its commit and its answer. */
  let recording = gate();
  let answering = gate();
  let companyReading = gate();
  let callReading = gate();
  let fateReading = gate();
  let deciding = gate();
  /** The statement that was sent last. */
  let lateRecord: Promise<unknown> = Promise.resolve();
  let whenOffered = () => {};
  let records = 0;
  /** Answers of the store that are made up, in turn. */
  let madeUp: Awaited<ReturnType<Services['calls']['create']>>[] = [];

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', {
      clock,
      wrap: (inner) => {
        services = {
          ...inner,
          companyOf: (...args) => companyReading.pass(() => inner.companyOf(...args)),
          calls: {
            ...inner.calls,
            find: (...args) => callReading.pass(() => inner.calls.find(...args)),
            fate: (...args) => fateReading.pass(() => inner.calls.fate(...args)),
            ruleOut: (...args) => deciding.pass(() => inner.calls.ruleOut(...args)),
            create: (...args) => {
              records += 1;
              args[2]?.onSend?.();
              const answer = answering;
              const made = recording.pass(async () => madeUp.shift() ?? (await inner.calls.create(...args)));
              lateRecord = made;
              return made.then((created) => answer.pass(async () => created));
            },
          },
        };
        return services;
      },
    });
  });
  beforeEach(async () => {
    [recording, answering, companyReading, callReading] = [gate(), gate(), gate(), gate()];
    [fateReading, deciding] = [gate(), gate()];
    [madeUp, records, whenOffered] = [[], 0, () => {}];
    companies += 1;
    company = await gateway.company({ slug: `late-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    line = await openBreakableLine(gateway.url);
    const acceptOffer = () => {
      whenOffered();
      return true;
    };
    softphone = await gateway.readySoftphone(agent, { url: line.url, acceptOffer });
    [dials, heard] = [[], []];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    softphone.on('call', (call) => heard.push(call));
  });
  afterEach(async () => {
    softphone.close();
    await line.close();
  });
  afterAll(() => gateway.close());

  const click = (headers = {}) =>
    gateway.click(company, { phone_number }, headers).then(({ status, body, headers }) => ({ status, body, headers }));
  const calls = async (): Promise<CallView[]> => (await gateway.as(company).get('/api/calls').expect(200)).body.calls;
  const ids = () => ({ companyId: toId<CompanyId>(company.id), agentId: toId<AgentId>(agent.id) });
  const command = (wanted: PresenceCommand) => changePresence(services, ids().companyId, ids().agentId, wanted);
  const presence = () => services.presence.find(ids().companyId, ids().agentId);
  /** A call of the agent that is recorded as if by another gateway. */
  const recordElsewhere = async (callId = toId<CallId>(newId())): Promise<CallId> => {
    const at = new Date(clock.now());
    const about = { phone: phone_number as PhoneNumber, screenPop: {}, at };
    const call = newCall({ id: callId, ...ids(), direction: 'outbound', trigger: 'manual_dial', ...about });
    expect(await services.calls.create(call, [])).toBe('created');
    return callId;
  };
  const inEnd = async (callId: string, expected: Partial<CallView>) =>
    eventually(async () => {
      const call = (await calls()).find(({ id }) => id === callId);
      if (call?.state !== 'ended') return false;
      expect(call).toMatchObject(expected);
      return true;
    });
  const lost = { end_reason: 'failed', ended_by: 'system', end_detail: 'softphone_lost' } as const;
  /** A click whose record is held up at a gate, with the call it is for. */
  const heldUp = async (at: ReturnType<typeof gate>, headers = {}) => {
    at.shut();
    const clicking = click(headers);
    await at.reached();
    const callId = (await presence())?.callId;
    if (callId === null || callId === undefined) throw new Error('the agent is on the call');
    return { clicking, callId };
  };
  /** A click that has been confirmed, and waits for what its record says. */
  const heldUpBefore = async () => {
    whenOffered = () => {
      companyReading = gate();
      companyReading.shut();
    };
    const clicking = click();
    await inState(softphone, 'on_call');
    await companyReading.reached();
    return { clicking };
  };
  /** The click gives its record up. */
  const givesUp = async ({ clicking }: { clicking: ReturnType<typeof click> }) => {
    await clock.advance(givenUpAfterMs);
    const { status, body } = await clicking;
    expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
  };
  /** The database is away from the moment on in which the click gives its record up. */
  const cannotKnow = async ({ clicking }: { clicking: ReturnType<typeof click> }) => {
    for (const away of [fateReading, deciding]) away.shut();
    await clock.advance(givenUpAfterMs + decidedAfterMs);
    const { status, body, headers } = await clicking;
    expect([status, body.code, Number(headers['retry-after'])]).toEqual([503, 'outcome_unknown', 5]);
  };
  const comesToItself = () => {
    for (const back of [recording, answering, fateReading, deciding]) back.open();
  };
  const comesBack = async () => {
    line.cut();
    await eventually(() => softphone.line === 'reconnecting');
    line.mend();
    await eventually(() => softphone.line === 'connected');
  };

  describe('when it hangs', () => {
    it('the click is refused in time, and nobody dials, and nothing is recorded when it comes', async () => {
      const { clicking } = await heldUp(recording);
      await givesUp({ clicking });
      await inState(softphone, 'ready');
      expect(softphone.pop).toBeNull();
      await comesBack();
      recording.open();
      await lateRecord;
      expect([await calls(), dials, heard]).toEqual([[], [], []]);
      expect(softphone.agent?.state).toBe('ready');
    });

    it('the agent can be dialed by another click meanwhile, and stays on that call', async () => {
      const held = recording;
      await givesUp(await heldUp(held));
      recording = gate();
      const second = await click();
      expect(second.status).toBe(201);
      held.open();
      await lateRecord;
      expect((await calls()).map(({ id, state }) => [id, state])).toEqual([[second.body.call_id, 'dialing']]);
      await eventually(() => dials.length === 1);
      expect(dials).toEqual([second.body.call_id]);
      expect(await presence()).toMatchObject({ state: 'on_call', callId: second.body.call_id });
    });

    it('its Idempotency-Key is free, and what comes late is not remembered under it', async () => {
      const held = recording;
      const key = { 'Idempotency-Key': newId() };
      await givesUp(await heldUp(held, key));
      recording = gate();
      held.open();
      await lateRecord;
      const again = await click(key);
      expect(again.status).toBe(201);
      expect((await click(key)).body).toEqual(again.body);
      await eventually(() => dials.length > 0);
      expect(dials).toEqual([again.body.call_id]);
    });
  });

  it('counts when it was made and only its answer hangs: the click finds it, and its key remembers it', async () => {
    const key = { 'Idempotency-Key': newId() };
    const { clicking, callId } = await heldUp(answering, key);
    callReading.shut();
    await clock.advance(givenUpAfterMs);
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    callReading.open();
    await eventually(() => dials.length > 0);
    expect((await click(key)).body.call_id).toBe(callId);
    expect(dials).toEqual([callId]);
  });

  describe('when nobody can know whether it is made', () => {
    it('the click says so in time; the agent is free as soon as it is known that it is not, and the key too', async () => {
      const key = { 'Idempotency-Key': newId() };
      const { clicking, callId } = await heldUp(recording, key);
      await cannotKnow({ clicking });
      expect(await presence()).toMatchObject({ state: 'on_call', callId });
      for (const back of [fateReading, deciding]) back.open();
      await inState(softphone, 'ready');
      expect(softphone.pop).toBeNull();
      comesToItself();
      await lateRecord;
      expect([await calls(), dials]).toEqual([[], []]);
      await eventually(async () => (await click(key)).status === 201);
      expect(dials).not.toContain(callId);
    });

    it('the click says so in time; the softphone dials when it is known that it is, and the key tells so', async () => {
      const key = { 'Idempotency-Key': newId() };
      const { clicking, callId } = await heldUp(answering, key);
      await cannotKnow({ clicking });
      expect(dials).toEqual([]);
      comesToItself();
      await eventually(() => dials.length > 0);
      expect(await click(key)).toMatchObject({ status: 201, body: { call_id: callId } });
      expect(dials).toEqual([callId]);
      expect(await presence()).toMatchObject({ state: 'on_call', callId });
    });

    it('a database that refuses is asked again, until it says what became of it', async () => {
      const { clicking } = await heldUp(recording);
      for (const away of [fateReading, deciding]) away.fail(new Error('the database system is starting up'));
      await clock.advance(givenUpAfterMs + decidedAfterMs);
      expect((await clicking).body.code).toBe('outcome_unknown');
      [fateReading, deciding] = [gate(), gate()];
      await clock.advance(againAfterMs);
      await inState(softphone, 'ready');
      expect(dials).toEqual([]);
    });
  });

  it('is not begun when the click has been given up before', async () => {
    await givesUp(await heldUpBefore());
    companyReading.open();
    await inState(softphone, 'ready');
    // Another click reads what the first one waited for, after it.
    whenOffered = () => {};
    expect((await click()).status).toBe(201);
    expect(records).toBe(1);
  });

  it('counts when the softphone has learned of it from a snapshot before the click knows', async () => {
    const { clicking, callId } = await heldUp(answering);
    await comesBack();
    await eventually(() => dials.length > 0);
    await clock.advance(givenUpAfterMs);
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    answering.open();
    await softphone.reportProgress(callId, 'connected');
    expect(await presence()).toMatchObject({ state: 'on_call', callId });
    expect(dials).toEqual([callId]);
  });

  it("counts when the softphone's gateway has found it before the click knows", async () => {
    const { clicking, callId } = await heldUp(answering);
    await clock.advance(lookedAfterMs);
    await eventually(() => dials.length > 0);
    await clock.advance(givenUpAfterMs - lookedAfterMs);
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    answering.open();
    expect(dials).toEqual([callId]);
    expect(await presence()).toMatchObject({ state: 'on_call', callId });
  });

  it('is ended when its softphone was told that there is none: nobody stays on a call that nobody dials', async () => {
    const { clicking, callId } = await heldUp(answering);
    const onCall = await presence();
    if (onCall === null) throw new Error('the agent is on the call');
    services.softphones.rescind(onCall, { call_id: callId, claim_id: newId(), reason: 'canceled' });
    await eventually(() => softphone.pop === null);
    answering.open();
    expect((await clicking).status).toBe(201);
    await inState(softphone, 'ready');
    expect((await calls()).map(({ id, end_detail }) => [id, end_detail])).toEqual([[callId, 'not_dialed']]);
    expect(dials).toEqual([]);
  });

  it('is ordered again from its softphone by the reaper, should nobody have told it', async () => {
    const callId = await recordElsewhere();
    await command({ type: 'ask', wanted: { state: 'not_ready', reason: 'break' }, lease: null, force: false });
    const lease = (await presence())?.lease;
    if (lease === null || lease === undefined) throw new Error('the softphone is connected');
    await command({ type: 'dial_by_hand', callId, lease });
    await command({ type: 'keep_recorded', callId });
    heard.length = 0;
    await clock.leap(minAgeOfReapedMs);
    await reapCalls(services, false);
    await eventually(() => heard.some(({ id, state }) => id === callId && state === 'dialing'));
    await softphone.reportProgress(callId, 'ended');
  });

  it('is not made when another gateway has ruled it out, and the agent is free', async () => {
    const { clicking, callId } = await heldUp(recording);
    expect(await services.calls.ruleOut(ids().companyId, callId)).toBe('ruled_out');
    recording.open();
    expect(await clicking).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    await inState(softphone, 'ready');
    expect([await calls(), dials]).toEqual([[], []]);
  });

  it.each(['a click', 'startCall', 'incomingCall'] as const)(
    'ends the call that a dead gateway left behind: %s',
    async (how) => {
      const left = await recordElsewhere();
      const key = { 'Idempotency-Key': newId() };
      const begin = {
        'a click': async () => (await click(key)).body.call_id,
        startCall: async () => (await softphone.startCall(phone_number)).id,
        incomingCall: async () => (await softphone.incomingCall(phone_number)).call.id,
      };
      const callId = await begin[how]();
      await inEnd(left, lost);
      expect((await calls()).find(({ id }) => id === callId)?.state).toBe(
        how === 'incomingCall' ? 'ringing' : 'dialing',
      );
      expect((await presence())?.callId).toBe(callId);
      if (how === 'a click') expect((await click(key)).body.call_id).toBe(callId);
    },
  );

  it('is made when the call that was left behind is ended by somebody else in the same moment', async () => {
    const left = await recordElsewhere();
    answering = gate();
    const { clicking, callId } = await heldUp(answering);
    const found = await services.calls.find(ids().companyId, left);
    if (found.kind !== 'found') throw new Error('it was recorded');
    await services.calls.commit(
      { ...found.value, state: 'ended', endedAt: new Date(), endReason: 'completed', version: 2 },
      [],
    );
    answering.open();
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    expect((await calls()).find(({ id }) => id === left)?.end_reason).toBe('completed');
  });

  it('is not made when yet another call of the agent is recorded at once', async () => {
    madeUp = ['agent_has_call', 'agent_has_call'];
    const clicking = click();
    expect((await clicking).status).toBe(503);
    await inState(softphone, 'ready');
    expect([await calls(), dials]).toEqual([[], []]);
  });

  it('leaves the call alone that the agent has taken since a gateway stood still between confirm and record', async () => {
    const { clicking, callId } = await heldUp(recording);
    await services.calls.ruleOut(ids().companyId, callId);
    await command({ type: 'drop_unrecorded', callId });
    const lease = (await presence())?.lease;
    if (lease === null || lease === undefined) throw new Error('the softphone is connected');
    const other = toId<CallId>(newId());
    await command({ type: 'dial_by_hand', callId: other, lease });
    const held = recording;
    recording = gate();
    await recordElsewhere(other);
    held.open();
    expect((await clicking).status).toBe(503);
    expect((await calls()).map(({ id, state }) => [id, state])).toEqual([[other, 'dialing']]);
    expect(await presence()).toMatchObject({ state: 'on_call', callId: other });
    expect(dials).toEqual([]);
  });
});
