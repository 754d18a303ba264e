import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { CallView } from '../../src/contract/calls.ts';
import { toId, type AgentId, type CallId, type CompanyId } from '../../src/domain/ids.ts';
import type { PhoneNumber } from '../../src/domain/phoneNumbers.ts';
import type { PresenceCommand } from '../../src/domain/presenceCommands.ts';
import { changePresence } from '../../src/usecases/agents/changePresence.ts';
import { newCall } from '../../src/usecases/calls/newCall.ts';
import type { Services } from '../../src/usecases/services.ts';
import { openBreakableLine, type BreakableLine } from '../support/breakableLine.ts';
import { gate } from '../support/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manualClock.ts';
import { inState } from '../support/softphoneEvents.ts';
import { eventually } from '../support/time.ts';

const phone_number = '+15551230001';
/** A click's deadline and the grace for its record. */
const givenUpAfterMs = 6_000;
/** So much later, the check for the record is near. */
const nearlyCheckedMs = 12_000;

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
  let settingsReading = gate();
  let callReading = gate();
  let whenOffered = () => {};
  let records = 0;
  /** Answers of the store that are made up, in turn. */
  let madeUp: Awaited<ReturnType<Services['calls']['create']>>[] = [];
  let presenceAheadMs = 0;

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', {
      clock,
      wrap: (inner) => {
        services = {
          ...inner,
          settings: (...args) => settingsReading.pass(() => inner.settings(...args)),
          presence: { ...inner.presence, now: () => inner.presence.now() + presenceAheadMs },
          calls: {
            ...inner.calls,
            find: (...args) => callReading.pass(() => inner.calls.find(...args)),
            create: (...args) => {
              records += 1;
              const answer = answering;
              return recording.pass(async () => {
                const made = madeUp.shift() ?? (await inner.calls.create(...args));
                return answer.pass(async () => made);
              });
            },
          },
        };
        return services;
      },
    });
  });
  beforeEach(async () => {
    [recording, answering, settingsReading, callReading] = [gate(), gate(), gate(), gate()];
    [madeUp, presenceAheadMs, records, whenOffered] = [[], 0, 0, () => {}];
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

  const asAdmin = () => ({ authorization: `Bearer ${company.adminToken}` });
  const click = (headers = {}) => gateway.click(company, { phone_number }, headers).then(({ status, body }) => ({ status, body }));
  const calls = async (): Promise<CallView[]> => (await gateway.api.get('/api/calls').set(asAdmin()).expect(200)).body.calls;
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
  const notDialed = { end_reason: 'failed', ended_by: 'system', end_detail: 'not_dialed' } as const;
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
      settingsReading = gate();
      settingsReading.shut();
    };
    const clicking = click();
    await inState(softphone, 'on_call');
    await settingsReading.reached();
    return { clicking };
  };
  /** The click gives its record up; no softphone looks for it at the same time. */
  const givesUp = async ({ clicking }: { clicking: ReturnType<typeof click> }) => {
    callReading.shut();
    await clock.advance(givenUpAfterMs);
    const { status, body } = await clicking;
    expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
    callReading.open();
  };
  const comesBack = async () => {
    line.cut();
    await eventually(() => softphone.line === 'reconnecting');
    line.mend();
    await eventually(() => softphone.line === 'connected');
  };

  describe.each([
    ['hangs', () => recording],
    ['was made, but its answer hangs', () => answering],
  ])('when it %s', (_, at) => {
    it('the click is refused in time, nobody dials, and the record is ended when it turns up', async () => {
      const held = at();
      const { clicking, callId } = await heldUp(held);
      await givesUp({ clicking });
      await inState(softphone, 'ready');
      expect(softphone.pop).toBeNull();
      await comesBack();
      held.open();
      await inEnd(callId, notDialed);
      expect(heard.filter(({ state }) => state === 'dialing')).toEqual([]);
      expect(dials).toEqual([]);
      expect(softphone.agent?.state).toBe('ready');
    });

    it('the agent can be dialed by another click meanwhile, and stays on that call', async () => {
      const held = at();
      const { clicking, callId } = await heldUp(held);
      await givesUp({ clicking });
      [recording, answering] = [gate(), gate()];
      const second = await click();
      expect(second.status).toBe(201);
      held.open();
      await eventually(async () => (await calls()).every(({ id, state }) => (id === second.body.call_id ? state === 'dialing' : state === 'ended')));
      expect((await calls()).find(({ id }) => id === callId)?.end_detail ?? 'softphone_lost').toBe('softphone_lost');
      await eventually(() => dials.length === 1);
      expect(dials).toEqual([second.body.call_id]);
      expect(await presence()).toMatchObject({ state: 'on_call', callId: second.body.call_id });
    });

    it('its Idempotency-Key is free, and what comes late is not remembered under it', async () => {
      const held = at();
      const key = { 'Idempotency-Key': newId() };
      const { clicking, callId } = await heldUp(held, key);
      await givesUp({ clicking });
      [recording, answering] = [gate(), gate()];
      held.open();
      const settled = async () => (await calls()).every(({ state }) => state === 'ended');
      await eventually(settled);
      let again = await click(key);
      // The answer that had been recorded is forgotten right after its call is ended.
      while (again.body.call_id === callId) again = await click(key);
      expect(again.status).toBe(201);
      expect(await click(key)).toEqual(again);
      await eventually(() => dials.length > 0);
      expect(dials).toEqual([again.body.call_id]);
    });
  });

  it('is not begun when the click has been given up before', async () => {
    await givesUp(await heldUpBefore());
    settingsReading.open();
    await inState(softphone, 'ready');
    // Another click reads what the first one waited for, after it.
    whenOffered = () => {};
    expect((await click()).status).toBe(201);
    expect(records).toBe(1);
  });

  it('counts as a dial when the softphone has learned of it from a snapshot before the click gave it up', async () => {
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

  it('counts as a dial when the softphone\'s gateway has found it before the click gave it up', async () => {
    const { clicking, callId } = await heldUp(answering);
    await clock.advance(1_000);
    await eventually(() => dials.length > 0);
    await clock.advance(givenUpAfterMs);
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    answering.open();
    expect(dials).toEqual([callId]);
    expect(await presence()).toMatchObject({ state: 'on_call', callId });
  });

  it('counts when it took long, if the agent has not been released', async () => {
    const { clicking, callId } = await heldUp(answering);
    presenceAheadMs = nearlyCheckedMs;
    answering.open();
    expect(await clicking).toMatchObject({ status: 201, body: { call_id: callId } });
    await eventually(() => dials.length > 0);
    // Nobody who looks for the record now can release the agent.
    expect(await command({ type: 'drop_unrecorded', callId })).toMatchObject({ kind: 'unchanged', current: { callId } });
  });

  it('does not count when it took so long that the agent was released for want of it', async () => {
    const { clicking, callId } = await heldUp(answering);
    presenceAheadMs = nearlyCheckedMs;
    await command({ type: 'drop_unrecorded', callId });
    answering.open();
    expect((await clicking).status).toBe(503);
    await inEnd(callId, notDialed);
    await inState(softphone, 'ready');
    expect(dials).toEqual([]);
  });

  it('is not begun when the check for it is near', async () => {
    const { clicking } = await heldUpBefore();
    presenceAheadMs = nearlyCheckedMs;
    settingsReading.open();
    expect((await clicking).status).toBe(503);
    expect([records, dials]).toEqual([0, []]);
  });

  it('is not tried again when the check for it is near', async () => {
    madeUp = ['agent_has_call'];
    const { clicking } = await heldUp(recording);
    presenceAheadMs = nearlyCheckedMs;
    recording.open();
    expect((await clicking).status).toBe(503);
    expect([records, dials]).toEqual([1, []]);
  });

  it.each(['a click', 'startCall', 'incomingCall'] as const)('ends the call that a dead gateway left behind: %s', async (how) => {
    const left = await recordElsewhere();
    const key = { 'Idempotency-Key': newId() };
    const begin = {
      'a click': async () => (await click(key)).body.call_id,
      startCall: async () => (await softphone.startCall(phone_number)).id,
      incomingCall: async () => (await softphone.incomingCall(phone_number)).call.id,
    };
    const callId = await begin[how]();
    await inEnd(left, lost);
    expect((await calls()).find(({ id }) => id === callId)?.state).toBe(how === 'incomingCall' ? 'ringing' : 'dialing');
    expect((await presence())?.callId).toBe(callId);
    if (how === 'a click') expect((await click(key)).body.call_id).toBe(callId);
  });

  it('is made when the call that was left behind is ended by somebody else in the same moment', async () => {
    const left = await recordElsewhere();
    answering = gate();
    const { clicking, callId } = await heldUp(answering);
    const found = await services.calls.find(ids().companyId, left);
    if (found.kind !== 'found') throw new Error('it was recorded');
    await services.calls.commit({ ...found.value, state: 'ended', endReason: 'completed', version: 2 }, []);
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
