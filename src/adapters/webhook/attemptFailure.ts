import type { AttemptErrorCode } from '../../ports/webhookSender.ts';

/** Why an attempt got no answer; thrown inside the connector. `message` is a sentence for the integrator. */
export class AttemptFailure extends Error {
  readonly reason: AttemptErrorCode;

  constructor(reason: AttemptErrorCode, message: string) {
    super(message);
    this.name = 'AttemptFailure';
    this.reason = reason;
  }
}

/** How far an attempt's connection got. */
export type ConnectPhase = 'resolving' | 'connecting' | 'handshake';

/** The failure of a connection that timed out, with what it still waited for. Milliseconds. */
export function connectTimeout(phase: ConnectPhase, host: string, port: number, afterMs: number): AttemptFailure {
  const within = `within ${inSeconds(afterMs)}`;
  const where = `${host} port ${String(port)}`;
  switch (phase) {
    case 'resolving':
      return new AttemptFailure('dns', `The host name ${host} could not be resolved ${within}: its DNS did not answer.`);
    case 'connecting':
      return new AttemptFailure(
        'connect_timeout',
        `${where} did not accept a connection ${within}: the host is down, or a firewall drops what comes.`,
      );
    case 'handshake':
      return new AttemptFailure('tls', `${where} accepted the connection, but did not finish the TLS handshake ${within}.`);
  }
}

/** The failure of an attempt that connected and got no complete answer in time. Milliseconds. */
export function answerTimeout(host: string, afterMs: number): AttemptFailure {
  const words = `${host} accepted the connection, but did not answer within ${inSeconds(afterMs)}.`;
  return new AttemptFailure('timeout', `${words} Answer first, then work.`);
}

function inSeconds(ms: number): string {
  return `${String(ms / 1000)} s`;
}

/** Puts an error of the TCP connection into words. */
export function connectFailure(error: Error, host: string, port: number): AttemptFailure {
  const code = codeOf(error);
  if (ownTroubles.has(code)) {
    return new AttemptFailure('gateway', `The gateway has no socket to spare for ${host} (${code}). This is its own trouble.`);
  }
  const what = connectWords[code] ?? `could not be connected to (${code})`;
  return new AttemptFailure('connect', `${host} port ${String(port)} ${what}.`);
}

/** Puts an error of the TLS handshake into words. */
export function tlsFailure(error: Error, host: string): AttemptFailure {
  const code = codeOf(error);
  const certificate = certificateWords[code];
  if (certificate !== undefined) return new AttemptFailure('tls', `The certificate of ${host} ${certificate} (${code}).`);
  const words = handshakeWords[code];
  const failed = `The TLS handshake with ${host} failed`;
  return new AttemptFailure('tls', words === undefined ? `${failed} (${code}).` : `${failed}: ${words} (${code}).`);
}

/** undici's errors for wrong use: bugs of ours. */
const ourFaults = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Puts an error of the exchange itself into words. Null: no failure of the network, but a bug of ours. */
export function exchangeFailure(error: unknown, host: string): AttemptFailure | null {
  if (error instanceof AttemptFailure) return error;
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return tlsFailure(error, host);
  const words = exchangeWords(code, error.message);
  if (words !== undefined) return new AttemptFailure('protocol', `${host} ${words}.`);
  const ofTheNetwork = /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) && !ourFaults.has(code);
  return ofTheNetwork ? new AttemptFailure('protocol', `The exchange with ${host} failed (${code}).`) : null;
}

function exchangeWords(code: string, message: string): string | undefined {
  // undici has one code for everything that ends a socket, even for an answer that it refuses itself.
  if (code === 'UND_ERR_SOCKET' && message === 'bad response') return 'sent a 100 (Continue) that nobody had asked for';
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') return 'answered with a switch of protocols (101), not in HTTP/1.1';
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) return 'closed the connection without an answer';
  if (/HEADERS?_OVERFLOW$/.test(code)) return 'answered with too many or too long headers (32 KiB are read)';
  if (code.startsWith('HPE_') || code === 'HTTPParserError') return 'did not answer in HTTP/1.1';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'sent an answer of another length than it announced';
  return undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** What Node's error codes mean for whoever runs the receiving end. */
type Words = Readonly<Partial<Record<string, string>>>;

/** Of TCP, after "<host> port <port> …". */
const connectWords: Words = {
  ECONNREFUSED: 'refused the connection: nothing listens there',
  EHOSTUNREACH: 'cannot be reached: no route leads there',
  ENETUNREACH: 'cannot be reached: no route leads there',
  ETIMEDOUT: 'did not accept the connection',
  ECONNRESET: 'closed the connection while it was being made',
  EACCES: 'is kept from the gateway by a firewall of its own machine',
  EPERM: 'is kept from the gateway by a firewall of its own machine',
};

/** The gateway's own machine has run out of something. */
const ownTroubles: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Of a certificate, after "The certificate of <host> …". */
const certificateWords: Words = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not publicly trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'came without the intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not publicly trusted, or came without the intermediates',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'came without the intermediate certificates',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

/** Of the rest of the handshake, after "The TLS handshake with <host> failed: …". */
const handshakeWords: Words = {
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on that port, plain HTTP perhaps',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on that port, plain HTTP perhaps',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks only versions of TLS older than 1.2',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it speaks only other versions of TLS than 1.2 and 1.3',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it found no cipher in common, or wants a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it knows no site of that name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a client certificate, and webhooks have none',
};
