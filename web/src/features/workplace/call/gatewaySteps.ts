import type { CallView } from '../../../../../src/contract/calls.ts';
import type { CallEffect, EventOf } from './callEvents.ts';
import {
  type CallState,
  comesBackMs,
  isBeingRecovered,
  isIncoming,
  isTalk,
  offerLastsMs,
  type StateOf,
  type StateWithSession,
} from './callState.ts';
import { rejectBusy, turnAway } from './phoneSteps.ts';
import {
  change,
  customerGone,
  endAwaited,
  gone,
  idle,
  isOpen,
  keepDialog,
  newSession,
  stay,
  type Step,
  tell,
} from './stepParts.ts';

// Clicks.

export function accept(state: CallState, { callId }: EventOf<'offer'>): Step {
  const anew: CallEffect[] = state.phase === 'offered' ? [{ do: 'set_deadline', ms: offerLastsMs }] : [];
  return stay({ phase: 'offered', callId }, ...endAwaited(state, customerGone), ...anew);
}

/** A colleague hands a call on: whoever rings next is that call, unless the telephone network says otherwise. */
export function expect(state: CallState, { offer }: EventOf<'transfer_offered'>): Step {
  const anew: CallEffect[] = state.phase === 'expecting' ? [{ do: 'set_deadline', ms: comesBackMs }] : [];
  return stay({ phase: 'expecting', offer }, ...anew);
}

export function forgetTransfer(state: StateOf<'expecting'>, { callId }: EventOf<'offer_withdrawn'>): Step {
  return stay(state.offer.call_id === callId ? idle : state);
}

export function hearOfExpected(state: StateOf<'expecting'>, { call, isEnding }: EventOf<'call_told'>): Step {
  if (call.id !== state.offer.call_id) return hearOfOther(state, { type: 'call_told', call, isEnding });
  return stay(call.state === 'ringing' ? { phase: 'awaiting_ring', call } : idle);
}

export function forgetOffer(state: StateOf<'offered'>, { callId }: EventOf<'offer_withdrawn'>): Step {
  return stay(state.callId === callId ? idle : state);
}

export function dialClick(state: CallState, event: EventOf<'dial_confirmed'>, now: number): Step {
  const { key, callId, call, callerId, phoneNumber } = event;
  const session = newSession({ key, record: { kind: 'known', callId, call } }, now);
  return stay({ phase: 'dialing', session, hasRingBack: false }, ...endAwaited(state, customerGone), {
    do: 'dial',
    key,
    phoneNumber,
    callId,
    callerId,
  });
}

/** The agent has begun a call in the moment between the page's yes and the gateway's. */
export function failClick(state: CallState, { callId }: EventOf<'dial_confirmed'>): Step {
  return stay(state, { do: 'report', callId, step: { state: 'ended', end: { reason: 'failed' } } });
}

/** An offer is coming, for which the gateway keeps the agent: it will have no place for who calls just now. */
export function makeWay(state: StateOf<'ringing'>): Step {
  return state.session.record.kind === 'pending' ? turnAwayRinging(state) : stay(state);
}

// The gateway's record.

export function learn(state: StateWithSession, call: CallView): Step {
  const { record } = state.session;
  const known = change(state, { record: { kind: 'known', callId: call.id, call } });
  if (known.phase === 'requesting') {
    const dialing: CallState = { phase: 'dialing', session: known.session, hasRingBack: false };
    if (call.phone === null) return stay(dialing);
    // Gateways of before do not tell.
    const callerId = (call.caller_id as string | null | undefined) ?? null;
    const { key } = known.session;
    return stay(dialing, { do: 'dial', key, phoneNumber: call.phone, callId: call.id, callerId });
  }
  const steps = record.kind === 'pending' ? record.steps : [];
  return { state: known, effects: [...tell(known, ...steps).effects, ...keepDialog(known)] };
}

export function takeRecord(state: StateWithSession, { call }: EventOf<'recorded'>): Step {
  return state.session.record.kind === 'none' ? stay(state) : learn(state, call);
}

/** The gateway has a call that is this page's, and its answer that told so was lost. */
export function adopt(state: StateWithSession, { call }: { call: CallView }): Step {
  const { caller, record } = state.session;
  if (record.kind !== 'pending') return stay(state);
  const isOurs =
    state.phase === 'requesting' ? call.trigger === 'manual_dial' : caller !== null && call.direction === 'inbound';
  return isOurs ? learn(state, call) : stay(state);
}

export function hear(state: StateWithSession, { call, isEnding }: EventOf<'call_told'>): Step {
  const { record } = state.session;
  if (record.kind === 'known' && record.callId === call.id) {
    return call.state === 'ended' ? endByGateway(state) : stay(change(state, { record: { ...record, call } }));
  }
  return isOpen(call) && !isEnding ? adopt(state, { call }) : stay(state);
}

/** Nothing of this page: looked at once everything about it was told. */
export function hearOfOther(state: CallState, { call, isEnding }: EventOf<'call_told'>): Step {
  if (state.phase === 'awaiting_ring' && call.id === state.call.id && call.state === 'ended') return stay(idle);
  return isOpen(call) && !isEnding ? stay(state, { do: 'look_for_orphan_soon' }) : stay(state);
}

/**
 * The connection is back: the gateway has the agent in the call still, or has ended it meanwhile. What it has ended
 * only because it heard nothing of the agent goes on at the phone: nobody hangs up on a customer for that.
 */
export function resync(state: StateWithSession, { callId, isLapse }: EventOf<'resynced'>): Step {
  const { record } = state.session;
  if (record.kind !== 'known' || record.callId === callId) return stay(state);
  if (!isLapse || !isTalk(state)) return endByGateway(state);
  const unrecorded = change(state, { record: { kind: 'none', call: record.call } });
  return stay(
    unrecorded,
    { do: 'forget_dialog' },
    { do: 'notify', kind: 'info', notice: { code: 'goes_on_unrecorded' } },
  );
}

export function resyncAwaited(state: StateOf<'awaiting_ring'>, { callId }: EventOf<'resynced'>): Step {
  return stay(state.call.id === callId ? state : idle);
}

/** The gateway says that this call is over. */
function endByGateway(state: StateWithSession): Step {
  const { record } = state.session;
  return stay(
    idle,
    ...gone,
    ...(isBeingRecovered(state) && record.kind === 'known'
      ? [{ do: 'tell_tabs', callId: record.callId, isHere: false } as const]
      : []),
    ...('dialog' in state ? [{ do: 'release', dialog: state.dialog } as const] : []),
    { do: isIncoming(state) ? 'reject' : 'hang_up', key: state.session.key },
    ...(state.phase === 'standing_by' || state.phase === 'handed_over'
      ? [{ do: 'empty_phone', how: 'stop' } as const]
      : []),
  );
}

/** The gateway has no place for the call. Nobody hangs up on a customer who has been answered. */
export function leaveOut(state: StateWithSession): Step {
  if (state.session.record.kind !== 'pending') return stay(state);
  return state.phase === 'ringing' ? turnAwayRinging(state) : goUnrecorded(state);
}

function turnAwayRinging(state: StateWithSession): Step {
  const { caller, key } = state.session;
  return caller === null ? rejectBusy(state, key) : turnAway(state, { key, caller, isServed: true });
}

export function goUnrecorded(state: StateWithSession): Step {
  return stay(
    state.session.record.kind === 'pending' ? change(state, { record: { kind: 'none', call: null } }) : state,
  );
}
