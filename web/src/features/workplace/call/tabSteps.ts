import type { PhoneDialog, PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import type { CallEffect, CallNotice, EventOf } from './callEvents.ts';
import { callIdOf, type CallState, comesBackMs, handoverMs, type StateOf, type StateWithSession } from './callState.ts';
import { end } from './phoneSteps.ts';
import {
  gone,
  idle,
  isOpen,
  keepDialog,
  newSession,
  noticeOf,
  notifyProblem,
  stay,
  type Step,
  tellEnd,
  withMedia,
} from './stepParts.ts';

type Recovering = StateOf<'recovering' | 'searching' | 'awaiting_phone' | 'fetching'>;

// A call that the gateway knows, and this page does not: of the page before a reload, or of another tab.

export function recover(state: CallState, event: EventOf<'orphan_found'>, now: number): Step {
  const { key, call } = event;
  if (!isOpen(call)) return stay(state);
  // Somebody calls, and nobody has answered yet.
  if (call.direction === 'inbound' && call.state === 'ringing') {
    if (state.phase !== 'awaiting_ring') return stay({ phase: 'awaiting_ring', call });
    return state.call.id === call.id
      ? stay(state)
      : stay({ phase: 'awaiting_ring', call }, { do: 'set_deadline', ms: comesBackMs });
  }
  return stay({
    phase: 'recovering',
    session: newSession({ key, record: { kind: 'known', callId: call.id, call } }, now),
  });
}

export function search(state: StateOf<'recovering'>, event: EventOf<'phone_changed' | 'timeout'>): Step {
  const { session } = state;
  if (event.type === 'phone_changed' && event.phone === 'none') return stay(state);
  if (event.type === 'phone_changed' && event.reportsByHand) return goOnByHand(state);
  const callId = callIdOf(state) ?? '';
  return stay(
    { phase: 'searching', session, isLate: event.type === 'timeout' },
    { do: 'find_dialog', key: session.key, callId },
  );
}

/** The call goes on at a phone that needs nothing from this page. */
function goOnByHand({ session }: StateOf<'recovering'>): Step {
  const wasAnswered = session.record.kind === 'known' && session.record.call?.answered_at !== null;
  return stay(wasAnswered ? { phase: 'connected', session } : { phase: 'dialing', session, hasRingBack: false });
}

export function beLate(state: StateOf<'searching'>): Step {
  return stay({ ...state, isLate: true });
}

export function takeDialog(state: StateOf<'searching'>, { dialog, phone }: EventOf<'dialog_found'>): Step {
  if (dialog === null) return giveUp(state);
  const { session } = withMedia(state, { isHeld: dialog.isHeld });
  const found: StateOf<'awaiting_phone'> = { phase: 'awaiting_phone', session, dialog };
  const kept: CallEffect = { do: 'store_dialog', callId: callIdOf(state) ?? '', dialog };
  const next = state.isLate && phone !== 'ready' ? giveUp(found) : fetchWhenReady(found, { phone });
  // From here on it is fetched, or ended, by this page or the one after it.
  return { ...next, effects: [kept, ...next.effects] };
}

export function fetchWhenReady(
  state: StateOf<'awaiting_phone'>,
  { phone }: Pick<EventOf<'phone_changed'>, 'phone'>,
): Step {
  if (phone === 'ready')
    return stay({ ...state, phase: 'fetching' }, { do: 'take_over', key: state.session.key, dialog: state.dialog });
  return phone === 'failed' ? giveUp(state) : stay(state);
}

export function giveUp(state: Recovering): Step {
  const { record } = state.session;
  const notice: CallNotice =
    record.kind === 'pending' || record.call === null ? { code: 'not_fetched' } : { code: 'lost', call: record.call };
  return endRecovery(state, { reason: 'failed', stands: true }, notice);
}

/** Of a call that was answered once, no refusal of its new place says how the other side ended it. */
export function failFetching(state: StateOf<'fetching'>, { end: told }: EventOf<'ended'>): Step {
  if (told.endedBy === 'agent') return endRecovery(state, told, noticeOf(told));
  return endRecovery(state, { ...told, reason: 'failed' }, noticeOf(told) ?? { code: 'not_fetched' });
}

/** A call that is still being fetched was answered long ago; the phone would take it for one that was not. */
export function hangUpRecovering(state: Recovering): Step {
  const step = endRecovery(state, { reason: 'completed', endedBy: 'agent', stands: true }, null);
  return { ...step, effects: [...step.effects, { do: 'hang_up', key: state.session.key, when: 'after_tones' }] };
}

function endRecovery(state: Recovering, told: PhoneEnd, notice: CallNotice | null): Step {
  const callId = callIdOf(state);
  const dialog: PhoneDialog | null = 'dialog' in state ? state.dialog : null;
  return stay(
    idle,
    ...tellEnd(state, told),
    ...notifyProblem(notice),
    ...gone,
    ...(callId === null ? [] : [{ do: 'tell_tabs', callId, isHere: false } as const]),
    // Nobody else hangs up in it.
    ...(told.stands === true && dialog !== null ? [{ do: 'release', dialog } as const] : []),
  );
}

// Another page takes over: this one keeps the audio until the other has it, and hangs up when nobody fetches it.

export function standBy({ session }: StateOf<'connected'>): Step {
  return stay({ phase: 'standing_by', session }, { do: 'withdraw_phone' });
}

/** Nothing of the call is told any more. */
export function letGo(state: CallState): Step {
  return stay(idle, ...forget(state), { do: 'forget_dialog' }, { do: 'empty_phone', how: 'stop' });
}

export function handOver(
  state: StateOf<'standing_by' | 'handed_over'>,
  { callId, dialog }: EventOf<'dialog_asked'>,
): Step {
  if (callIdOf(state) !== callId || dialog === null) return stay(state);
  const again: CallEffect[] = state.phase === 'handed_over' ? [{ do: 'set_deadline', ms: handoverMs }] : [];
  return stay({ phase: 'handed_over', session: state.session }, { do: 'forget_dialog' }, ...again);
}

export function finishHandover(state: StateOf<'handed_over'>, { callId, isThere }: EventOf<'handover_done'>): Step {
  if (callIdOf(state) !== callId) return stay(state);
  return stay(idle, ...gone, { do: 'empty_phone', how: isThere ? 'abandon' : 'stop' });
}

/** The agent has come back to this page: what nobody has fetched stays here. */
export function takeBack(state: StateOf<'standing_by' | 'handed_over'>): Step {
  const kept = state.phase === 'handed_over' ? keepDialog(state) : [];
  return stay({ phase: 'connected', session: state.session }, ...kept);
}

export function endStandingBy(state: StateOf<'standing_by'>, event: { end: PhoneEnd }): Step {
  const step = end(state, event);
  return { ...step, effects: [...step.effects, { do: 'empty_phone', how: 'stop' }] };
}

export function endHandedOver(): Step {
  return stay(idle, { do: 'resume_ready' }, ...gone, { do: 'empty_phone', how: 'stop' });
}

export function holdHandedOver(state: StateOf<'handed_over'>, { isHeld }: EventOf<'held'>): Step {
  return stay(withMedia(state, { isHeld }));
}

export function muteHandedOver(state: StateOf<'handed_over'>, { isMuted }: EventOf<'muted'>): Step {
  return stay(withMedia(state, { isMuted }));
}

// The page goes: whoever has not answered is not left ringing.

/** Who calls may ring again at the page after it: the agent has not declined, and the gateway is told nothing. */
export function leaveCaller(state: StateOf<'ringing' | 'answering'>): Step {
  return stay(idle, { do: 'resume_ready' }, ...tellEnd(state, null).filter(isLate), ...gone, {
    do: 'reject',
    key: state.session.key,
    why: 'away',
  });
}

export function unlessByHand<S extends StateWithSession>(
  step: (state: S) => Step,
): (state: S, event: EventOf<'leaving'>) => Step {
  return (state, { reportsByHand }) => (reportsByHand ? stay(state) : step(state));
}

export function leave(state: CallState): Step {
  return stay(idle, ...forget(state), { do: 'empty_phone', how: 'stop' });
}

/** The page after this one finds a call by its id alone; where none comes, the customer is not left alone. */
export function leaveToNextPage(state: StateWithSession, { isForGood }: EventOf<'left'>): Step {
  const callId = callIdOf(state);
  if (callId === null) return leave(state);
  if (isForGood) return stay(idle, ...gone, { do: 'empty_phone', how: 'stop' }, { do: 'tell_left', callId });
  return stay(idle, { do: 'leave_dialog', callId }, { do: 'silence' }, { do: 'empty_phone', how: 'abandon' });
}

/** Of a call that is not at this page yet, the dialog of the page before is kept. */
export function leaveRecovering(state: Recovering, event: EventOf<'left'>): Step {
  const callId = callIdOf(state);
  if (!event.isForGood || callId === null)
    return state.phase === 'fetching' ? leaveToNextPage(state, event) : leave(state);
  const left = leaveToNextPage(state, event);
  return { ...left, effects: [{ do: 'release_kept', callId }, ...left.effects] };
}

export function leaveHandedOver(): Step {
  return stay(idle, { do: 'silence' }, { do: 'empty_phone', how: 'abandon' });
}

function forget(state: CallState): CallEffect[] {
  if (!('session' in state)) return [{ do: 'silence' }];
  const end: PhoneEnd =
    state.phase === 'requesting' ? { reason: 'canceled', endedBy: 'agent' } : { reason: 'canceled' };
  return [...tellEnd(state, end).filter(isLate), { do: 'silence' }];
}

/** What the gateway knows of already is not told by this page any more. */
function isLate(effect: CallEffect): boolean {
  return effect.do === 'answer_late';
}
