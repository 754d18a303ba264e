import type { Call } from './call.ts';
import type { Line } from './line.ts';
import type { SipRequest } from './sipMessage.ts';
import { allowedMethods } from './sipText.ts';
import { dialogHeaders, type CallNeeds } from './takeCall.ts';

/** A request of a telephone about a call that it is in: acknowledges, holds, resumes, sends tones, hangs up. */
export async function takeInDialog(needs: Pick<CallNeeds, 'book' | 'registrar'>, line: Line, request: SipRequest): Promise<void> {
  const { callId, to, from, method } = request;
  const call = needs.book.find({ callId, localTag: to.tag, remoteTag: from.tag });
  if (method === 'ACK') {
    if (call?.state === 'answered') call.state = 'confirmed';
    return;
  }
  const refuse = (status: number, reason: string) => line.reply(request, { status, reason });
  if (call === null) return refuse(481, 'No Such Call');
  if (call.line !== line) {
    if (!needs.registrar.isAt(call.user, line)) return refuse(403, 'Register First');
    call.moveTo(line);
  }
  // RFC 3261, 12.2.2: it was overtaken.
  if (request.cseq.number <= call.remoteCseq) return refuse(500, 'Out of Order');
  call.remoteCseq = request.cseq.number;
  await serve(call, line, request);
}

async function serve(call: Call, line: Line, request: SipRequest): Promise<void> {
  switch (request.method) {
    case 'BYE':
      line.reply(request, { status: 200, reason: 'OK' });
      return call.end();
    case 'INVITE':
      return renegotiate(call, line, request);
    case 'UPDATE':
      // Without an offer it only tells that the telephone is still there.
      if (request.body !== '') return renegotiate(call, line, request);
      return line.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders });
    case 'INFO':
    case 'OPTIONS':
      return line.reply(request, { status: 200, reason: 'OK' });
    default:
      return line.reply(request, { status: 405, reason: 'Method Not Allowed', headers: [['Allow', allowedMethods]] });
  }
}

/** Hold and resume. */
async function renegotiate(call: Call, line: Line, request: SipRequest): Promise<void> {
  if (!call.isLive || call.isNegotiating) return line.reply(request, { status: 491, reason: 'Request Pending' });
  const sdp = await call.answerTo(request.body);
  if (!call.isLive) return line.reply(request, { status: 481, reason: 'No Such Call' });
  if (sdp === null) return line.reply(request, { status: 488, reason: 'Not Acceptable Here' });
  line.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders, body: sdp });
}
