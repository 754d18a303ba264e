import { bytesOf, readBody, type RawBody } from './body.ts';
import type { Webhook } from './events.ts';
import { explainMalformed, explainMissing, explainStale, explainWrong } from './explain.ts';
import { readHeaders, type HeaderValues, type WebhookHeaders } from './headers.ts';
import { isSignedBy, keysOf, standardSignatures } from './signatures.ts';

export type { RawBody } from './body.ts';
export type { CallWebhook, KnownWebhook, UnknownWebhook, Webhook, WebhookEvent, WebhookOf } from './events.ts';
export type { WebhookHeaders } from './headers.ts';

export type VerifyOptions = {
  /**
   * How many seconds the time of sending may be away from now, in the past or the future: 0 or more, 300 by default.
   * `Infinity` for what was kept and is verified later.
   */
  toleranceSeconds?: number;
  /** What time it is; by default the time of this machine. */
  now?: Date;
};

/** A webhook that Readyline sent. */
export type VerifiedWebhook = {
  kind: 'verified';
  webhook: Webhook;
  /** The same for every attempt and for a redelivery: tell repeats by it. */
  deliveryId: string;
  /** 1 and up, from `X-Service-Attempt`, which is not signed: for a log, not for decisions. Null: not told. */
  attempt: number | null;
  /** When this attempt was made. When the event happened is `webhook.occurred_at`. */
  sentAt: Date;
};

/**
 * - `missing_signature`: a header that verifying needs is not there
 * - `malformed_header`: one of them cannot be read, came twice or is far too long
 * - `wrong_signature`: none of the secrets made any of the signatures
 * - `stale_timestamp`: genuine, but sent too long ago (or in the future): a replay, or a clock is wrong
 * - `malformed_body`: genuine, but not what a webhook looks like
 */
export type RefusalReason =
  | 'missing_signature'
  | 'malformed_header'
  | 'wrong_signature'
  | 'stale_timestamp'
  | 'malformed_body';

/** A request that must not be believed. Answer it with 401 (400 will do), and log `detail`. */
export type RefusedWebhook = {
  kind: 'refused';
  reason: RefusalReason;
  /** Sentences for a log: what is wrong and what to look at. Holds no secret and nothing of the body. */
  detail: string;
};

export type Verification = VerifiedWebhook | RefusedWebhook;

/**
 * Tells whether a request is a webhook of Readyline's, by its Standard Webhooks signature: that one covers the body,
 * the delivery's id and the time of sending. Compares in constant time.
 *
 * @param rawBody the body as it came, before any parser
 * @param headers of the request, in any letter case
 * @param secret as Readyline showed it (`whsec_…`), or several: while it is being rotated, the new and the old one.
 *   A receiver that knows only one of the two gets along as well, for each delivery is signed with both.
 * @throws {TypeError} when used wrongly: without a secret, with one that Readyline cannot have shown, with a body
 *   that was parsed already. Whatever a sender may do is an answer, never an exception.
 */
export function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Verification {
  const keys = keysOf(secret);
  const bytes = bytesOf(rawBody);
  const values = readHeaders(headers);
  const { toleranceSeconds, now } = timesOf(options);

  const missing = explainMissing(values);
  if (missing !== null) return refused('missing_signature', missing);
  const malformed = explainMalformed(values);
  if (malformed !== null) return refused('malformed_header', malformed);
  const [id = ''] = values['webhook-id'];
  const [timestamp = ''] = values['webhook-timestamp'];

  const signatures = standardSignatures(values['webhook-signature']);
  if (!keys.some((key) => isSignedBy(key, { id, timestamp, body: bytes }, signatures))) {
    const secrets = typeof secret === 'string' ? [secret] : secret;
    return refused('wrong_signature', explainWrong(bytes, secrets, values, signatures));
  }
  const ageSeconds = Math.round(now.getTime() / 1000 - Number(timestamp));
  if (Math.abs(ageSeconds) > toleranceSeconds) return refused('stale_timestamp', explainStale(ageSeconds, toleranceSeconds));
  const reading = readBody(bytes);
  if (reading.kind === 'malformed') return refused('malformed_body', `The signature is right, but ${reading.detail}.`);
  return {
    kind: 'verified',
    webhook: reading.webhook,
    deliveryId: id,
    attempt: attemptIn(values),
    sentAt: new Date(Number(timestamp) * 1000),
  };
}

function timesOf({ toleranceSeconds = 300, now = new Date() }: VerifyOptions): Required<VerifyOptions> {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number, 0 or more.');
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now must be a valid Date.');
  return { toleranceSeconds, now };
}

function attemptIn({ 'x-service-attempt': [attempt = ''] }: HeaderValues): number | null {
  return /^[1-9]\d{0,5}$/.test(attempt) ? Number(attempt) : null;
}

function refused(reason: RefusalReason, detail: string): RefusedWebhook {
  return { kind: 'refused', reason, detail };
}
