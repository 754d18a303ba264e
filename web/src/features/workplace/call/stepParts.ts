import type { CallView } from '../../../../../src/contract/calls.ts';
import type { PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import type { CallEffect, CallNotice } from './callEvents.ts';
import {
  silent,
  type CallSession,
  type CallState,
  type CallStep,
  type Media,
  type StateWithSession,
} from './callState.ts';

/** What comes of an event: the next state, and what is to be done, in order. */
export type Step = { state: CallState; effects: CallEffect[] };

export const idle: CallState = { phase: 'idle' };
/** No call is left to ring for, or for the next page to find. */
export const gone: readonly CallEffect[] = [{ do: 'silence' }, { do: 'forget_dialog' }];
export const givenUp: PhoneEnd = { reason: 'canceled', endedBy: 'agent' };
export const customerGone: PhoneEnd = { reason: 'canceled', endedBy: 'customer' };

export function stay(state: CallState, ...effects: CallEffect[]): Step {
  return { state, effects };
}

export function newSession(
  about: Pick<CallSession, 'key' | 'record'> & Partial<CallSession>,
  now: number,
): CallSession {
  return { since: now, caller: null, media: silent, ...about };
}

export function change<S extends StateWithSession>(state: S, changes: Partial<CallSession>): S {
  return { ...state, session: { ...state.session, ...changes } };
}

/** Tells the gateway, as soon as it has given the call an id. */
export function tell<S extends StateWithSession>(state: S, ...steps: CallStep[]): { state: S; effects: CallEffect[] } {
  const { record } = state.session;
  switch (record.kind) {
    case 'none':
      return { state, effects: [] };
    case 'pending':
      return { state: change(state, { record: { ...record, steps: [...record.steps, ...steps] } }), effects: [] };
    case 'known':
      return { state, effects: steps.map((step) => ({ do: 'report', callId: record.callId, step })) };
  }
}

/** For the page after this one in the same tab. */
export function keepDialog({ session: { key, record } }: StateWithSession): CallEffect[] {
  return record.kind === 'known' ? [{ do: 'keep_dialog', key, callId: record.callId }] : [];
}

/** What the gateway is told of an end, be it later. */
export function tellEnd({ session: { key, record } }: StateWithSession, end: PhoneEnd | null): CallEffect[] {
  if (record.kind === 'pending') return [{ do: 'answer_late', key, end }];
  return record.kind === 'known' && end !== null
    ? [{ do: 'report', callId: record.callId, step: { state: 'ended', end } }]
    : [];
}

export function notifyProblem(notice: CallNotice | null): CallEffect[] {
  return notice === null ? [] : [{ do: 'notify', kind: 'problem', notice }];
}

export function noticeOf({ problem }: PhoneEnd): CallNotice | null {
  return problem ?? null;
}

export function endAwaited(state: CallState, end: PhoneEnd): CallEffect[] {
  return state.phase === 'awaiting_ring'
    ? [{ do: 'report', callId: state.call.id, step: { state: 'ended', end } }]
    : [];
}

export function withMedia<S extends StateWithSession>(state: S, changes: Partial<Media>): S {
  return change(state, { media: { ...state.session.media, ...changes } });
}

/** A call in the queue is an offer, which comes by itself. */
export function isOpen(call: CallView): boolean {
  return call.state !== 'ended' && call.state !== 'queued';
}
