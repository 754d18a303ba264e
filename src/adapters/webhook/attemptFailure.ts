import type { WebhookCause, webhookCauses } from '../../contract/causes.ts';
import type { AttemptErrorCode } from '../../ports/webhookSender.ts';

/**
 * Why an attempt got no answer; thrown inside the connector.
 * `message` is a sentence for the integrator, `why` says the same as a code.
 */
export class AttemptFailure extends Error {
  readonly reason: AttemptErrorCode;
  readonly why: WebhookCause;

  constructor(reason: AttemptErrorCode, message: string, why: WebhookCause) {
    super(message);
    this.name = 'AttemptFailure';
    this.reason = reason;
    this.why = why;
  }
}

/** How far an attempt's connection got. */
export type ConnectPhase = 'resolving' | 'connecting' | 'handshake';

/** The failure of a connection that timed out, with what it still waited for. Milliseconds. */
export function connectTimeout(phase: ConnectPhase, host: string, port: number, afterMs: number): AttemptFailure {
  const within = `within ${inSeconds(afterMs)}`;
  const where = `${host} port ${String(port)}`;
  const seconds = afterMs / 1000;
  switch (phase) {
    case 'resolving':
      return new AttemptFailure(
        'dns',
        `The host name ${host} could not be resolved ${within}: its DNS did not answer.`,
        {
          code: 'dns_timeout',
          params: { host, seconds },
        },
      );
    case 'connecting':
      return new AttemptFailure(
        'connect_timeout',
        `${where} did not accept a connection ${within}: the host is down, or a firewall drops what comes.`,
        { code: 'connect_timeout', params: { host, port, seconds } },
      );
    case 'handshake':
      return new AttemptFailure(
        'tls',
        `${where} accepted the connection, but did not finish the TLS handshake ${within}.`,
        {
          code: 'tls_timeout',
          params: { host, port, seconds },
        },
      );
  }
}

/** The failure of an attempt that connected and got no complete answer in time. Milliseconds. */
export function answerTimeout(host: string, afterMs: number): AttemptFailure {
  const words = `${host} accepted the connection, but did not answer within ${inSeconds(afterMs)}.`;
  return new AttemptFailure('timeout', `${words} Answer first, then work.`, {
    code: 'answer_timeout',
    params: { host, seconds: afterMs / 1000 },
  });
}

/** The failure of an attempt to which interim answers came without end. */
export function onlyInterimAnswers(host: string): AttemptFailure {
  return new AttemptFailure('protocol', `${host} sent interim answers (1xx) one after the other, and no answer.`, {
    code: 'only_interim_answers',
    params: { host },
  });
}

function inSeconds(ms: number): string {
  return `${String(ms / 1000)} s`;
}

/** Puts an error of the TCP connection into words. */
export function connectFailure(error: Error, host: string, port: number): AttemptFailure {
  const code = codeOf(error);
  if (ownTroubles.has(code)) {
    return new AttemptFailure(
      'gateway',
      `The gateway has no socket to spare for ${host} (${code}). This is its own trouble.`,
      {
        code: 'gateway_without_sockets',
        params: { host, error: code },
      },
    );
  }
  const where = `${host} port ${String(port)}`;
  const known = connectWords[code];
  if (known !== undefined)
    return new AttemptFailure('connect', `${where} ${known.words}.`, { code: known.code, params: { host, port } });
  const params = { host, port, error: code };
  return new AttemptFailure('connect', `${where} could not be connected to (${code}).`, {
    code: 'connect_failed',
    params,
  });
}

/** Puts an error of the TLS handshake into words. */
export function tlsFailure(error: Error, host: string): AttemptFailure {
  const code = codeOf(error);
  const certificate = certificateWords[code];
  const params = { host, error: code };
  if (certificate !== undefined) {
    return new AttemptFailure('tls', `The certificate of ${host} ${certificate.words} (${code}).`, {
      code: certificate.code,
      params,
    });
  }
  const known = handshakeWords[code];
  const failed = `The TLS handshake with ${host} failed`;
  if (known === undefined) return new AttemptFailure('tls', `${failed} (${code}).`, { code: 'tls_failed', params });
  return new AttemptFailure('tls', `${failed}: ${known.words} (${code}).`, { code: known.code, params });
}

/** undici's errors for wrong use: bugs of ours. */
const ourFaults = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Puts an error of the exchange itself into words. Null: no failure of the network, but a bug of ours. */
export function exchangeFailure(error: unknown, host: string): AttemptFailure | null {
  if (error instanceof AttemptFailure) return error;
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return tlsFailure(error, host);
  const known = exchangeWords(code, error.message);
  if (known !== undefined)
    return new AttemptFailure('protocol', `${host} ${known.words}.`, { code: known.code, params: { host } });
  const ofTheNetwork = /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) && !ourFaults.has(code);
  if (!ofTheNetwork) return null;
  return new AttemptFailure('protocol', `The exchange with ${host} failed (${code}).`, {
    code: 'exchange_failed',
    params: { host, error: code },
  });
}

function exchangeWords(code: string, message: string): Known<'host'> | undefined {
  // undici has one code for everything that ends a socket, even for an answer that it refuses itself.
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') {
    return { code: 'switched_protocols', words: 'answered with a switch of protocols (101), not in HTTP/1.1' };
  }
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) {
    return { code: 'closed_without_answer', words: 'closed the connection without an answer' };
  }
  if (/HEADERS?_OVERFLOW$/.test(code)) {
    return { code: 'headers_too_long', words: 'answered with too many or too long headers (32 KiB are read)' };
  }
  if (code.startsWith('HPE_') || code === 'HTTPParserError') {
    return { code: 'not_http', words: 'did not answer in HTTP/1.1' };
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { code: 'wrong_length', words: 'sent an answer of another length than it announced' };
  }
  return undefined;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

type Code = WebhookCause['code'];
type ParamOf<C extends Code> = (typeof webhookCauses)[C][number];
/** A meaning in words, and as the code of a cause with these parameters and no others. */
type Known<P extends string> = {
  words: string;
  code: { [C in Code]: [ParamOf<C>, P] extends [P, ParamOf<C>] ? C : never }[Code];
};

/** What Node's error codes mean for whoever runs the receiving end. */
type Words<P extends string> = Readonly<Partial<Record<string, Known<P>>>>;

/** Of TCP, after "<host> port <port> …". */
const connectWords: Words<'host' | 'port'> = {
  ECONNREFUSED: { code: 'connect_refused', words: 'refused the connection: nothing listens there' },
  EHOSTUNREACH: { code: 'connect_unreachable', words: 'cannot be reached: no route leads there' },
  ENETUNREACH: { code: 'connect_unreachable', words: 'cannot be reached: no route leads there' },
  ETIMEDOUT: { code: 'connect_not_accepted', words: 'did not accept the connection' },
  ECONNRESET: { code: 'connect_closed', words: 'closed the connection while it was being made' },
  EACCES: { code: 'connect_firewall', words: 'is kept from the gateway by a firewall of its own machine' },
  EPERM: { code: 'connect_firewall', words: 'is kept from the gateway by a firewall of its own machine' },
};

/** The gateway's own machine has run out of something. */
const ownTroubles: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Of a certificate, after "The certificate of <host> …". */
const certificateWords: Words<'host' | 'error'> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: 'certificate_self_signed', words: 'is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: {
    code: 'certificate_untrusted',
    words: 'comes from an authority that is not publicly trusted',
  },
  UNABLE_TO_GET_ISSUER_CERT: { code: 'certificate_incomplete', words: 'came without the intermediate certificates' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    code: 'certificate_untrusted_or_incomplete',
    words: 'comes from an authority that is not publicly trusted, or came without the intermediates',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: 'certificate_incomplete',
    words: 'came without the intermediate certificates',
  },
  CERT_HAS_EXPIRED: { code: 'certificate_expired', words: 'has expired' },
  CERT_NOT_YET_VALID: { code: 'certificate_not_yet_valid', words: 'is not valid yet' },
  CERT_REVOKED: { code: 'certificate_revoked', words: 'was revoked' },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'certificate_of_other_host', words: 'is for another host name' },
};

/** Of the rest of the handshake, after "The TLS handshake with <host> failed: …". */
const handshakeWords: Words<'host' | 'error'> = {
  ECONNRESET: { code: 'tls_closed', words: 'it closed the connection' },
  EPIPE: { code: 'tls_closed', words: 'it closed the connection' },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    code: 'tls_not_spoken',
    words: 'it does not speak TLS on that port, plain HTTP perhaps',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    code: 'tls_not_spoken',
    words: 'it does not speak TLS on that port, plain HTTP perhaps',
  },
  ERR_SSL_UNSUPPORTED_PROTOCOL: { code: 'tls_too_old', words: 'it speaks only versions of TLS older than 1.2' },
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: {
    code: 'tls_other_version',
    words: 'it speaks only other versions of TLS than 1.2 and 1.3',
  },
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    code: 'tls_no_common_cipher',
    words: 'it found no cipher in common, or wants a client certificate',
  },
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: { code: 'tls_unknown_site', words: 'it knows no site of that name' },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: {
    code: 'tls_client_certificate',
    words: 'it wants a client certificate, and webhooks have none',
  },
};
