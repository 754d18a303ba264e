import type { AttemptErrorCode } from '../../ports/webhookSender.ts';
import { certificateWords, connectWords, handshakeWords, ownTroubles } from './failureWords.ts';

/** Why an attempt got no answer, on its way out of the connector. `message` is a sentence for the integrator. */
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

/** Says what a connection still waited for when its time (milliseconds) was over. */
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

/** Says that a connection was there, and no complete answer came over it in time (milliseconds). */
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

/** Errors by which undici says that it was used wrongly. */
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
  // Undici has one code for all that ends a socket, its own refusal of an answer too.
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
