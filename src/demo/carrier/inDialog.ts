import type { Call } from './call.ts';
import type { SipConnection } from './sipConnection.ts';
import type { SipRequest } from './sipMessage.ts';
import { allowedMethods } from './sipText.ts';
import { dialogHeaders, type CallNeeds } from './takeCall.ts';

/** A request of a telephone about a call that it is in: acknowledges, holds, resumes, sends tones, hangs up. */
export async function takeInDialog(needs: Pick<CallNeeds, 'book' | 'registrar'>, connection: SipConnection, request: SipRequest): Promise<void> {
  const { callId, to, from, method } = request;
  const call = needs.book.find({ callId, localTag: to.tag, remoteTag: from.tag });
  if (method === 'ACK') {
    if (call?.state === 'answered') call.state = 'confirmed';
    return;
  }
  const refuse = (status: number, reason: string) => connection.reply(request, { status, reason });
  if (call === null) return refuse(481, 'No Such Call');
  if (call.connection !== connection) {
    if (!needs.registrar.isAt(call.user, connection)) return refuse(403, 'Register First');
    call.moveTo(connection);
  }
  // RFC 3261, 12.2.2: it was overtaken.
  if (request.cseq.number <= call.remoteCseq) return refuse(500, 'Out of Order');
  call.remoteCseq = request.cseq.number;
  await serve(call, connection, request);
}

async function serve(call: Call, connection: SipConnection, request: SipRequest): Promise<void> {
  switch (request.method) {
    case 'BYE':
      connection.reply(request, { status: 200, reason: 'OK' });
      return call.end();
    case 'INVITE':
      return renegotiate(call, connection, request);
    case 'UPDATE':
      // Without an offer it only tells that the telephone is still there.
      if (request.body !== '') return renegotiate(call, connection, request);
      return connection.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders });
    case 'INFO':
    case 'OPTIONS':
      return connection.reply(request, { status: 200, reason: 'OK' });
    default:
      return connection.reply(request, { status: 405, reason: 'Method Not Allowed', headers: [['Allow', allowedMethods]] });
  }
}

/** Hold and resume. */
async function renegotiate(call: Call, connection: SipConnection, request: SipRequest): Promise<void> {
  if (!call.isLive || call.isNegotiating) return connection.reply(request, { status: 491, reason: 'Request Pending' });
  const sdp = await call.answerTo(request.body);
  if (!call.isLive) return connection.reply(request, { status: 481, reason: 'No Such Call' });
  if (sdp === null) return connection.reply(request, { status: 488, reason: 'Not Acceptable Here' });
  connection.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders, body: sdp });
}
