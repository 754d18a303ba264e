import { C, type UA } from 'jssip';
import type { IncomingRequestInside } from './jssipInside.ts';

/** What is done when it is asked for; JsSIP would name more. */
const allowed = 'INVITE,ACK,CANCEL,BYE,UPDATE,OPTIONS,REFER,INFO,NOTIFY';

type Request = IncomingRequestInside & { reply_sl: (code: number) => void };

/**
 * Says what this telephone does when it is asked to, and does no more. Whom to call is said in a call, by the other side of
 * it (REFER); from elsewhere, nobody tells a telephone to dial.
 */
export function takeWhatIsAllowed(ua: UA): void {
  Object.assign(C, { ALLOWED_METHODS: allowed });
  const inside = ua as unknown as { receiveRequest: (request: Request) => void };
  const receive = inside.receiveRequest.bind(ua);
  inside.receiveRequest = (request) => {
    if (request.method === 'REFER' && !request.to_tag) return request.reply_sl(403);
    receive(request);
  };
}
