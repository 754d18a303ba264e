import type { WebhookCause } from '../contract/causes.ts';

/**
 * Why an attempt got no answer.
 * - `blocked_address`: webhooks may not go there. Nothing was sent, and nothing connected.
 * - `dns`: the name has no address, or its DNS did not answer in time.
 * - `connect`: the connection was refused, or no route leads there.
 * - `connect_timeout`: nobody accepted the connection in time.
 * - `tls`: connected, but the handshake failed or was not finished in time.
 * - `timeout`: connected, but no answer came in time.
 * - `gateway`: the gateway had a trouble of its own; the endpoint is not to blame.
 * - `protocol`: connected, but what came was no answer in HTTP/1.1, or nothing at all.
 */
export type AttemptErrorCode =
  'blocked_address' | 'dns' | 'connect' | 'connect_timeout' | 'tls' | 'timeout' | 'gateway' | 'protocol';

/** The receiver answered. Any status counts as an answer; the retry schedule judges it. */
export type AttemptResponse = {
  kind: 'response';
  /** 100 to 999, as sent. */
  statusCode: number;
  /** Names in lower case; a header sent several times is joined with `, `. */
  headers: Record<string, string>;
  /**
   * The start of the body as text, at most 16 KiB of UTF-8, never cut inside a character; a sentence in its place when
   * it came compressed.
   */
  body: string;
  /** From the start of the attempt until the answer was read or let go, in whole milliseconds. */
  latencyMs: number;
  /** From `Retry-After`, given in seconds or as a date: 0 or more. Absent when the header is, or cannot be read. */
  retryAfterSeconds?: number;
};

/**
 * No answer came. `detail` is a sentence for the integrator, `cause` says the same as a code;
 * they never name an address the gateway resolved.
 */
export type AttemptError = {
  kind: 'error';
  code: AttemptErrorCode;
  detail: string;
  cause: WebhookCause;
  latencyMs: number;
};

export type AttemptResult = AttemptResponse | AttemptError;

/**
 * Makes one attempt: POSTs `body` to `url` with exactly the given headers, follows no redirect, tries nothing twice.
 * Resolves for every outcome of the network, within the sender's total time-out. `signal` ends it sooner, with
 * `timeout`; an answer whose status had arrived by then still counts. Throws only on headers that HTTP cannot carry.
 */
export type WebhookSender = (request: {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}) => Promise<AttemptResult>;

/** What a company hears when it saves a webhook URL. `url` is the text as given. */
export type WebhookUrlVerdict = { kind: 'ok'; url: string } | { kind: 'refused'; detail: string; cause: WebhookCause };

/** Judges a URL at the moment it is saved. The sender judges again, at every attempt. */
export type WebhookUrlGuard = {
  /**
   * Refuses what the sender would refuse to reach. A name that has no address yet (or whose DNS does not answer
   * within 3 s) is accepted: deliveries report it as `dns`.
   */
  check(url: string): Promise<WebhookUrlVerdict>;
};
