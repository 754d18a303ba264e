import type { EndEvent } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { PhoneEnd, PhoneProblem, VoiceTrouble } from './phoneCall.ts';
import { causesIn, refusalOf } from './refusals.ts';

/** Why this page itself ended a call. */
export type RequestedEnd =
  | 'hang_up'
  | 'decline'
  | 'decline_busy'
  | 'pass_on'
  | 'no_answer'
  | 'no_interface'
  | 'no_microphone'
  | 'no_voice'
  | 'line_lost'
  | 'away';

/** How a SIP call ended, as the SIP library tells it. */
export type SipEnding = {
  direction: 'outbound' | 'inbound';
  wasConnected: boolean;
  /** Null: it was not this page's doing. */
  requested: RequestedEnd | null;
  /** `remote`: by a message of the other side. */
  by: 'local' | 'remote' | 'system';
  /** By BYE or CANCEL, so somebody wanted it; else something broke, or the call was refused with a code. */
  isDeliberate: boolean;
  /** What the telephone network offers as a voice is none that a browser takes. */
  isMute: boolean;
  /** Of the final answer to an INVITE; null: there was none. */
  code: number | null;
  /** What the network said of it beside the code: its `Reason` headers (RFC 3326). */
  reasons: readonly string[];
  /** Another telephone has answered (`tookElsewhere`). */
  answeredElsewhere: boolean;
  /** How long it rang here, in milliseconds. */
  rangMs: number;
  /** It was to take the place of another telephone in its call. */
  takesOver: boolean;
  /** How the voice was when an answered call ended. */
  voice: 'well' | VoiceTrouble['kind'];
};

/** Longer than a caller who thinks better of it: an agent who is there has answered by then. */
const patientMs = 15_000;

/** No such call (RFC 3891). */
const gone = 481;

const problems: Partial<Record<RequestedEnd, PhoneProblem>> = {
  no_voice: { code: 'settings_refused' },
  no_interface: { code: 'no_interface' },
  no_microphone: { code: 'no_microphone' },
};

/** What the end of a SIP call means in the words of the gateway. */
export function endOf(ending: SipEnding): PhoneEnd {
  const end = withoutCode(ending);
  return ending.code === null ? end : { ...end, sipCode: ending.code };
}

function withoutCode(ending: SipEnding): PhoneEnd {
  if (ending.wasConnected) return afterAnswer(ending);
  if (ending.takesOver) return ofTakeOver(ending);
  if (ending.isMute) return { reason: 'failed', problem: { code: 'no_webrtc_audio' } };
  return ending.direction === 'inbound' ? ofRing(ending) : ofDial(ending);
}

/** The customer's words to a call that nobody made to them are not theirs: it was not fetched, for whatever reason. */
function ofTakeOver(ending: SipEnding): PhoneEnd {
  if (ending.code === gone) return { reason: 'failed' };
  if (ending.requested !== null) return { ...ofDial(ending), stands: true };
  return { reason: 'failed', problem: { code: 'not_taken_over' }, stands: true };
}

function afterAnswer(ending: SipEnding): PhoneEnd {
  const end = byWhom(ending);
  return ending.voice === 'well' ? end : { ...end, detail: 'voice_lost' };
}

function byWhom({ requested, by, isDeliberate, voice }: SipEnding): PhoneEnd {
  // Who hangs up where no voice goes any way has not completed the call.
  if (requested === 'hang_up') return { reason: voice === 'reconnecting' ? 'failed' : 'completed', endedBy: 'agent' };
  if (by === 'remote' && isDeliberate) return { reason: 'completed', endedBy: 'customer' };
  return { reason: 'failed', detail: 'voice_lost', problem: { code: 'connection_lost' } };
}

function ofDial({ requested, code, reasons }: SipEnding): PhoneEnd {
  if (requested === 'hang_up') return { reason: 'canceled', endedBy: 'agent' };
  if (requested === 'no_answer') return { reason: 'no_answer' };
  if (requested !== null) return broken(requested);
  const refusal: PhoneEnd = code === null ? { reason: 'failed' } : refusalOf(code, reasons);
  return refusal.reason === 'busy' || refusal.reason === 'rejected' ? { ...refusal, endedBy: 'customer' } : refusal;
}

/** `canceled` leaves an agent Ready; `missed` and `no_answer` are for one who was not there. */
function ofRing({ requested, by, isDeliberate, answeredElsewhere, rangMs }: SipEnding): PhoneEnd {
  if (requested === 'decline') return { reason: 'rejected', endedBy: 'agent' };
  if (requested === 'pass_on') return { reason: 'canceled', endedBy: 'agent', detail: 'passed_on' };
  if (requested === 'decline_busy') return { reason: 'busy', endedBy: 'agent' };
  if (requested === 'no_answer') return { reason: 'no_answer', endedBy: 'agent' };
  if (requested === 'away') return { reason: 'canceled' };
  const reason = rangMs >= patientMs && !answeredElsewhere ? 'missed' : 'canceled';
  if (requested === 'line_lost') return { reason, problem: { code: 'connection_lost_ringing' } };
  if (requested !== null) return broken(requested);
  if (by !== 'remote' || !isDeliberate) return { reason: 'failed' };
  // Another agent has taken it: the customer is still there.
  return answeredElsewhere ? { reason, detail: 'answered_elsewhere' } : { reason, endedBy: 'customer' };
}

function broken(requested: RequestedEnd): PhoneEnd {
  const problem = problems[requested];
  return { reason: 'failed', ...(problem === undefined ? {} : { problem }) };
}

/** How a call has ended, of what JsSIP tells of it and what this page knows. */
export function endingOf(
  { originator, message, cause }: EndEvent,
  known: Pick<SipEnding, 'direction' | 'wasConnected' | 'requested' | 'rangMs' | 'takesOver' | 'voice'>,
): PhoneEnd {
  // The caller has said how long they would wait, and JsSIP counts for them.
  const isExpired = cause === 'Expires';
  const by = isExpired ? 'remote' : (originator as 'local' | 'remote' | 'system');
  const told = message as (IncomingRequest & Partial<IncomingResponse>) | null;
  const reasons = told?.getHeaders('reason') ?? [];
  const wasUnanswered = by === 'local' && cause === 'No Answer';
  return endOf({
    ...known,
    requested: known.requested ?? (wasUnanswered ? 'no_answer' : null),
    by,
    isDeliberate: cause === 'Terminated' || cause === 'Canceled' || isExpired,
    isMute: by !== 'local' && (cause === 'WebRTC Error' || cause === 'Bad Media Description'),
    code: by === 'remote' && !known.wasConnected ? (told?.status_code ?? null) : null,
    reasons,
    answeredElsewhere: told?.method === 'CANCEL' && tookElsewhere(reasons),
  });
}

/**
 * Whether a CANCEL says that another telephone has the call: `SIP;cause=200` (RFC 3326), or Q.850's 26,
 * `non-selected user clearing`.
 */
export function tookElsewhere(reasons: readonly string[]): boolean {
  return causesIn(reasons, 'SIP').includes(200) || causesIn(reasons, 'Q.850').includes(26);
}
