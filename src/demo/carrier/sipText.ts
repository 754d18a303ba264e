import { headersOf, type SipRequest } from './sipMessage.ts';

/** Of no name server: RFC 2606 keeps it free. */
export const sipDomain = 'demo.invalid';

/** What the carrier is reached at within a dialog. */
export const carrierContact = `<sip:carrier@${sipDomain};transport=ws>`;
export const allowedMethods = 'INVITE, ACK, CANCEL, BYE, UPDATE, INFO, OPTIONS, REFER, REGISTER';

/** Headers to write: name and value. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

export type Answer = {
  status: number;
  reason: string;
  /** The carrier's tag; where absent, and To has none, none is written. */
  tag?: string;
  headers?: HeaderLines;
  /** SDP. */
  body?: string;
};

/** The text of an answer to a request. */
export function responseText(request: SipRequest, { status, reason, tag, headers = [], body = '' }: Answer): string {
  const to = request.to.tag === null && tag !== undefined ? `${request.to.text};tag=${tag}` : request.to.text;
  return text(`SIP/2.0 ${String(status)} ${reason}`, { body }, [
    ...headersOf(request, 'via').map((via) => ['Via', via] as const),
    ['From', request.from.text],
    ['To', to],
    ['Call-ID', request.callId],
    ['CSeq', `${String(request.cseq.number)} ${request.cseq.method}`],
    ...headers,
  ]);
}

export type OwnRequest = {
  method: string;
  uri: string;
  branch: string;
  from: string;
  to: string;
  callId: string;
  cseq: number;
  headers?: HeaderLines;
  body?: string;
  /** Of the body; SDP where it is absent. */
  type?: string;
};

/** The text of a request of the carrier's. */
export function requestText({
  method,
  uri,
  branch,
  from,
  to,
  callId,
  cseq,
  headers = [],
  body = '',
  type,
}: OwnRequest): string {
  return text(`${method} ${uri} SIP/2.0`, { body, type }, [
    ['Via', `SIP/2.0/WS ${sipDomain};branch=${branch}`],
    ['Max-Forwards', '70'],
    ['From', from],
    ['To', to],
    ['Call-ID', callId],
    ['CSeq', `${String(cseq)} ${method}`],
    ...headers,
  ]);
}

function text(
  start: string,
  { body, type = 'application/sdp' }: { body: string; type?: string | undefined },
  headers: HeaderLines,
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (body !== '') lines.push(`Content-Type: ${type}`);
  lines.push(`Content-Length: ${String(Buffer.byteLength(body))}`);
  return [start, ...lines, '', body].join('\r\n');
}
