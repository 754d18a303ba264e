import type { CallView } from '../../../../../src/contract/calls.ts';
import type { TransferOffer } from '../../../../../src/contract/socket.ts';
import type { Caller, CallKey, CallMedia, PhoneDialog, PhoneEnd } from '../../../lib/sip/phoneCall.ts';

/** What the phone has done, as the gateway is told it. */
export type CallStep =
  | { state: 'ringing' | 'connected' | 'held' }
  | { state: 'caller_changed'; caller: Caller }
  | { state: 'ended'; end: PhoneEnd };

/** What the phone tells of the audio. */
export type Media = CallMedia & { isMuted: boolean; isHeld: boolean };

/**
 * What the gateway knows of the call. `pending`: it has been asked, and the steps wait for the call's id;
 * `known`: as that call (`call` as told last, null: not told yet); `none`: it has no place for it, or counts it
 * as over while they talk.
 */
export type CallRecord =
  | { kind: 'pending'; steps: readonly CallStep[] }
  | { kind: 'known'; callId: string; call: CallView | null }
  | { kind: 'none'; call: CallView | null };

/** One call at this page, from its first event to its last. */
export type CallSession = {
  /** By which the phone knows it, too. */
  key: CallKey;
  /** Since when it rings or is connected. Milliseconds since the epoch, by this machine's clock. */
  since: number;
  /** Null: the agent has called. */
  caller: Caller | null;
  record: CallRecord;
  media: Media;
};

type WithSession<Name extends string, More = unknown> = { phase: Name; session: CallSession } & More;

/** Where the call of this page is. The phases are explained in docs/softphone-call.md. */
export type CallState =
  | { phase: 'idle' }
  /** A click was accepted, and its confirmation is due. */
  | { phase: 'offered'; callId: string }
  /** A call that a colleague hands on was accepted, and the gateway is about to record it. */
  | { phase: 'expecting'; offer: TransferOffer }
  /** Somebody was ringing when the page before this one went: the phone may ring again for the same call. */
  | { phase: 'awaiting_ring'; call: CallView }
  /** The agent dials by hand, and the gateway is asked for a record first. */
  | WithSession<'requesting'>
  /** `hasRingBack`: the network plays its own ringing tone, or an announcement. */
  | WithSession<'dialing', { hasRingBack: boolean }>
  | WithSession<'ringing'>
  | WithSession<'answering'>
  | WithSession<'connected'>
  /** Another page has the softphone now, and may ask for the audio. */
  | WithSession<'standing_by'>
  /** It has asked: the call is its business from now on. */
  | WithSession<'handed_over'>
  /** The gateway has a call that this page knows nothing of, and the page waits for its phone. */
  | WithSession<'recovering'>
  /** Storage and the other tabs are asked for the call's SIP dialog. `isLate`: time is up already. */
  | WithSession<'searching', { isLate: boolean }>
  | WithSession<'awaiting_phone', { dialog: PhoneDialog }>
  /** The phone takes the dialog over. */
  | WithSession<'fetching', { dialog: PhoneDialog }>;

export type Phase = CallState['phase'];
export type StateOf<P extends Phase> = Extract<CallState, { phase: P }>;
export type StateWithSession = Extract<CallState, { session: CallSession }>;

export const silent: Media = {
  isMuted: false,
  isHeld: false,
  isHeldByOther: false,
  isTransferring: false,
  consult: null,
  trouble: null,
  quality: null,
};

/** Null: there is no call here. */
export function sessionOf(state: CallState): CallSession | null {
  return 'session' in state ? state.session : null;
}

/** By which the gateway knows the call; null: there is none, or it does not know it. */
export function callIdOf(state: CallState): string | null {
  const record = sessionOf(state)?.record;
  return record?.kind === 'known' ? record.callId : null;
}

/** The same, also of a call that is to ring again. */
export function awaitedIdOf(state: CallState): string | null {
  return state.phase === 'awaiting_ring' ? state.call.id : callIdOf(state);
}

/** Whether agent and customer can talk, be it on hold. */
export function isTalk(state: CallState): boolean {
  return state.phase === 'connected' || state.phase === 'standing_by' || state.phase === 'handed_over';
}

/** Whether somebody waits for the agent's answer, or for the phone to give it. */
export function isIncoming(state: CallState): boolean {
  return state.phase === 'ringing' || state.phase === 'answering';
}

/** Whether the audio of a call is on its way to this page, or may be. */
export function isBeingRecovered(state: CallState): boolean {
  return ['awaiting_ring', 'recovering', 'searching', 'awaiting_phone', 'fetching'].includes(state.phase);
}

/** Whether the phone is in a call, so that replacing it would end one. */
export function usesPhone(state: CallState): boolean {
  return sessionOf(state) !== null && !['recovering', 'searching', 'awaiting_phone'].includes(state.phase);
}

/** An offer that was accepted becomes a dial by then, or never. Milliseconds. */
export const offerLastsMs = 15_000;
/**
 * A queue that goes on hunting has come back to this agent by then, or has found somebody else. Milliseconds.
 */
export const comesBackMs = 15_000;
/** Whoever has taken over asks for the audio by then. Milliseconds. */
const askedWithinMs = 5_000;
/** Whoever takes a call over has started its phone and done so by then, or has failed. Milliseconds. */
export const handoverMs = 45_000;

const recovery = { ms: handoverMs };

/** How long a phase lasts before `timeout`. Phases that share an object share the time. */
const deadlines: Partial<Record<Phase, { ms: number }>> = {
  offered: { ms: offerLastsMs },
  expecting: { ms: comesBackMs },
  awaiting_ring: { ms: comesBackMs },
  recovering: recovery,
  searching: recovery,
  awaiting_phone: recovery,
  standing_by: { ms: askedWithinMs },
  handed_over: { ms: handoverMs },
};

/**
 * @returns what is to be set when a call goes from one phase to another, null: none any more;
 * undefined: what was set stays
 */
export function deadlineBetween(from: Phase, to: Phase): number | null | undefined {
  return deadlines[from] === deadlines[to] ? undefined : (deadlines[to]?.ms ?? null);
}
