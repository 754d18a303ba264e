import type { AttemptErrorCode } from '../../ports/webhookSender.ts';

/** Why an attempt got no answer, on its way out of the connector. `message` is a sentence for the integrator. */
export class AttemptFailure extends Error {
  readonly reason: AttemptErrorCode;

  constructor(reason: AttemptErrorCode, message: string) {
    super(message);
    this.name = 'AttemptFailure';
    this.reason = reason;
  }
}

/** Puts an error of the TCP connection into words. */
export function connectFailure(error: Error, host: string, port: number): AttemptFailure {
  const words: Partial<Record<string, string>> = {
    ECONNREFUSED: 'refused the connection: nothing listens there',
    EHOSTUNREACH: 'cannot be reached',
    ENETUNREACH: 'cannot be reached',
    ETIMEDOUT: 'did not answer',
    ECONNRESET: 'closed the connection while it was being made',
  };
  const code = codeOf(error);
  const what = words[code] ?? `could not be connected to (${code})`;
  return new AttemptFailure('connect', `${host} port ${String(port)} ${what}.`);
}

const tlsWords: Partial<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not publicly trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not publicly trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'came without the intermediate certificates',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

/** Puts an error of the TLS handshake into words. */
export function tlsFailure(error: Error, host: string): AttemptFailure {
  const code = codeOf(error);
  const words = tlsWords[code];
  return new AttemptFailure(
    'tls',
    words === undefined
      ? `The TLS handshake with ${host} failed (${code}).`
      : `The certificate of ${host} ${words} (${code}).`,
  );
}

/** Errors by which undici says that it was used wrongly. */
const ourFaults = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Puts an error of the exchange itself into words. Null: no failure of the network, but a bug of ours. */
export function exchangeFailure(error: unknown, host: string): AttemptFailure | null {
  if (error instanceof AttemptFailure) return error;
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return tlsFailure(error, host);
  const words = exchangeWords[code];
  if (words !== undefined) return new AttemptFailure('protocol', `${host} ${words}.`);
  const ofTheNetwork = /^(?:E[A-Z]+|UND_ERR_\w+|HPE_\w+)$/.test(code) && !ourFaults.has(code);
  return ofTheNetwork ? new AttemptFailure('protocol', `The exchange with ${host} failed (${code}).`) : null;
}

const exchangeWords: Partial<Record<string, string>> = {
  UND_ERR_SOCKET: 'closed the connection without an answer',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  HTTPParserError: 'did not answer in HTTP/1.1',
  UND_ERR_HEADERS_OVERFLOW: 'answered with too many or too long headers',
  HPE_HEADER_OVERFLOW: 'answered with too many or too long headers',
};

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
