import type { Emitter } from '@socket.io/component-emitter';
import type { ReportedQuality } from '../../../../src/contract/calls.ts';
import type { EndReason, ListeningMode, ReportedEndDetail } from '../../../../src/contract/vocabulary.ts';

/**
 * Why an agent's phone cannot be used now, with what the sentence for it names;
 * the sentences are `phone.trouble` of the catalogs.
 */
export type PhoneTrouble =
  | {
      why:
        | 'not_set_up'
        | 'no_account'
        | 'insecure_page'
        /** The phone network is out of reach; why is being looked for. */
        | 'connection_lost'
        /** This computer is. */
        | 'offline'
        | 'microphone_missing'
        /** The browser may not ask for it, or the agent said no. */
        | 'microphone_forbidden'
        | 'microphone_busy'
        | 'microphone_unusable';
    }
  /** The settings are no address, or the SIP library could not be loaded. `reason`: as the browser put it. */
  | { why: 'not_started'; reason: string }
  /**
   * What the network answered to REGISTER: a code that is the account's fault, or the network's;
   * or `place_taken`: that it has as many other telephones of the account as it takes.
   */
  | { why: 'account_refused' | 'registration_refused_with' | 'place_taken'; sipCode: number }
  /** The network wants the secret to be proved in a way that is not known. `asked`: as it named it. */
  | { why: 'digest_unknown'; asked: string }
  | {
      why:
        /** Its machine answers HTTP; the phone network does not answer. Before, it did. */
        | 'network_silent'
        /** Something answers HTTP there that was no phone network yet. */
        | 'not_a_network'
        /** Nothing comes back at all. */
        | 'host_silent'
        /** The connection is refused; before, it was not. */
        | 'network_gone'
        /** The connection is refused, and no certificate is at stake. */
        | 'no_network'
        /** The connection is refused, perhaps for its certificate. */
        | 'untrusted_or_no_network';
      host: string;
    };

/** Whether the phone can make and take calls. `link`: where the browser shows more of why not. */
export type PhoneLine =
  | { state: 'starting' }
  | { state: 'ready' }
  | ({ state: 'unavailable'; retrying: boolean; link?: string } & PhoneTrouble);

/**
 * How a call ended at the telephone. `detail`: why, for the record. `problem`: for the agent, where something went
 * wrong that they can do something about. `stands`: of a take-over that did not succeed, the dialog that was to be
 * taken over may stand still: `release` it.
 */
export type PhoneEnd = {
  reason: EndReason;
  endedBy?: 'agent' | 'customer';
  sipCode?: number;
  detail?: ReportedEndDetail;
  /** Of `transferred`: whom the call was handed on to, as it was dialed. */
  transferredTo?: string;
  /** How well both sides could hear each other; absent where it was not measured. */
  quality?: ReportedQuality;
  problem?: PhoneProblem;
  stands?: true;
};

/**
 * Whom the agent talks to before a call is handed on, beside the customer; `to`: as dialed. `holding`: the
 * customer is being put on hold first. `with`: with whom the agent talks; the other one is on hold, or still
 * rings; `both`: all three talk.
 */
export type Consult = {
  to: string;
  name?: string;
  step: 'holding' | 'calling' | 'ringing' | 'talking';
  with: 'colleague' | 'customer' | 'both';
};

/**
 * `name`: of whom is called, for the agent. `forCall`: by which the telephone of whom is called knows what rings, where
 * the PBX passes it on. `joinsAtOnce`: customer and colleague are joined as soon as that one answers. `withinMs`:
 * unanswered for longer, they are given up; absent: as the settings say.
 */
export type ConsultOptions = { name?: string; forCall?: string; joinsAtOnce?: boolean; withinMs?: number };

/** What the agent should know of a call; the sentences are `phone.notice` of the catalogs. */
export type PhoneProblem =
  | {
      code:
        | 'no_sound_yet'
        | 'microphone_lost'
        | 'microphone_replaced'
        | 'microphone_not_replaced'
        | 'between_calls'
        | 'hold_lost'
        | 'hold_refused'
        | 'tone_lost'
        | 'network_unreachable'
        /** The browser takes the STUN and TURN servers for wrong. */
        | 'settings_refused'
        /** The network offers no audio that a browser takes. */
        | 'no_webrtc_audio'
        /** There is no network to send audio through. */
        | 'no_interface'
        | 'no_microphone'
        | 'connection_lost'
        | 'connection_lost_ringing'
        /** The network does not hand calls over from one page to another. */
        | 'not_taken_over'
        /** The network has redirected the call to whom it had been redirected from, or again and again. */
        | 'redirected_in_circles'
        /** It has redirected the call, and said to nobody. */
        | 'redirected_nowhere';
    }
  /** The network has redirected the call out of itself. `where`: the address, as it named it. */
  | { code: 'redirected_elsewhere'; where: string }
  /** A message of the phone network could not be read: `what` of it, as SIP names it. */
  | { code: 'message_unread'; what: string }
  /** `tones`: what had not gone out when the call was hung up. */
  | { code: 'tones_unsent'; tones: string }
  /** `who`: whom the other side has transferred the call to; null: the number is withheld. */
  | { code: 'transfer_unanswered'; who: string | null }
  /**
   * The call goes on. `who`: whom it was to be handed on to, as dialed; `sipCode`: what the network answered;
   * null: nothing in time.
   */
  | { code: 'transfer_refused'; who: string; sipCode: number | null }
  /**
   * Whom the agent wanted to ask, as dialed, has hung up, or could not be reached.
   * The customer is with the agent again.
   */
  | { code: 'consult_over' | 'consult_unanswered'; who: string }
  /** `line`: what is known of why. */
  | { code: 'phone_not_ready'; line: PhoneLine };

/**
 * Who is calling. `phoneNumber`: as the telephone network told it, which need not be a number (`anonymous`).
 * `displayName`: null where it told none, or only that it is withheld. `forCall`: as the colleague's telephone said who
 * calls (`ConsultOptions`); absent: it did not, or the PBX left it out. Where it rings, `sipCallId`: the
 * Call-ID of its INVITE, and `dialedNumber`: which number they called, as the network told it; absent: not told.
 */
export type Caller = {
  phoneNumber: string;
  displayName: string | null;
  forCall?: string;
  sipCallId?: string;
  dialedNumber?: string;
};

/**
 * What is wrong with the voice of a connected call. `reconnecting`: the way for it is lost, and another one is looked
 * for. `silent`: nothing arrives from the other side; `since`: milliseconds since the epoch, by this machine's clock.
 */
export type VoiceTrouble = { kind: 'reconnecting' } | { kind: 'silent'; since: number };

/**
 * How well both sides can hear each other now. `mos`: estimated, 1 to 4.5.
 * `cause`: what takes most off it: lost packets, uneven arrival, a long way.
 */
export type VoiceQuality = { mos: number; level: 'good' | 'fair' | 'poor'; cause: 'loss' | 'jitter' | 'delay' };

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
  /** Somebody calls. The call is not connected before `answer()`. */
  incoming: (caller: Caller) => void;
  /** Somebody calls while there is a call, and hears that it is busy. */
  turnedAway: (caller: Caller) => void;
  /**
   * A call of the agent's is on its way to the network, by that Call-ID; of one that is taken over, the Call-ID that it
   * had. Before all else that is told of it.
   */
  placed: (sipCallId: string) => void;
  /** The other side rings (180, 183). `hasSound`: the network sends its own ringing tone. */
  ringing: (hasSound: boolean) => void;
  connected: () => void;
  /** What has become of `setHeld`: held or not, be it as before. */
  held: (isHeld: boolean) => void;
  /** The telephone network names another one as the other side, by a number: at most 20 times in a call. */
  callerChanged: (caller: Caller) => void;
  /** The other side holds the call, or does not any more. */
  heldByOther: (isHeld: boolean) => void;
  /**
   * The telephone network moves the call that is connected to somebody else; `who`, for people.
   * `failed`: it goes on as before.
   */
  move: (step: 'begun' | 'done' | 'failed', who: string | null) => void;
  /**
   * The network is asked to hand the call on, or is asked no more. Told anew when it has agreed: `dialog` says so then.
   */
  transferring: (isAsked: boolean) => void;
  /** Null: the agent talks to the customer alone. */
  consult: (consult: Consult | null) => void;
  muted: (isMuted: boolean) => void;
  /** Null: the voice goes both ways again. */
  voiceTrouble: (trouble: VoiceTrouble | null) => void;
  /** Every few seconds of a call that is not on hold. */
  quality: (quality: VoiceQuality) => void;
  /** Once per call. */
  ended: (end: PhoneEnd) => void;
  /** Something the agent should know; the call goes on. */
  problem: (problem: PhoneProblem) => void;
};

/** What a telephone is able to do. `reportsByHand`: the agent says when a call was answered and ended. */
export type PhoneAbilities = {
  mute: boolean;
  hold: boolean;
  dtmf: boolean;
  transfer: boolean;
  incoming: boolean;
  reportsByHand: boolean;
};

/**
 * A SIP dialog, so that another page can take its place (RFC 3891) or end it (RFC 3261, 12.2).
 * URIs and routes as in SIP.
 */
export type PhoneDialog = {
  callId: string;
  localTag: string;
  remoteTag: string;
  localUri: string;
  remoteUri: string;
  /** The other side's Contact. */
  target: string;
  /** Whom an INVITE that takes the dialog's place calls. */
  address: string;
  /** Route headers, in the order in which they are sent. */
  routes: string[];
  /** A CSeq that is above all that this side has used. */
  cseq: number;
  /** Whether the agent is muted, and whether the customer is on hold: as it shall be after a take-over. */
  isMuted: boolean;
  isHeld: boolean;
  /** The network has agreed to hand the call on to them: who finds no such dialog any more knows why. */
  transferTo?: string;
};

/**
 * Somebody at another page who is let into a call: hears it, and is heard as its mode says.
 * Ends with the call at the latest.
 */
export interface PhoneListener {
  /** SDP, with all candidates. */
  readonly offer: string;
  /** @param sdp what their page answers */
  answered(sdp: string): Promise<void>;
  become(mode: ListeningMode): void;
  /** Listens for its end, which comes once, whoever ends it. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** The telephone of one agent: one call at a time. What cannot be done now does nothing. */
export interface Phone extends Emitter<PhoneEvents, PhoneEvents> {
  readonly line: PhoneLine;
  readonly can: PhoneAbilities;
  /** The call that is connected, as it is now, for whoever takes it over; null: none, or it cannot be taken over. */
  readonly dialog: PhoneDialog | null;
  start(): void;
  /** Is called no more, and keeps the call that lasts: another page is the agent's telephone from now on. */
  withdraw(): void;
  /** Ends a call, if there is one, and lets go of everything. Nothing is told any more. */
  stop(): void;
  /** Lets go of everything without a word to the other side, so that another page can take the call over. */
  abandon(): void;
  /**
   * @param phoneNumber E.164
   * @param callId the gateway's; the telephone network is told it
   * @param callerId the number that the other side is to see, which the network is asked for; null: as it has it
   */
  dial(phoneNumber: string, callId: string, callerId?: string | null): void;
  /**
   * Takes a connected call over from a page that is gone,
   * muted and held where it was: nothing is heard of the agent before that is so. `connected` follows, or `ended`.
   */
  takeOver(dialog: PhoneDialog): void;
  /** Hangs up in a dialog of a page that is gone, once the telephone network is reached; forgotten after 2 minutes. */
  release(dialog: PhoneDialog): void;
  answer(): void;
  /**
   * Declines who is calling. `busy`: as somebody who talks already, not as somebody who does not want to; `away`: as a
   * telephone that is not there just now, so that the network tries others, or again.
   */
  reject(why?: 'busy' | 'away'): void;
  /**
   * Hangs up at once, or, `after_tones`, when the tones that were dialed have gone out, which takes a second at most.
   * @returns whether `ended` tells of it, if it has not yet
   */
  hangUp(when?: 'after_tones'): boolean;
  setMuted(isMuted: boolean): void;
  /** Of a call beside which somebody is consulted: whether the agent talks to them. */
  setHeld(isHeld: boolean): void;
  /**
   * Asks the network to hand the call that is connected on (REFER, RFC 3515): `ended` follows with `transferred`,
   * or the call goes on.
   * @param to a number in E.164, or what the PBX knows, such as an extension
   */
  transfer(to: string): void;
  /**
   * Puts the customer on hold and calls somebody beside them, one at a time; from then on `setHeld` changes between
   * both. Whoever is left by one is with the other again. Where it cannot be begun, `consult` tells null at once.
   * @param to as of `transfer`
   */
  consult(to: string, options?: ConsultOptions): void;
  /** All three talk, once whom the agent consults has answered; `setHeld` ends that. */
  confer(): void;
  /**
   * Asks the network to join the customer and whom the agent consults (REFER with Replaces,
   * RFC 3891): told as of `transfer`.
   */
  completeConsult(): void;
  /** Hangs up with whom the agent consults: back to the customer. @param why absent: the agent has enough of it */
  endConsult(why?: 'unreachable'): void;
  /**
   * Lets somebody listen to the call that is connected. Null: that cannot be.
   * Rejects where the browser takes no part in it.
   */
  admitListener(): Promise<PhoneListener | null>;
  /** @param tone one of 0-9 * # A-D */
  sendDtmf(tone: string): void;
  /**
   * Calls the echo of the PBX, where the settings tell its number and there is no call: one that begins ends the test.
   * @param onStep told of it alone @returns ends it
   */
  test(onStep: (step: TestStep) => void): () => void;
  /** Where the agent reports by hand: the customer has answered; the call is over. */
  reportAnswered(): void;
  reportEnded(end: PhoneEnd): void;
}
