import type { CallView } from '../../../../../src/contract/calls.ts';
import type { TransferOffer } from '../../../../../src/contract/socket.ts';
import type { Dialed } from '../../../lib/sip/phone.ts';
import type {
  Caller,
  CallKey,
  PhoneCallEvent,
  PhoneDialog,
  PhoneEnd,
  PhoneProblem,
} from '../../../lib/sip/phoneCall.ts';
import type { CallStep } from './callState.ts';

/** How far the phone of this page is. `none`: there is no object yet; `failed`: it will not come up by itself. */
export type PhoneReadiness = 'none' | 'starting' | 'ready' | 'failed';

/** What happens to a call. */
export type CallEvent =
  // The agent.
  | { type: 'dial'; key: CallKey }
  | { type: 'answer' }
  | { type: 'decline' }
  /** `orphan`: the id of a call that lasts at the gateway, and how to end it. */
  | { type: 'hang_up'; orphan: { callId: string; end: PhoneEnd } | null }
  // The phone.
  /** `isServed`: this page is the agent's softphone. */
  | { type: 'incoming'; key: CallKey; caller: Caller; isServed: boolean }
  | Exclude<PhoneCallEvent, { type: 'placed' }>
  /** The agent has hung up, and the phone had nothing to end. */
  | { type: 'nothing_to_end'; end: PhoneEnd }
  | { type: 'phone_changed'; phone: PhoneReadiness; reportsByHand: boolean }
  // The gateway.
  /** It is about to offer a click: a ring that it does not know of gives way. */
  | { type: 'make_way' }
  | { type: 'offer'; callId: string }
  | { type: 'offer_withdrawn'; callId: string }
  /** A colleague hands a call on, which is about to ring. */
  | { type: 'transfer_offered'; offer: TransferOffer }
  /** The click was recorded. */
  | ({ type: 'dial_confirmed'; key: CallKey; call: CallView | null } & Dialed)
  | { type: 'dial_refused' }
  /** The answer to `requesting` or `ringing`: that is the call. */
  | { type: 'recorded'; call: CallView }
  /** It does not take such a caller, and sends no call meanwhile. */
  | { type: 'unrecorded' }
  | { type: 'no_place' }
  /** `isEnding`: its end is on the way to the gateway. */
  | { type: 'call_told'; call: CallView; isEnding: boolean }
  /**
   * The connection is back. `callId`: the agent's call there; `isLapse`: it gave the agent up because it heard nothing.
   */
  | { type: 'resynced'; callId: string | null; isLapse: boolean }
  /** A while after it was told, a call still is not known to be this page's. */
  | { type: 'orphan_found'; key: CallKey; call: CallView }
  // Tabs and page.
  | { type: 'dialog_found'; dialog: PhoneDialog | null; phone: PhoneReadiness }
  /** Another page has taken the softphone over. */
  | { type: 'replaced' }
  | { type: 'taken_back' }
  /** Another tab asks for the audio. `dialog`: null: the phone has none to give. */
  | { type: 'dialog_asked'; callId: string; dialog: PhoneDialog | null }
  /** `isThere`: the other tab has the audio now; else it has given up. */
  | { type: 'handover_done'; callId: string; isThere: boolean }
  | { type: 'leaving'; reportsByHand: boolean }
  /** `isForGood`: no page comes in the place of this one. */
  | { type: 'left'; isForGood: boolean }
  /** The deadline of the phase has passed. */
  | { type: 'timeout' };

export type EventType = CallEvent['type'];
export type EventOf<E extends EventType> = Extract<CallEvent, { type: E }>;

/** What the agent is told of a call; the words are in calls/callWords.ts. */
export type CallNotice =
  | ({ code: 'move' } & Omit<EventOf<'moved'>, 'type'>)
  | { code: 'not_fetched' }
  /** This page has no audio of that call. */
  | { code: 'lost'; call: CallView }
  | { code: 'goes_on_unrecorded' }
  /** Somebody called meanwhile, and heard that the agent is busy. */
  | { code: 'turned_away'; who: Pick<CallView, 'phone' | 'caller' | 'customer_name'> }
  | PhoneProblem;

/** What is to be done. `CallController` does it, in order. */
export type CallEffect =
  | { do: 'ring'; which: 'incoming' | 'outgoing' }
  | { do: 'silence' }
  | { do: 'notify'; kind: 'info' | 'problem'; notice: CallNotice }
  // At the phone.
  | ({ do: 'dial'; key: CallKey } & Dialed)
  | { do: 'answer'; key: CallKey }
  | { do: 'reject'; key: CallKey; why?: 'busy' | 'away' }
  /** As the agent wants it: `nothing_to_end` follows where the phone has no such call. */
  | { do: 'end_call'; key: CallKey; end: PhoneEnd }
  | { do: 'hang_up'; key: CallKey; when?: 'after_tones' }
  | { do: 'take_over'; key: CallKey; dialog: PhoneDialog }
  | { do: 'release'; dialog: PhoneDialog }
  | { do: 'withdraw_phone' }
  | { do: 'empty_phone'; how: 'stop' | 'abandon' }
  // At the gateway.
  | { do: 'report'; callId: string; step: CallStep }
  | { do: 'announce'; key: CallKey; caller: Caller }
  /** Who heard that the agent is busy: the gateway and the agent are told. */
  | { do: 'turn_away'; caller: Caller }
  /** The gateway may still answer with a call: it is told that it ended like that; null: nothing. */
  | { do: 'answer_late'; key: CallKey; end: PhoneEnd | null }
  /** This page has hung up, and is gone. */
  | { do: 'tell_left'; callId: string }
  /** Whoever was taken out of the queue for an unrecorded call goes back. */
  | { do: 'resume_ready' }
  | { do: 'look_for_orphan_soon' }
  // Storage and tabs.
  | { do: 'keep_dialog'; key: CallKey; callId: string }
  | { do: 'store_dialog'; callId: string; dialog: PhoneDialog }
  | { do: 'forget_dialog' }
  | { do: 'leave_dialog'; callId: string }
  /** Hangs up in the dialog that is kept for the page after this one. */
  | { do: 'release_kept'; callId: string }
  | { do: 'find_dialog'; key: CallKey; callId: string }
  | { do: 'tell_tabs'; callId: string; isHere: boolean }
  /** Null: there is none any more. Milliseconds. */
  | { do: 'set_deadline'; ms: number | null };
