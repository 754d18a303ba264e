import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CallView, DispositionRequest } from '../../../../src/contract/calls.ts';
import type { CrmScreenPop, Refusal } from '../../../../src/contract/socket.ts';
import type { MessageNotice } from '../../../../src/contract/messages.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import type { SessionSettings } from '../../../../src/contract/telephony.ts';
import type { ListeningMode } from '../../../../src/contract/vocabulary.ts';
import type { LineState } from '../../../../src/client/softphone.ts';
import type { CallNotice } from './call/callEvents.ts';
import type { ReservedColleague, TransferTarget } from './colleagueTransfer.ts';
import type { PhoneAbilities, TestStep } from '../../lib/sip/phone.ts';
import type { Caller, CallKey, Consult, PhoneEnd, VoiceQuality, VoiceTrouble } from '../../lib/sip/phoneCall.ts';
import type { PhoneLine } from '../../lib/sip/phoneLine.ts';

/**
 * What the agent should know, with what the sentence for it names; the sentences are `phone.notice` of the catalogs.
 */
export type NoticeMessage =
  | CallNotice
  /** `line`: why the phone cannot be used. */
  | { code: 'cannot_go_ready' | 'paused'; line: PhoneLine }
  | { code: 'ready_again' };

/** Something the agent should read; it stays until it is dismissed or another one comes. */
export type WorkplaceNotice = { id: number; kind: 'info' | 'problem'; message: NoticeMessage };

const callInTheWay = { in_call: 'There is a call already.', hang_up_first: 'There is still a call.' };

/** Thrown where an agent cannot do something now, whatever the gateway would say. */
export class CannotNow extends Error {
  override readonly name = 'CannotNow';
  readonly why: 'in_call' | 'hang_up_first' | PhoneLine;

  /** @param why the phone's line: it is not ready. `message` is for programs, as a page around this one */
  constructor(why: CannotNow['why']) {
    super(typeof why === 'string' ? callInTheWay[why] : 'The phone is not ready.');
    this.why = why;
  }
}

/** Everything that an agent's page shows. A new object for each change. */
export type WorkplaceView = {
  /** The line to the gateway; `refusal`: why it is `refused`. */
  line: LineState;
  refusal: Refusal | null;
  /** Null until the gateway has told. */
  agent: AgentStateView | null;
  settings: SessionSettings | null;
  /**
   * The call that lasts, or was the last: as the gateway told, but connected, held or over as soon as it is so at the
   * telephone. An answered call that the gateway does not know (yet), as of a caller without a number, stands here
   * while it lasts, with the id `unrecorded` and the caller in place of the number.
   */
  call: CallView | null;
  /** By which the page knows the call that rings or lasts; null: there is none. */
  callKey: CallKey | null;
  /** The customer of the call that lasts, or is being wrapped up. */
  pop: CrmScreenPop | null;
  phone: PhoneLine;
  can: PhoneAbilities;
  /** Who is calling, until it is answered. */
  caller: Caller | null;
  /** Another call beside that one; null: there is none. */
  other: OtherCall | null;
  /** The caller was answered; in a moment the call is connected. */
  isAnswering: boolean;
  isMuted: boolean;
  /** What is wrong with the voice; `since` by the gateway's clock. Null: nothing. */
  voiceTrouble: VoiceTrouble | null;
  /** Null: not measured. */
  voiceQuality: VoiceQuality | null;
  isHeld: boolean;
  /** The other side has put the agent on hold. */
  isHeldByOther: boolean;
  /** The telephone network is asked to hand the call on. */
  isTransferring: boolean;
  /** Whom the agent talks to before the call is handed on; null: nobody. */
  consult: Consult | null;
  /** Whom the gateway reserves for the call; null: nobody. */
  reservedColleague: ReservedColleague | null;
  /** Supervisors who are in the call, of whom the agent is to know. */
  listeners: readonly ShownListener[];
  /** The call of the page before a reload, or of another tab, is being fetched. */
  isRecovering: boolean;
  /** There is a call, or the gateway is yet to learn how it ended: the page is needed, even if the log-in has ended. */
  isEngaged: boolean;
  /** The last call whose caller heard that the agent is busy, by its id; null: there was none at this page. */
  turnedAway: string | null;
  notice: WorkplaceNotice | null;
  /** Tasks that are due: the agent's own, and nobody's while the agent is Ready. */
  dueTasks: readonly TaskView[];
  /** What supervisors wrote and the agent has not read; also what is over by now. */
  messages: readonly MessageNotice[];
};

/**
 * A call beside the one that the agent talks in. `key`: as of `callKey`. `caller`: who is calling, until it is
 * answered; null: it is on hold. `isTurning`: the agent is about to talk in it. `since`: when it began to ring, or was
 * answered; ISO 8601, by the gateway's clock.
 */
export type OtherCall = {
  key: CallKey;
  call: CallView | null;
  caller: Caller | null;
  since: string;
  isTurning: boolean;
};

/** A supervisor in the agent's call. */
export type ShownListener = { id: string; name: string; mode: ListeningMode };

/**
 * `overrideDoNotCall`: although the contact does not want to be called; for supervisors and admins.
 * `contactId`: whom of the built-in CRM the call is with. `callerId`: by which of the company's outgoing numbers.
 */
export type DialOptions = { overrideDoNotCall?: boolean; contactId?: string; callerId?: string };

/**
 * An agent's workplace: the softphone (the gateway's side) and the telephone (the voice) kept in step. What the
 * telephone does is reported to the gateway; what the gateway decides is done by the telephone.
 *
 * What is chosen for a call names it by its key: by the time of the choice another one may have taken its place, which
 * is none of its business.
 */
export interface Workplace {
  view(): WorkplaceView;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
  onPop(listener: (pop: CrmScreenPop) => void): () => void;
  /** Milliseconds since the epoch by the gateway's clock: `since` and `wrap_up_ends_at` are told by it. */
  now(): number;

  /** Refused with a notice while the telephone is not ready. Rejects with SoftphoneRefusal. */
  setReady(): Promise<void>;
  setNotReady(reason?: string): Promise<void>;
  /** Dials by hand. Rejects with SoftphoneRefusal or CannotNow. */
  dial(phoneNumber: string, options?: DialOptions): Promise<CallView>;
  answer(): void;
  reject(): void;
  /**
   * Has the network ring somebody else for who is calling, here or beside a call; they are not missed then.
   * @param to as of `transfer`
   */
  passOn(key: CallKey, to: string): void;
  /**
   * Answers the other call, or goes on with it: the one that the agent talks in is put on hold before. While a call is
   * about to be handed on, that does nothing.
   */
  turnToOther(): void;
  /** Declines whoever calls beside a call. */
  rejectOther(): void;
  /** While the agent talks to whom they consult: with them, else with the customer. */
  hangUp(): void;
  setMuted(isMuted: boolean): void;
  setHeld(isHeld: boolean): void;
  /**
   * Hands the call that the agent talks in on, without a word to whoever gets it.
   * @param to E.164, or as the PBX knows them
   */
  transfer(key: CallKey, to: string): void;
  /** The call was not handed on, or is back, where the telephone cannot know: see `can.transfer`. */
  keepCall(key: CallKey): void;
  /**
   * Has the gateway reserve a Ready colleague, and calls them as `consult` does; the customer is handed on as soon as
   * they answer, or when the agent says so. Rejects with SoftphoneRefusal or CannotNow.
   */
  transferTo(key: CallKey, target: TransferTarget, isAskedFirst: boolean): Promise<void>;
  /**
   * Calls somebody while the customer is on hold, before the call is handed on; `setHeld` changes between both.
   * @param to as of `transfer`
   */
  consult(key: CallKey, to: string): void;
  /** Agent, customer and whom the agent consults talk together, once that one has answered; `setHeld` ends that. */
  confer(): void;
  /** Hands the customer on to whom the agent consults. */
  completeConsult(): void;
  /** Back to the customer. */
  endConsult(): void;
  sendDtmf(tone: string): void;
  /** A call to the echo of the PBX, of which nobody else hears; as of `Phone.test`. */
  testCall(onStep: (step: TestStep) => void): () => void;
  /** Desk phones: the agent tells. */
  reportAnswered(): void;
  reportEnded(end: PhoneEnd): void;
  /**
   * The agent is typing: the wrap-up of that call may last longer, as far as the company allows.
   * Rejects with SoftphoneRefusal.
   */
  extendWrapUp(callId: string): Promise<void>;
  submitDisposition(callId: string, disposition: DispositionRequest): Promise<void>;
  /** Several records have the number of that call: this one is the customer. Rejects with SoftphoneRefusal. */
  chooseRecord(callId: string, record: { object: string; id: string }): Promise<void>;
  /** The agent has read that message. Rejects with SoftphoneRefusal; then it stays. */
  acknowledgeMessage(messageId: string): Promise<void>;
  /** Takes the softphone back after another tab has taken it. */
  takeOver(): void;
  dismissNotice(id: number): void;
  /**
   * Gives the line a fresh token of the same agent, also after the gateway has refused the old one.
   * Rejects with SoftphoneRefusal.
   */
  renewToken(token: string): Promise<void>;
  /** Logs the agent out. Rejects with SoftphoneRefusal, or during a call with CannotNow; then nothing has changed. */
  signOut(): Promise<void>;
  /**
   * Leaves without logging out: the page is going, and the next one finds everything as it is.
   * `isForGood`: none comes, so a call is hung up.
   */
  close(how?: { isForGood?: boolean }): void;
}
