import type { IncomingRequestInside as Request } from './jssipInside.ts';

/** The network's own word for a transfer that this telephone has asked for: how it goes. */
const referral = /^refer\s*(?:;|$)/i;

/**
 * What JsSIP trips over, or leaves unanswered, in a call that is connected.
 * @returns the code to refuse it with, so that the call goes on as it was; null: JsSIP may have it
 */
export function refusalOfOdd(request: Request): number | null {
  if (request.method === 'NOTIFY') return refusalOfNotify(request.getHeader('event'));
  // It is no other call, so none that could take the place of this one (RFC 3891, 3).
  if (request.method === 'INVITE' && request.to_tag && request.getHeader('replaces') !== undefined) return 400;
  const isOffer =
    (request.method === 'INVITE' || request.method === 'UPDATE') &&
    /^application\/sdp$/i.test(request.getHeader('content-type') ?? '');
  // The browser would look for no way to send what is not there, and JsSIP wait for that.
  return isOffer && request.body !== '' && !hasVoice(request.body) ? 488 : null;
}

/** Without an event, JsSIP refuses it, and then reads the event; by its number it finds what every object has, too. */
function refusalOfNotify(event: string | undefined): number | null {
  if (event === undefined) return 400;
  return referral.test(event) && /;\s*id\s*=\s*(?!\d+\s*(?:;|$))/i.test(event) ? 481 : null;
}

/** Whether a description has sound that is not turned down by port 0 (RFC 3264, 6). */
function hasVoice(sdp: string): boolean {
  return /^m=audio [1-9]/m.test(sdp);
}
