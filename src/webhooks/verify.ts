import { bytesOf, type RawBody, readBody } from './body.ts';
import type { Webhook } from './events.ts';
import { type HeaderValues, readHeaders, type WebhookHeaders } from './headers.ts';
import { isBodySignedBy, isSignedBy, keysOf, standardSignatures } from './signatures.ts';

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
  'missing_signature' | 'malformed_header' | 'wrong_signature' | 'stale_timestamp' | 'malformed_body';

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
  if (Math.abs(ageSeconds) > toleranceSeconds)
    return refused('stale_timestamp', explainStale(ageSeconds, toleranceSeconds));
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

// Why a webhook is refused, in sentences for whoever reads a receiver's log at night.

/** The headers that verifying needs. */
const needed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Far beyond two signatures; nobody gets to have a million of them compared. */
const maxHeaderLength = 16_384;

/** What verifying needs and is not there; null: all is. */
function explainMissing(values: HeaderValues): string | null {
  const missing = needed.filter((name) => values[name].length === 0);
  if (missing.length === 0) return null;
  const what =
    missing.length === 1
      ? `The header ${missing.join()} is missing.`
      : `The headers ${missing.join(', ')} are missing.`;
  const isPartlyThere = missing.length < 3 || values['x-service-signature'].length > 0;
  if (isPartlyThere) return `${what} A proxy or the framework before this receiver drops it; let all headers through.`;
  return (
    `${what} This is no webhook of Readyline's, or the company has no webhook secret there: ` +
    'have one made (PUT /api/integrations {"webhook_secret": "rotate"}).'
  );
}

/** Which of the headers cannot be read; null: all can. */
function explainMalformed(values: HeaderValues): string | null {
  const tooLong = needed.find((name) => values[name].join(' ').length > maxHeaderLength);
  if (tooLong !== undefined) return `The header ${tooLong} is longer than ${String(maxHeaderLength)} characters.`;
  if (values['webhook-id'].length > 1) return 'The header webhook-id came more than once.';
  const [timestamp = '', second] = values['webhook-timestamp'];
  if (second !== undefined) return 'The header webhook-timestamp came more than once.';
  return /^\d{1,12}$/.test(timestamp) ? null : 'The header webhook-timestamp is no number of seconds since 1970.';
}

const explanationOfEmptyBody =
  'The body is empty. Nothing gave verify the raw bytes (with Express, express.raw({ type: "application/json" }) on ' +
  'this route puts them into request.body), or something before it has read them already.';

/** Why no signature fits. The other one, over the body alone, tells which part is to blame. */
function explainWrong(
  bytes: Uint8Array,
  secrets: readonly string[],
  values: HeaderValues,
  signatures: readonly string[],
): string {
  if (signatures.length === 0) return 'The header webhook-signature holds no signature of version v1.';
  if (bytes.length === 0) return explanationOfEmptyBody;
  const overBody = [...values['x-service-signature'], ...values['x-service-signature-previous']];
  if (secrets.some((one) => isBodySignedBy(one, bytes, overBody))) {
    return 'Secret and body are right, but webhook-id, webhook-timestamp or webhook-signature was changed on the way.';
  }
  return (
    'No secret fits the signature: either the secret is not the one of this company (was it rotated or cleared?), or ' +
    'the body was changed after it was sent (parsed and written again? give verify the raw bytes).'
  );
}

/** `ageSeconds`: below 0 in the future. */
function explainStale(ageSeconds: number, toleranceSeconds: number): string {
  const where = ageSeconds > 0 ? 'ago' : 'in the future';
  return (
    `The webhook is genuine, but was sent ${String(Math.abs(ageSeconds))} ` +
    `s ${where}, and ${String(toleranceSeconds)} s are ` +
    'allowed: a replay, or it waited before it was verified, or the clock of this machine or of the gateway is wrong.'
  );
}
