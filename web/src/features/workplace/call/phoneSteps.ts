import type { CallView } from '../../../../../src/contract/calls.ts';
import type { CallKey, PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import type { CallEffect, EventOf } from './callEvents.ts';
import type { CallState, CallStep, StateOf, StateWithSession } from './callState.ts';
import { type HandedOnCall, isHandedOn, isSameCaller } from './sameCaller.ts';
import {
  change,
  customerGone,
  endAwaited,
  givenUp,
  gone,
  idle,
  keepDialog,
  newSession,
  noticeOf,
  notifyProblem,
  stay,
  type Step,
  tell,
  tellEnd,
  withMedia,
} from './stepParts.ts';

// The agent.

export function request(_: CallState, { key }: EventOf<'dial'>, now: number): Step {
  return stay({ phase: 'requesting', session: newSession({ key, record: { kind: 'pending', steps: [] } }, now) });
}

export function answer({ session }: StateOf<'ringing'>): Step {
  return stay({ phase: 'answering', session }, { do: 'silence' }, { do: 'answer', key: session.key });
}

export function decline(state: StateWithSession): Step {
  return stay(state, { do: 'reject', key: state.session.key });
}

export function endCanceled(state: StateWithSession): Step {
  return stay(state, { do: 'end_call', key: state.session.key, end: givenUp });
}

export function endCompleted(state: StateWithSession): Step {
  return stay(state, { do: 'end_call', key: state.session.key, end: { reason: 'completed', endedBy: 'agent' } });
}

/** The phone has nothing of it yet. */
export function dropRequest(state: StateOf<'requesting'>): Step {
  return stay(idle, ...tellEnd(state, givenUp), ...gone);
}

/** Of a call that this page has no part in, the gateway is told all the same. */
export function endOrphan(state: CallState, { orphan }: EventOf<'hang_up'>): Step {
  if (orphan === null) return stay(state);
  return stay(state, { do: 'report', callId: orphan.callId, step: { state: 'ended', end: orphan.end } });
}

// Somebody calls.

const sound: CallEffect = { do: 'ring', which: 'incoming' };

export function ring(state: StateOf<'idle' | 'awaiting_ring'>, event: EventOf<'incoming'>, now: number): Step {
  const { key, caller, isServed } = event;
  if (!isServed) return rejectBusy(state, key);
  if (
    state.phase === 'awaiting_ring' &&
    state.call.transferred_from !== null &&
    !isHandedOn(handedOn(state.call), caller)
  )
    return turnAway(state, event);
  if (
    state.phase === 'awaiting_ring' &&
    (state.call.transferred_from !== null || isSameCaller(state.call, caller.phoneNumber))
  ) {
    const record = { kind: 'known', callId: state.call.id, call: state.call } as const;
    return stay({ phase: 'ringing', session: newSession({ key, caller, record }, now) }, sound);
  }
  const session = newSession({ key, caller, record: { kind: 'pending', steps: [] } }, now);
  return stay({ phase: 'ringing', session }, sound, ...endAwaited(state, customerGone), {
    do: 'announce',
    key,
    caller,
  });
}

/** The call that a colleague hands on rings before the gateway has told of it. */
export function ringExpected(state: StateOf<'expecting'>, event: EventOf<'incoming'>, now: number): Step {
  const { key, caller, isServed } = event;
  const { call_id: callId, caller: told = null, from, phone_number: phone } = state.offer;
  if (!isServed || !isHandedOn({ callId, caller: told, from, phone }, caller)) return turnAway(state, event);
  return stay(
    { phase: 'ringing', session: newSession({ key, caller, record: { kind: 'known', callId, call: null } }, now) },
    sound,
  );
}

function handedOn({ caller, id, phone, transferred_from: from }: CallView): HandedOnCall {
  return { callId: id, caller, from, phone };
}

export function rejectBusy(state: CallState, key: CallKey): Step {
  return stay(state, { do: 'reject', key, why: 'busy' });
}

/**
 * Somebody calls an agent who has another call: they hear that the agent is busy,
 * and leave a trace where this page is the agent's softphone.
 */
export function turnAway(state: CallState, { caller, isServed, key }: Omit<EventOf<'incoming'>, 'type'>): Step {
  const rejected = rejectBusy(state, key);
  return isServed ? { ...rejected, effects: [...rejected.effects, { do: 'turn_away', caller }] } : rejected;
}

/** Neither missed nor declined: the agent had no phone to answer with. */
export function stopAwaiting(state: StateOf<'awaiting_ring'>): Step {
  return stay(idle, ...endAwaited(state, customerGone));
}

export function giveUpAwaited(state: StateOf<'awaiting_ring'>): Step {
  return stay(
    idle,
    ...endAwaited(state, state.call.transferred_from === null ? givenUp : { reason: 'rejected', endedBy: 'agent' }),
  );
}

// The phone.

export function ringBack(state: StateOf<'dialing'>, { hasSound }: EventOf<'rings'>): Step {
  const told = tell(state, { state: 'ringing' });
  if (hasSound) return stay({ ...told.state, hasRingBack: true }, { do: 'silence' }, ...told.effects);
  return stay(told.state, ...(state.hasRingBack ? [] : [{ do: 'ring', which: 'outgoing' } as const]), ...told.effects);
}

export function connect(
  state: StateOf<'dialing' | 'ringing' | 'answering' | 'fetching'>,
  _: unknown,
  now: number,
): Step {
  const { session } = state;
  const { media, record } = session;
  const isUntold = record.kind === 'known' && record.call?.answered_at === null;
  const steps: CallStep[] = [];
  // A call that was held when it was fetched is held still, unless the gateway has not even learned of its answer.
  if (!media.isHeld || isUntold) steps.push({ state: 'connected' });
  if (media.isHeld) steps.push({ state: 'held' });
  const isFetched = state.phase === 'fetching' && record.kind === 'known';
  const told = tell({ phase: 'connected', session: { ...session, since: now } } as StateOf<'connected'>, ...steps);
  const tabs: CallEffect[] = isFetched ? [{ do: 'tell_tabs', callId: record.callId, isHere: true }] : [];
  return stay(told.state, { do: 'silence' }, ...tabs, ...told.effects, ...keepDialog(told.state));
}

export function setHeld(state: StateWithSession, { isHeld }: EventOf<'held'>): Step {
  if (state.session.media.isHeld === isHeld) return stay(state);
  const told = tell(withMedia(state, { isHeld }), { state: isHeld ? 'held' : 'connected' });
  return stay(told.state, ...told.effects, ...keepDialog(told.state));
}

export function setMuted(state: StateWithSession, { isMuted }: EventOf<'muted'>): Step {
  return stay(withMedia(state, { isMuted }), ...keepDialog(state));
}

/** Of a call that has come in; whom the agent has called stays the customer. */
export function changeCaller(state: StateWithSession, { caller }: EventOf<'caller_changed'>): Step {
  const { caller: before, record } = state.session;
  const cameIn = before !== null || (record.kind !== 'pending' && record.call?.direction === 'inbound');
  if (!cameIn) return stay(state);
  const told = tell(before === null ? state : change(state, { caller }), { state: 'caller_changed', caller });
  return stay(told.state, ...told.effects);
}

export function setMedia(state: StateWithSession, { media }: EventOf<'media'>): Step {
  // The page after this one is to know that the network has agreed to hand the call on.
  return stay(withMedia(state, media), ...(media.isTransferring === undefined ? [] : keepDialog(state)));
}

/** To the gateway, it is the same call. Whom the agent wanted it handed on to, the one before it was asked. */
export function move(state: StateWithSession, { step, who }: EventOf<'moved'>): Step {
  const next = step === 'done' ? withMedia(state, { isTransferring: false }) : state;
  return stay(next, { do: 'notify', kind: 'info', notice: { code: 'move', step, who } }, ...keepDialog(next));
}

export function end(state: StateWithSession, { end: told }: { end: PhoneEnd }): Step {
  return stay(idle, { do: 'resume_ready' }, ...tellEnd(state, told), ...notifyProblem(noticeOf(told)), ...gone);
}
