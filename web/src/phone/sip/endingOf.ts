import type { EndEvent } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { PhoneEnd } from '../phone.ts';
import { endOf, type SipEnding } from '../sipOutcome.ts';

/** How a call has ended, of what JsSIP tells of it and what this page knows. */
export function endingOf(
  { originator, message, cause }: EndEvent,
  known: Pick<SipEnding, 'direction' | 'wasConnected' | 'wish' | 'rangMs' | 'takesOver' | 'voice'>,
): PhoneEnd {
  // The caller has said how long they would wait, and JsSIP counts for them.
  const isExpired = cause === 'Expires';
  const by = isExpired ? 'remote' : (originator as 'local' | 'remote' | 'system');
  const told = message as (IncomingRequest & Partial<IncomingResponse>) | null;
  const reasons = told?.getHeaders('reason') ?? [];
  const wasUnanswered = by === 'local' && cause === 'No Answer';
  return endOf({
    ...known,
    wish: known.wish ?? (wasUnanswered ? 'no_answer' : null),
    by,
    isDeliberate: cause === 'Terminated' || cause === 'Canceled' || isExpired,
    isMute: by !== 'local' && (cause === 'WebRTC Error' || cause === 'Bad Media Description'),
    code: by === 'remote' && !known.wasConnected ? (told?.status_code ?? null) : null,
    reasons,
    answeredElsewhere: told?.method === 'CANCEL' && reasons.some((reason) => /\bcause\s*=\s*200\b/i.test(reason)),
  });
}
