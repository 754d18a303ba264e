import { describe, expect, it } from 'vitest';
import { type Call, reportCall } from '../../src/domain/calls.ts';
import { type CallStep, courseOfCall, holdStep } from '../../src/domain/callSteps.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../src/domain/ids.ts';
import { newCall } from '../../src/usecases/calls/lifecycle/newCall.ts';

const id = '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b';
const at = (seconds: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + seconds * 1_000);
const fresh = (direction: 'inbound' | 'outbound', trigger: Call['trigger']) =>
  newCall({
    id: toId<CallId>(id),
    companyId: toId<CompanyId>(id),
    agentId: toId<AgentId>(id),
    direction,
    trigger,
    phone: null,
    screenPop: {},
    at: at(0),
  });

/** The call after these reports, with the steps that were to be kept. */
function after(
  call: Call,
  ...reports: [number, Parameters<typeof reportCall>[1]][]
): { call: Call; steps: CallStep[] } {
  const steps: CallStep[] = [];
  let now = call;
  for (const [seconds, report] of reports) {
    const decision = reportCall(now, report, at(seconds));
    if (decision.kind !== 'changed') throw new Error(`the call is ${decision.kind}`);
    const step = holdStep(now, decision.next);
    if (step !== null) steps.push(step);
    now = decision.next;
  }
  return { call: now, steps };
}
const told = ({ call, steps }: { call: Call; steps: CallStep[] }) =>
  courseOfCall(call, steps).map(({ step, at: then, by }) => [step, (then.getTime() - at(0).getTime()) / 1_000, by]);

describe('the course of a call', () => {
  it('has each time on hold, who did what, and in order', () => {
    const talked = after(
      fresh('outbound', 'manual_dial'),
      [2, { state: 'ringing' }],
      [5, { state: 'connected' }],
      [10, { state: 'held' }],
      [25, { state: 'connected' }],
      [30, { state: 'held' }],
      [33, { state: 'connected' }],
      [40, { state: 'ended', endedBy: 'customer' }],
    );
    expect(told(talked)).toEqual([
      ['dialed', 0, 'agent'],
      ['rang', 2, null],
      ['answered', 5, 'customer'],
      ['held', 10, 'agent'],
      ['resumed', 25, 'agent'],
      ['held', 30, 'agent'],
      ['resumed', 33, 'agent'],
      ['ended', 40, 'customer'],
    ]);
  });

  it('ends on hold without being taken back, and says whom it was handed on by', () => {
    const handedOn = after(
      fresh('inbound', 'inbound_ring'),
      [4, { state: 'connected' }],
      [9, { state: 'held' }],
      [20, { state: 'ended', endReason: 'transferred', transferredTo: '200' }],
    );
    expect(told(handedOn)).toEqual([
      ['arrived', 0, 'customer'],
      ['answered', 4, 'agent'],
      ['held', 9, 'agent'],
      ['transferred', 20, 'agent'],
    ]);
  });

  it('came from the colleague who hands it on', () => {
    const colleague = '1b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b';
    const call: Call = {
      ...fresh('inbound', 'transfer'),
      transferredFrom: { agent_id: colleague, agent_code: 'a2', name: 'Bo', extension: null, notes: null },
    };
    expect(courseOfCall(call, [])[0]).toEqual({ step: 'arrived', at: at(0), by: 'agent', person: colleague });
  });

  it('had another caller from then on, by nobody who is known', () => {
    const talked = after(fresh('inbound', 'inbound_ring'), [4, { state: 'connected' }]);
    expect(told({ ...talked, steps: [{ step: 'caller_changed', at: at(6) }] }).at(-1)).toEqual([
      'caller_changed',
      6,
      null,
    ]);
  });

  it('names the supervisor who freed the agent, where that is known', () => {
    const supervisor = toId<AgentId>('1b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b');
    const { call } = after(fresh('outbound', 'click_to_dial'), [
      7,
      { state: 'ended', endReason: 'failed', endedBy: 'system', endDetail: 'freed_by_supervisor' },
    ]);
    const freed: CallStep = { step: 'freed', at: at(7), by: supervisor };
    expect(courseOfCall(call, [freed]).at(-1)).toEqual({
      step: 'ended',
      at: at(7),
      by: 'supervisor',
      person: supervisor,
    });
    expect(courseOfCall(call, []).at(-1)).toMatchObject({ by: 'supervisor', person: null });
    expect(told({ call, steps: [] })[0]).toEqual(['dialed', 0, null]);
  });

  it('knows of a platform’s call when it was on hold, and not who did that', () => {
    const call: Call = {
      ...fresh('inbound', 'inbound_ring'),
      platform: { source: 'genesys', callId: 'c-1', round: 0, at: at(0), rangAt: null, endedAt: null },
      answeredAt: at(1),
    };
    expect(
      told({
        call,
        steps: [
          { step: 'held', at: at(2) },
          { step: 'resumed', at: at(3) },
        ],
      }).slice(2),
    ).toEqual([
      ['held', 2, null],
      ['resumed', 3, null],
    ]);
  });
});
