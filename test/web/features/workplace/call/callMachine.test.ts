import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../../demo/cluster/program.ts';
import type { Caller, PhoneDialog } from '../../../../../web/src/lib/sip/phoneCall.ts';
import type { CallEffect, CallEvent, EventType } from '../../../../../web/src/features/workplace/call/callEvents.ts';
import { callTable, transition } from '../../../../../web/src/features/workplace/call/callMachine.ts';
import {
  isTalk,
  sessionOf,
  silent,
  type CallRecord,
  type CallSession,
  type CallState,
  type Phase,
} from '../../../../../web/src/features/workplace/call/callState.ts';
import { dialingCall } from '../../../../support/gateway/fakeGateway.ts';

const now = 1_000_000;
const number = '+15551230001';
const caller = { phoneNumber: number, displayName: 'Grace' };
const dialog = { callId: 'sip-call', isMuted: false, isHeld: false } as PhoneDialog;

const outbound = { ...dialingCall('one'), phone: number };
const byHand = { ...outbound, trigger: 'manual_dial' as const };
const inbound = {
  ...dialingCall('one'),
  phone: number,
  direction: 'inbound' as const,
  trigger: 'inbound_ring' as const,
  state: 'ringing' as const,
};
const answered = { ...outbound, state: 'connected' as const, answered_at: '2026-01-01T00:00:00.000Z' };
const ended = { ...answered, state: 'ended' as const };
const from1001 = { agent_id: 'ben', agent_code: 'b', name: 'Ben', extension: '1001', notes: null };
const handedOn = { ...inbound, trigger: 'transfer' as const, parent_call_id: 'parent', transferred_from: from1001 };
const transfer = {
  call_id: 'one',
  claim_id: 'claim',
  phone_number: number,
  from: from1001,
  expires_at: '2026-01-01T00:00:00.000Z',
};
const other = { ...inbound, id: 'other', phone: '+15551230099' };

const pending: CallRecord = { kind: 'pending', steps: [] };
const known = (call = outbound): CallRecord => ({ kind: 'known', callId: 'one', call });
const session = (record: CallRecord, about: Partial<CallSession> = {}): CallSession => ({
  key: 1,
  since: 0,
  caller: null,
  record,
  media: silent,
  ...about,
});
const from = (record: CallRecord) => session(record, { caller });
const held = (record: CallRecord) => session(record, { media: { ...silent, isHeld: true } });

/** Every phase, with all that makes a difference in it. */
const states: { [P in Phase]: Extract<CallState, { phase: P }>[] } = {
  idle: [{ phase: 'idle' }],
  offered: [{ phase: 'offered', callId: 'one' }],
  expecting: [{ phase: 'expecting', offer: transfer }],
  awaiting_ring: [
    { phase: 'awaiting_ring', call: inbound },
    { phase: 'awaiting_ring', call: handedOn },
  ],
  requesting: [{ phase: 'requesting', session: session(pending) }],
  dialing: [
    { phase: 'dialing', session: session(known()), hasRingBack: false },
    { phase: 'dialing', session: session(known()), hasRingBack: true },
  ],
  ringing: [pending, known(inbound), { kind: 'none', call: null } as const].map((record) => ({
    phase: 'ringing',
    session: from(record),
  })),
  answering: [pending, known(inbound), { kind: 'none', call: null } as const].map((record) => ({
    phase: 'answering',
    session: from(record),
  })),
  connected: [from(pending), from(known(inbound)), from({ kind: 'none', call: null }), held(known(answered))].map(
    (one) => ({ phase: 'connected', session: one }),
  ),
  standing_by: [from(pending), session(known(answered)), from({ kind: 'none', call: null })].map((one) => ({
    phase: 'standing_by',
    session: one,
  })),
  handed_over: [{ phase: 'handed_over', session: session(known(answered)) }],
  recovering: [known(answered), known()].map((record) => ({ phase: 'recovering', session: session(record) })),
  searching: [false, true].map((isLate) => ({ phase: 'searching', session: session(known(answered)), isLate })),
  awaiting_phone: [{ phase: 'awaiting_phone', session: session(known(answered)), dialog }],
  fetching: [session(known(answered)), held(known(answered)), held(known())].map((one) => ({
    phase: 'fetching',
    session: one,
    dialog,
  })),
};

/** Every event, with all that makes a difference about it. */
const events: { [E in EventType]: Extract<CallEvent, { type: E }>[] } = {
  dial: [{ type: 'dial', key: 2 }],
  answer: [{ type: 'answer' }],
  decline: [{ type: 'decline' }],
  hang_up: [
    { type: 'hang_up', orphan: null },
    { type: 'hang_up', orphan: { callId: 'one', end: { reason: 'canceled', endedBy: 'agent' } } },
  ],
  incoming: [
    { type: 'incoming', key: 2, caller, isServed: true },
    { type: 'incoming', key: 2, caller: { ...caller, phoneNumber: '+15551230099' }, isServed: true },
    { type: 'incoming', key: 2, caller: { phoneNumber: '1001', displayName: 'Ben' }, isServed: true },
    { type: 'incoming', key: 2, caller, isServed: false },
  ],
  rings: [
    { type: 'rings', hasSound: false },
    { type: 'rings', hasSound: true },
  ],
  connected: [{ type: 'connected' }],
  held: [
    { type: 'held', isHeld: true },
    { type: 'held', isHeld: false },
  ],
  caller_changed: [{ type: 'caller_changed', caller: { phoneNumber: '+15551230099', displayName: 'Grace' } }],
  media: [
    { type: 'media', media: { isHeldByOther: true } },
    { type: 'media', media: { isTransferring: true } },
  ],
  muted: [{ type: 'muted', isMuted: true }],
  moved: [{ type: 'moved', step: 'done', who: '200' }],
  ended: [
    { type: 'ended', end: { reason: 'completed', endedBy: 'customer' } },
    { type: 'ended', end: { reason: 'completed', endedBy: 'agent' } },
    { type: 'ended', end: { reason: 'failed', problem: { code: 'not_taken_over' }, stands: true } },
  ],
  nothing_to_end: [{ type: 'nothing_to_end', end: { reason: 'canceled', endedBy: 'agent' } }],
  phone_changed: (['none', 'starting', 'ready', 'failed'] as const).flatMap((phone) =>
    [false, true].map((reportsByHand) => ({ type: 'phone_changed', phone, reportsByHand })),
  ),
  make_way: [{ type: 'make_way' }],
  offer: [{ type: 'offer', callId: 'two' }],
  offer_withdrawn: [
    { type: 'offer_withdrawn', callId: 'one' },
    { type: 'offer_withdrawn', callId: 'two' },
  ],
  transfer_offered: [
    { type: 'transfer_offered', offer: transfer },
    { type: 'transfer_offered', offer: { ...transfer, call_id: 'two' } },
  ],
  dial_confirmed: [{ type: 'dial_confirmed', key: 2, callId: 'two', phoneNumber: number, callerId: null, call: null }],
  dial_refused: [{ type: 'dial_refused' }],
  recorded: [{ type: 'recorded', call: inbound }],
  unrecorded: [{ type: 'unrecorded' }],
  no_place: [{ type: 'no_place' }],
  call_told: [
    outbound,
    byHand,
    inbound,
    handedOn,
    answered,
    ended,
    other,
    { ...inbound, state: 'ended' as const },
  ].flatMap((call) => [false, true].map((isEnding) => ({ type: 'call_told', call, isEnding }))),
  resynced: [
    ['one', false],
    [null, false],
    [null, true],
  ].map(([callId, isLapse]) => ({ type: 'resynced', callId, isLapse }) as Extract<CallEvent, { type: 'resynced' }>),
  orphan_found: [byHand, inbound, answered, other].map((call) => ({ type: 'orphan_found', key: 2, call })),
  dialog_found: [null, dialog].flatMap((found) =>
    (['none', 'starting', 'ready', 'failed'] as const).map((phone) => ({ type: 'dialog_found', dialog: found, phone })),
  ),
  replaced: [{ type: 'replaced' }],
  taken_back: [{ type: 'taken_back' }],
  dialog_asked: [
    { type: 'dialog_asked', callId: 'one', dialog },
    { type: 'dialog_asked', callId: 'one', dialog: null },
    { type: 'dialog_asked', callId: 'two', dialog },
  ],
  handover_done: [true, false].flatMap((isThere) =>
    ['one', 'two'].map((callId) => ({ type: 'handover_done', callId, isThere })),
  ),
  leaving: [
    { type: 'leaving', reportsByHand: false },
    { type: 'leaving', reportsByHand: true },
  ],
  left: [
    { type: 'left', isForGood: false },
    { type: 'left', isForGood: true },
  ],
  timeout: [{ type: 'timeout' }],
};

const phases = Object.keys(states) as Phase[];
const types = Object.keys(events) as EventType[];

const ofMedia = 'held media muted';
const ofRecord = 'recorded unrecorded no_place';
const ofGateway = 'dial_confirmed call_told resynced';
const ofTalk = `hang_up incoming ${ofMedia} ended ${ofGateway}`;
const ofOwnTalk = `${ofTalk} moved caller_changed`;

/** What means something in which phase; all else changes nothing and does nothing. */
const heeded: Record<Phase, string> = {
  idle: 'dial hang_up incoming offer transfer_offered dial_confirmed call_told orphan_found replaced left',
  offered: 'hang_up incoming offer offer_withdrawn dial_confirmed call_told orphan_found replaced left timeout',
  expecting:
    'hang_up incoming offer_withdrawn transfer_offered dial_confirmed call_told orphan_found replaced left timeout',
  awaiting_ring: `hang_up incoming offer ${ofGateway} orphan_found replaced left timeout`,
  requesting: 'hang_up incoming dial_confirmed dial_refused recorded call_told orphan_found replaced leaving left',
  dialing: `hang_up incoming rings connected ${ofMedia} moved ended nothing_to_end ${ofGateway} replaced leaving left`,
  ringing: `answer decline connected ${ofOwnTalk} make_way ${ofRecord} orphan_found replaced leaving left`,
  answering: `decline connected ${ofOwnTalk} ${ofRecord} orphan_found replaced leaving left`,
  connected: `${ofOwnTalk} nothing_to_end ${ofRecord} orphan_found replaced left`,
  standing_by: `${ofOwnTalk} nothing_to_end ${ofRecord} orphan_found dialog_asked taken_back left timeout`,
  handed_over: `${ofTalk} nothing_to_end dialog_asked handover_done taken_back left timeout`,
  recovering: `hang_up incoming phone_changed ${ofGateway} replaced left timeout`,
  searching: `hang_up incoming ${ofGateway} dialog_found replaced left timeout`,
  awaiting_phone: `hang_up incoming phone_changed ${ofGateway} replaced left timeout`,
  fetching: `hang_up incoming connected ${ofMedia} moved ended ${ofGateway} replaced left`,
};

type Taken = { before: CallState; event: CallEvent; after: CallState; effects: CallEffect[] };

function take(before: CallState, event: CallEvent): Taken {
  const { state: after, effects } = transition(deepFreeze(before), deepFreeze(event), now);
  return { before, event, after, effects };
}

/** All that can come of an event in a phase. */
function outcomes(phase: Phase, type: EventType): Taken[] {
  return states[phase].flatMap((state) => events[type].map((event) => take(state, event)));
}

const everything = phases.flatMap((phase) => types.flatMap((type) => outcomes(phase, type)));
const does = ({ effects }: Taken, what: CallEffect['do']) => effects.some((effect) => effect.do === what);

describe('the table of a call', () => {
  it.each(phases)('says for %s what each event means', (phase) => {
    const means = new Set(heeded[phase].split(' '));
    for (const type of types) {
      const isHeeded = outcomes(phase, type).some(
        ({ before, after, effects }) => after !== before || effects.length > 0,
      );
      expect(`${type} ${isHeeded}`).toBe(`${type} ${means.has(type)}`);
    }
  });

  it.each(phases)('leads from %s where it says, and nowhere else', (phase) => {
    for (const type of types) {
      const reached = new Set(outcomes(phase, type).map(({ after }) => after.phase));
      reached.delete(phase);
      expect([type, [...reached].sort()]).toEqual([type, [...new Set(callTable[phase][type].to)].sort()]);
    }
  });

  it('is the diagram in the documentation', () => {
    const drawn = diagram('The phases');
    const moves = phases.flatMap((phase) =>
      types.flatMap((type) => callTable[phase][type].to.map((to: Phase) => `${phase} --> ${to}: ${type}`)),
    );
    expect(drawn.sort()).toEqual(moves.sort());
  });

  it('makes of the gateway’s record what the documentation draws', () => {
    const moves = new Set<string>();
    for (const { before, event, after } of everything) {
      const [one, next] = [sessionOf(before), sessionOf(after)];
      if (one === null || next === null || one.record.kind === next.record.kind) continue;
      moves.add(`${one.record.kind} --> ${next.record.kind}: ${event.type}`);
    }
    expect(diagram('The record').sort()).toEqual([...moves].sort());
  });
});

describe('whatever happens', () => {
  it('nothing rings on when there is nobody to ring for', () => {
    for (const taken of everything) {
      const rang = taken.before.phase === 'dialing' || taken.before.phase === 'ringing';
      const rings = sessionOf(taken.after) !== null && taken.after.phase !== 'answering' && !isTalk(taken.after);
      if (rang && !rings) expect([taken, does(taken, 'silence')]).toEqual([taken, true]);
    }
  });

  it('a call whose record is on its way leaves word for the answer', () => {
    for (const taken of everything) {
      const isLost = sessionOf(taken.before)?.record.kind === 'pending' && sessionOf(taken.after) === null;
      if (isLost && taken.event.type !== 'dial_refused')
        expect([taken, does(taken, 'answer_late')]).toEqual([taken, true]);
    }
  });

  it('the gateway learns that a call is over, unless it said so, or the page or another tab has the last word', () => {
    const silentEnds: EventType[] = ['call_told', 'resynced', 'replaced', 'left', 'leaving', 'handover_done'];
    for (const taken of everything) {
      const isOver = sessionOf(taken.before)?.record.kind === 'known' && sessionOf(taken.after) === null;
      // Whoever only kept the audio for another tab leaves the last word to that tab.
      if (taken.event.type === 'timeout' && taken.before.phase === 'standing_by') continue;
      if (!isOver || silentEnds.includes(taken.event.type) || taken.before.phase === 'handed_over') continue;
      const told = taken.effects.filter((effect) => effect.do === 'report' && effect.step.state === 'ended');
      expect([taken, told.length]).toEqual([taken, 1]);
    }
  });

  it('of a call that was handed over the gateway is told nothing', () => {
    for (const taken of everything) {
      if (taken.before.phase !== 'handed_over') continue;
      expect(taken.effects.filter((effect) => effect.do === 'report' && effect.callId === 'one')).toEqual([]);
    }
  });

  it('a talk is ended by the phone, by the gateway’s word, by another tab or with the page, by nothing else', () => {
    const may = ['ended', 'nothing_to_end', 'call_told', 'resynced', 'handover_done', 'timeout', 'left'];
    for (const { before, event, after } of everything) {
      if (isTalk(before) && !isTalk(after)) expect(may).toContain(event.type);
    }
  });

  it('a talk that the gateway gave up because it heard nothing goes on', () => {
    for (const state of states.connected)
      expect(take(state, { type: 'resynced', callId: null, isLapse: true }).after.phase).toBe('connected');
  });

  it('the time of a phase begins with it, and ends with it', () => {
    // Milliseconds. A call that comes back has one time for all that takes.
    const lasts: Partial<Record<Phase, number>> = {
      ...{ offered: 15_000, expecting: 15_000, awaiting_ring: 15_000, standing_by: 5_000, handed_over: 45_000 },
      ...{ recovering: 45_000, searching: 45_000, awaiting_phone: 45_000 },
    };
    const isRecovery = (phase: Phase) => ['recovering', 'searching', 'awaiting_phone'].includes(phase);
    for (const taken of everything) {
      const [before, after] = [taken.before.phase, taken.after.phase];
      const set = taken.effects.filter((effect) => effect.do === 'set_deadline');
      if (before === after) continue;
      const goesOn = isRecovery(before) && isRecovery(after);
      const isUntimed = lasts[before] === undefined && lasts[after] === undefined;
      const expected = goesOn || isUntimed ? [] : [{ do: 'set_deadline', ms: lasts[after] ?? null }];
      expect([taken, set]).toEqual([taken, expected]);
    }
  });

  it('in any order, no call is without what its phase needs', () => {
    const any = fc.constantFrom(...types).chain((type) => fc.constantFrom(...(events[type] as CallEvent[])));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (sequence) => {
        let state: CallState = { phase: 'idle' };
        for (const event of sequence) {
          state = transition(state, event, now).state;
          const kind = sessionOf(state)?.record.kind;
          if (state.phase === 'requesting') expect(kind).toBe('pending');
          if (['dialing', 'handed_over', 'recovering', 'searching', 'awaiting_phone', 'fetching'].includes(state.phase))
            expect(kind).toBe('known');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is done', () => {
  const [unnamed, named, unrecorded] = states.ringing as [CallState, CallState, CallState];
  const [talking] = states.connected.slice(1) as [CallState];
  const end = { reason: 'completed', endedBy: 'customer' } as const;
  const gone: CallEffect[] = [{ do: 'silence' }, { do: 'forget_dialog' }];
  const report = (step: Extract<CallEffect, { do: 'report' }>['step']): CallEffect => ({
    do: 'report',
    callId: 'one',
    step,
  });
  const byCustomer = report({ state: 'ended', end: { reason: 'canceled', endedBy: 'customer' } });
  const noDeadline: CallEffect = { do: 'set_deadline', ms: null };

  it.each<[string, CallState, CallEvent, CallEffect[]]>([
    [
      'a caller rings, and the gateway is asked who it is',
      states.idle[0]!,
      events.incoming[0]!,
      [
        { do: 'ring', which: 'incoming' },
        { do: 'announce', key: 2, caller },
      ],
    ],
    [
      'a caller hears busy where this page is not the softphone',
      states.idle[0]!,
      { type: 'incoming', key: 2, caller, isServed: false },
      [{ do: 'reject', key: 2, why: 'busy' }],
    ],
    [
      'a caller hears busy while a click is due, and leaves a trace',
      states.offered[0]!,
      events.incoming[0]!,
      [
        { do: 'reject', key: 2, why: 'busy' },
        { do: 'turn_away', caller },
      ],
    ],
    [
      'a caller who rings again is the one of before',
      states.awaiting_ring[0]!,
      events.incoming[0]!,
      [{ do: 'ring', which: 'incoming' }, noDeadline],
    ],
    [
      'another caller ends the waiting for the first',
      states.awaiting_ring[0]!,
      events.incoming[1]!,
      [
        { do: 'ring', which: 'incoming' },
        byCustomer,
        { do: 'announce', key: 2, caller: { ...caller, phoneNumber: '+15551230099' } },
        noDeadline,
      ],
    ],
    ...[
      ['by the colleague’s extension', { phoneNumber: '1001', displayName: 'Ben' }],
      ['by the customer’s number', caller],
      [
        'by its id, whoever the network says is calling',
        { phoneNumber: '+15551230099', displayName: null, forCall: 'one' },
      ],
      ['where the network says nothing of who calls', { phoneNumber: 'anonymous', displayName: null }],
    ].flatMap<[string, CallState, CallEvent, CallEffect[]]>(([how, who]) =>
      [states.expecting[0]!, states.awaiting_ring[1]!].map((state) => [
        `a call that a colleague hands on is known ${how as string} (${state.phase})`,
        state,
        { type: 'incoming', key: 2, caller: who as Caller, isServed: true },
        [{ do: 'ring', which: 'incoming' }, noDeadline],
      ]),
    ),
    ...[
      { phoneNumber: '+15551230099', displayName: null },
      { phoneNumber: '1002', displayName: null },
      { phoneNumber: '1001', displayName: null, forCall: 'two' },
    ].flatMap<[string, CallState, CallEvent, CallEffect[]]>((who) =>
      [states.expecting[0]!, states.awaiting_ring[1]!].map((state) => [
        `who else calls hears busy while one is handed on (${who.phoneNumber}, ${state.phase})`,
        state,
        { type: 'incoming', key: 2, caller: who, isServed: true },
        [
          { do: 'reject', key: 2, why: 'busy' },
          { do: 'turn_away', caller: who },
        ],
      ]),
    ),
    [
      'a call that is handed on is declined before it rings',
      states.awaiting_ring[1]!,
      { type: 'hang_up', orphan: null },
      [report({ state: 'ended', end: { reason: 'rejected', endedBy: 'agent' } }), noDeadline],
    ],
    [
      'nobody waits for ever for a caller to ring again',
      states.awaiting_ring[0]!,
      { type: 'timeout' },
      [byCustomer, noDeadline],
    ],
    [
      'a ring that the gateway does not know gives way to a click',
      unnamed,
      { type: 'make_way' },
      [
        { do: 'reject', key: 1, why: 'busy' },
        { do: 'turn_away', caller },
      ],
    ],
    ['a ring that it knows does not', named, { type: 'make_way' }, []],
    [
      'a click is dialed',
      states.offered[0]!,
      events.dial_confirmed[0]!,
      [{ do: 'dial', key: 2, phoneNumber: number, callId: 'two', callerId: null }, noDeadline],
    ],
    [
      'a click that comes into a call has failed',
      talking,
      events.dial_confirmed[0]!,
      [{ do: 'report', callId: 'two', step: { state: 'ended', end: { reason: 'failed' } } }],
    ],
    [
      'the phone dials what the gateway has recorded',
      states.requesting[0]!,
      { type: 'recorded', call: { ...byHand, caller_id: '+4930123456' } },
      [{ do: 'dial', key: 1, phoneNumber: number, callId: byHand.id, callerId: '+4930123456' }],
    ],
    [
      'a request that is given up is ended when its answer comes',
      states.requesting[0]!,
      events.hang_up[0]!,
      [{ do: 'answer_late', key: 1, end: { reason: 'canceled', endedBy: 'agent' } }, ...gone],
    ],
    [
      'the page plays a ringing tone where the network plays none',
      states.dialing[0]!,
      events.rings[0]!,
      [{ do: 'ring', which: 'outgoing' }, report({ state: 'ringing' })],
    ],
    [
      'the network’s own takes its place',
      states.dialing[0]!,
      events.rings[1]!,
      [{ do: 'silence' }, report({ state: 'ringing' })],
    ],
    ['and stays', states.dialing[1]!, events.rings[0]!, [report({ state: 'ringing' })]],
    ['an answer stops the ringing', named, { type: 'answer' }, [{ do: 'silence' }, { do: 'answer', key: 1 }]],
    [
      'that both talk is reported, and kept for the next page',
      named,
      { type: 'connected' },
      [{ do: 'silence' }, report({ state: 'connected' }), { do: 'keep_dialog', key: 1, callId: 'one' }],
    ],
    ['a caller without a record is answered without a word', unrecorded, { type: 'connected' }, [{ do: 'silence' }]],
    [
      'holding is reported',
      talking,
      events.held[0]!,
      [report({ state: 'held' }), { do: 'keep_dialog', key: 1, callId: 'one' }],
    ],
    ['that it goes on as before is not', talking, events.held[1]!, []],
    [
      'an end is reported',
      talking,
      { type: 'ended', end },
      [{ do: 'resume_ready' }, report({ state: 'ended', end }), ...gone],
    ],
    [
      'who was not answered hears busy where the gateway has no place',
      unnamed,
      { type: 'no_place' },
      [
        { do: 'reject', key: 1, why: 'busy' },
        { do: 'turn_away', caller },
      ],
    ],
    ['who was answered does not', states.answering[0]!, { type: 'no_place' }, []],
    [
      'the gateway’s end is done at the phone',
      talking,
      { type: 'call_told', call: ended, isEnding: false },
      [...gone, { do: 'hang_up', key: 1 }],
    ],
    [
      'a caller is left to the network by a page that goes',
      named,
      events.leaving[0]!,
      [{ do: 'resume_ready' }, ...gone, { do: 'reject', key: 1, why: 'away' }],
    ],
    [
      'a talk is left to the page after this one',
      talking,
      { type: 'left', isForGood: false },
      [{ do: 'leave_dialog', callId: 'one' }, { do: 'silence' }, { do: 'empty_phone', how: 'abandon' }],
    ],
    [
      'a talk is ended by a page that is closed for good, and the gateway told',
      talking,
      { type: 'left', isForGood: true },
      [...gone, { do: 'empty_phone', how: 'stop' }, { do: 'tell_left', callId: 'one' }],
    ],
    [
      'so is one that is still being fetched, at whoever has it',
      states.fetching[0]!,
      { type: 'left', isForGood: true },
      [
        { do: 'release_kept', callId: 'one' },
        ...gone,
        { do: 'empty_phone', how: 'stop' },
        { do: 'tell_left', callId: 'one' },
      ],
    ],
    [
      'a call of before is looked for once the phone is there',
      states.recovering[0]!,
      events.phone_changed[2]!,
      [{ do: 'find_dialog', key: 1, callId: 'one' }],
    ],
    [
      'it is fetched by a phone that is ready',
      states.searching[0]!,
      { type: 'dialog_found', dialog, phone: 'ready' },
      [{ do: 'store_dialog', callId: 'one', dialog }, { do: 'take_over', key: 1, dialog }, noDeadline],
    ],
    [
      'it is given up where nobody has its dialog, and the agent is told',
      states.searching[0]!,
      { type: 'dialog_found', dialog: null, phone: 'ready' },
      [
        report({ state: 'ended', end: { reason: 'failed', stands: true } }),
        { do: 'notify', kind: 'problem', notice: { code: 'lost', call: answered } },
        ...gone,
        { do: 'tell_tabs', callId: 'one', isHere: false },
        noDeadline,
      ],
    ],
    [
      'what could not be taken over is hung up in',
      states.fetching[0]!,
      events.ended[2]!,
      [
        report({ state: 'ended', end: { reason: 'failed', problem: { code: 'not_taken_over' }, stands: true } }),
        { do: 'notify', kind: 'problem', notice: { code: 'not_taken_over' } },
        ...gone,
        { do: 'tell_tabs', callId: 'one', isHere: false },
        { do: 'release', dialog },
      ],
    ],
    [
      'what the network is asked to do is kept for the page after this one',
      talking,
      { type: 'media', media: { isTransferring: true } },
      [{ do: 'keep_dialog', key: 1, callId: 'one' }],
    ],
    [
      'a call that was handed on before it could be fetched is recorded so',
      states.fetching[0]!,
      { type: 'ended', end: { reason: 'transferred', endedBy: 'agent', transferredTo: '1001' } },
      [
        report({ state: 'ended', end: { reason: 'transferred', endedBy: 'agent', transferredTo: '1001' } }),
        ...gone,
        { do: 'tell_tabs', callId: 'one', isHere: false },
      ],
    ],
    [
      'a call is held still when it was fetched from hold',
      states.fetching[1]!,
      { type: 'connected' },
      [
        { do: 'silence' },
        { do: 'tell_tabs', callId: 'one', isHere: true },
        report({ state: 'held' }),
        { do: 'keep_dialog', key: 1, callId: 'one' },
      ],
    ],
    [
      'a page that was replaced keeps the audio for a while',
      talking,
      { type: 'replaced' },
      [{ do: 'withdraw_phone' }, { do: 'set_deadline', ms: 5_000 }],
    ],
    [
      'it gives the audio to who asks',
      states.standing_by[1]!,
      events.dialog_asked[0]!,
      [{ do: 'forget_dialog' }, { do: 'set_deadline', ms: 45_000 }],
    ],
    [
      'it goes without a word when the other tab has it',
      states.handed_over[0]!,
      { type: 'handover_done', callId: 'one', isThere: true },
      [...gone, { do: 'empty_phone', how: 'abandon' }, noDeadline],
    ],
    [
      'it hangs up when the other tab has failed',
      states.handed_over[0]!,
      { type: 'handover_done', callId: 'one', isThere: false },
      [...gone, { do: 'empty_phone', how: 'stop' }, noDeadline],
    ],
  ])('%s', (_what, state, event, effects) => {
    expect(take(state, event).effects).toEqual(effects);
  });

  it('what the phone did before the gateway named the call is told then', () => {
    const talks = take(take(unnamed, { type: 'answer' }).after, { type: 'connected' });
    expect(talks.effects).toEqual([{ do: 'silence' }]);
    const isNamed = take(talks.after, { type: 'recorded', call: inbound });
    expect(isNamed.effects).toEqual([report({ state: 'connected' }), { do: 'keep_dialog', key: 1, callId: 'one' }]);
  });

  it('who is declined while the agent dials, or a call is recovered, ends nothing of that call', () => {
    for (const phase of ['requesting', 'recovering', 'searching', 'awaiting_phone'] as const) {
      for (const state of states[phase])
        expect(take(state, { type: 'ended', end: { reason: 'busy', endedBy: 'agent' } }).after).toBe(state);
    }
  });
});

/** The moves in the diagram under that heading, one event each. */
function diagram(heading: string): string[] {
  const page = readFileSync(`${root}docs/softphone-call.md`, 'utf8');
  const drawing = page.split(`## ${heading}`)[1]?.split('```mermaid')[1]?.split('```')[0] ?? '';
  return [...drawing.matchAll(/^\s*(\w+) --> (\w+): (.+)$/gm)].flatMap(([, before, after, labels = '']) =>
    labels.split(',').map((label) => `${before} --> ${after}: ${label.trim()}`),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
