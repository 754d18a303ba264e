import type { ReportedQuality } from '../../../../src/contract/calls.ts';
import type { EndReason, ListeningMode, ReportedEndDetail } from '../../../../src/contract/vocabulary.ts';
import type { PhoneLine } from './phoneLine.ts';

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
  /** Of `transferred`, and of detail `passed_on`: whom the call was handed on to, as it was dialed. */
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
 * unanswered for longer, they are given up; absent: as the settings say. `onDeclined`: they decline (603); called
 * before `consult` is told to be null.
 */
export type ConsultOptions = {
  name?: string;
  forCall?: string;
  joinsAtOnce?: boolean;
  withinMs?: number;
  onDeclined?: () => void;
};

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
 * Call-ID of its INVITE, `dialedNumber`: which number they called, and `queue`: where they waited, as the network told
 * it; absent: not told.
 */
export type Caller = {
  phoneNumber: string;
  displayName: string | null;
  forCall?: string;
  sipCallId?: string;
  dialedNumber?: string;
  queue?: string;
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

/** Tells the calls of a page apart, whoever began them. */
export type CallKey = number;

let lastKey: CallKey = 0;

/** For a call that is about to begin. */
export function nextCallKey(): CallKey {
  return ++lastKey;
}

/** What the telephone tells of the audio that nobody but the agent has to know. */
export type CallMedia = {
  /** The other side holds the call: nobody there hears the agent. */
  isHeldByOther: boolean;
  /** The network is asked to hand the call on. Told anew when it has agreed: `dialog` says so then. */
  isTransferring: boolean;
  /** Whom the agent talks to about it; null: nobody. */
  consult: Consult | null;
  /** What is wrong with the voice; null: it goes both ways. */
  trouble: VoiceTrouble | null;
  /** Told every few seconds of a call that is not on hold; null: not measured yet. */
  quality: VoiceQuality | null;
};

/** What happens to a call at the telephone. */
export type PhoneCallEvent =
  /**
   * A call of the agent's is on its way to the network, by that Call-ID; of one that is taken over, the Call-ID that it
   * had. Before all else that is told of it.
   */
  | { type: 'placed'; sipCallId: string }
  /** The other side rings (180, 183). `hasSound`: the network sends its own ringing tone. */
  | { type: 'rings'; hasSound: boolean }
  | { type: 'connected' }
  /** What has become of `setHeld`: held or not, be it as before. */
  | { type: 'held'; isHeld: boolean }
  | { type: 'muted'; isMuted: boolean }
  /** The telephone network names another one as the other side, by a number: at most 20 times in a call. */
  | { type: 'caller_changed'; caller: Caller }
  /**
   * The telephone network moves the call that is connected to somebody else; `who`, for people.
   * `failed`: it goes on as before.
   */
  | { type: 'moved'; step: 'begun' | 'done' | 'failed'; who: string | null }
  /** What has changed of it. */
  | { type: 'media'; media: Partial<CallMedia> }
  /** Once, and nothing after it. */
  | { type: 'ended'; end: PhoneEnd };

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

/** A call at the telephone, until it has ended. What cannot be done now does nothing. */
export interface PhoneCall {
  /** As it is now, for whoever takes it over; null: it is not connected, or cannot be taken over. */
  readonly dialog: PhoneDialog | null;
  answer(): void;
  /**
   * Declines who is calling. `busy`: as somebody who talks already, not as somebody who does not want to; `away`: as a
   * telephone that is not there just now, so that the network tries others, or again.
   */
  reject(why?: 'busy' | 'away'): void;
  /**
   * Has the network ring somebody else for who is calling (302, RFC 3261, 21.3.3); what it makes of that it tells
   * nobody. `ended` follows, with detail `passed_on`.
   * @param to as of `transfer`
   */
  passOn(to: string): void;
  /** Hangs up at once, or, `after_tones`, when the tones that were dialed have gone out: a second later at most. */
  hangUp(when?: 'after_tones'): void;
  setMuted(isMuted: boolean): void;
  /** Of a call beside which somebody is consulted: whether the agent talks to them. */
  setHeld(isHeld: boolean): void;
  /**
   * Asks the network to hand the call that is connected on, as `can.transfer` says: `ended` follows with `transferred`,
   * or the call goes on. Where a call that is connected cannot be handed on now, `isTransferring` is told to be false.
   * @param to a number in E.164, or what the PBX knows, such as an extension
   */
  transfer(to: string): void;
  /**
   * The call was not handed on, or is back: by tones the network says nothing of it.
   * @param why `unreachable`: whom it was to be handed on to
   */
  keep(why?: 'unreachable'): void;
  /**
   * Puts the customer on hold and calls somebody beside them, one at a time; from then on `setHeld` changes between
   * both. Whoever is left by one is with the other again. Where it cannot be begun, `consult` is null at once.
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
  /** Where the agent reports by hand: the customer has answered; the call is over. */
  reportAnswered(): void;
  reportEnded(end: PhoneEnd): void;
}
