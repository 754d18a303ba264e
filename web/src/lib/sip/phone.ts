import type { Emitter } from '@socket.io/component-emitter';
import type { TransferWay } from '../../../../src/contract/vocabulary.ts';
import type {
  Caller,
  CallKey,
  PhoneCall,
  PhoneCallEvent,
  PhoneDialog,
  PhoneEnd,
  PhoneProblem,
  VoiceQuality,
} from './phoneCall.ts';
import type { PhoneLine } from './phoneLine.ts';

/**
 * How a test call goes. `quality`: null: not measured, or not yet. `end`: how a test ended that nobody answered; null:
 * it was answered, or given up.
 */
export type TestStep =
  | { step: 'calling' }
  | { step: 'talking'; quality: VoiceQuality | null }
  | { step: 'over'; quality: VoiceQuality | null; end: PhoneEnd | null };

export type PhoneEvents = {
  line: (line: PhoneLine) => void;
  /** Somebody calls. The call is not connected before it is answered. */
  incoming: (key: CallKey, caller: Caller) => void;
  /** Somebody calls while there are two calls, and hears that it is busy. */
  turnedAway: (caller: Caller) => void;
  /** Of a call that the agent began, or that `incoming` told of. */
  call: (key: CallKey, event: PhoneCallEvent) => void;
  /** Something the agent should know; a call that there is goes on. */
  problem: (problem: PhoneProblem) => void;
};

/**
 * What a telephone is able to do. `transfer`: how it has a call handed on; null: not at all. By tones, whether the
 * network has done so is for the agent to hear. `reportsByHand`: the agent says when a call was answered and ended.
 */
export type PhoneAbilities = {
  mute: boolean;
  hold: boolean;
  dtmf: boolean;
  transfer: TransferWay | null;
  incoming: boolean;
  reportsByHand: boolean;
};

/** The telephone of one agent: two calls at most. What cannot be done now does nothing. */
export interface Phone extends Emitter<PhoneEvents, PhoneEvents> {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities;
  /** Null: it has not begun, or has ended. */
  call(key: CallKey): PhoneCall | null;
  start(): void;
  /** Is called no more, and keeps the call that lasts: another page is the agent's telephone from now on. */
  withdraw(): void;
  /** Ends a call, if there is one, and lets go of everything. Nothing is told any more. */
  stop(): void;
  /** Lets go of everything without a word to the other side, so that another page can take the call over. */
  abandon(): void;
  /** @param key of the call that begins */
  dial(key: CallKey, whom: Dialed): void;
  /**
   * Takes a connected call over from a page that is gone,
   * muted and held where it was: nothing is heard of the agent before that is so. `connected` follows, or `ended`.
   */
  takeOver(key: CallKey, dialog: PhoneDialog): void;
  /** Hangs up in a dialog of a page that is gone, once the telephone network is reached; forgotten after 2 minutes. */
  release(dialog: PhoneDialog): void;
  /**
   * Calls the echo of the PBX, where the settings tell its number and there is no call: one that begins ends the test.
   * @param onStep told of it alone @returns ends it
   */
  test(onStep: (step: TestStep) => void): () => void;
}

/**
 * Whom the agent calls. `phoneNumber`: E.164. `callId`: the gateway's; the telephone network is told it. `callerId`:
 * the number that they are to see, which the network is asked for; null: as it has it.
 */
export type Dialed = { phoneNumber: string; callId: string; callerId: string | null };
