import type { Emitter } from '@socket.io/component-emitter';
import type { EndReason } from '../../../src/contract/vocabulary.ts';

/** Why an agent's telephone cannot be used now. */
export type PhoneTrouble =
  | 'not_set_up'
  | 'no_account'
  | 'connection_lost'
  | 'registration_refused'
  | 'no_microphone'
  | 'no_interface'
  | 'insecure_page';

/** Whether the telephone can make and take calls. `detail`: for a person, with what to do. */
export type PhoneLine =
  | { state: 'starting' }
  | { state: 'ready' }
  | { state: 'unavailable'; why: PhoneTrouble; detail: string; retrying: boolean };

/** How a call ended at the telephone. */
export type PhoneEnd = { reason: EndReason; endedBy?: 'agent' | 'customer'; sipCode?: number };

export type PhoneEvents = {
  line: (line: PhoneLine) => void;
  /** Somebody calls. The call is not connected before `answer()`. */
  incoming: (caller: { phoneNumber: string; displayName: string | null }) => void;
  /** The other side rings (180, 183). */
  ringing: () => void;
  connected: () => void;
  /** Held or resumed, by `setHeld`. */
  held: (isHeld: boolean) => void;
  muted: (isMuted: boolean) => void;
  /** Once per call. */
  ended: (end: PhoneEnd) => void;
};

/** What a telephone is able to do. `reportsByHand`: the agent says when a call was answered and ended. */
export type PhoneAbilities = { mute: boolean; hold: boolean; dtmf: boolean; incoming: boolean; reportsByHand: boolean };

/** Names a SIP dialog, so that another page can take its place (RFC 3891). */
export type PhoneDialog = { callId: string; localTag: string; remoteTag: string; target: string };

/** The telephone of one agent: one call at a time. What cannot be done now does nothing. */
export interface Phone extends Emitter<PhoneEvents, PhoneEvents> {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities;
  /** The call that is connected, for whoever takes it over; null: none, or it cannot be taken over. */
  readonly dialog: PhoneDialog | null;
  start(): void;
  /** Ends a call, unless it has been given to another page, and lets go of everything. */
  stop(): void;
  /** @param phoneNumber E.164 */
  dial(phoneNumber: string): void;
  /** Takes a connected call over from a page that is gone. `connected` follows, or `ended`. */
  takeOver(dialog: PhoneDialog): void;
  answer(): void;
  reject(): void;
  hangUp(): void;
  setMuted(isMuted: boolean): void;
  setHeld(isHeld: boolean): void;
  /** @param tone one of 0-9 * # A-D */
  sendDtmf(tone: string): void;
  /** Where the agent reports by hand: the customer has answered; the call is over. */
  reportAnswered(): void;
  reportEnded(end: PhoneEnd): void;
}
