import { webhookEvents } from '../contract/vocabulary.ts';
import type { KnownWebhook, UnknownWebhook, Webhook } from './events.ts';

/**
 * A request's body before any parser. A request without one has none: `undefined` in Express 5, `null` in functions.
 */
export type RawBody = string | Uint8Array | null | undefined;

/**
 * The bytes of a body, which signatures are over.
 * @throws {TypeError} for what is neither text nor bytes
 */
export function bytesOf(rawBody: RawBody): Uint8Array {
  if (rawBody === undefined || rawBody === null) return new Uint8Array();
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new TypeError(
    (rawBody as unknown) instanceof ArrayBuffer
      ? 'The body is an ArrayBuffer: give verify new Uint8Array(body).'
      : 'The body was parsed before it was verified: give verify the raw bytes, as a text, Buffer or Uint8Array. ' +
          'With Express, use express.raw({ type: "application/json" }) on this route, before any express.json().',
  );
}

/** What a body says, or why it is no webhook's. Fields that this version does not know stay in it. */
export type BodyReading = { kind: 'webhook'; webhook: Webhook } | { kind: 'malformed'; detail: string };

/** Reads a body, whether it is to be believed or not: no more is checked than what tells the events apart. */
export function readBody(bytes: Uint8Array): BodyReading {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  } catch {
    return { kind: 'malformed', detail: 'the body is no JSON' };
  }
  if (!isRecord(body)) return { kind: 'malformed', detail: 'the body is no JSON object' };
  const { data } = body;
  const missing = ['event', 'company_id', 'occurred_at'].filter((field) => typeof body[field] !== 'string');
  if (!isRecord(data)) missing.push('data');
  if (missing.length > 0) return { kind: 'malformed', detail: `the body lacks ${missing.join(', ')}` };
  return { kind: 'webhook', webhook: webhookOf(body) };
}

/** Of the known events the contract is believed, not checked: who signed the body also wrote the contract. */
function webhookOf(body: Record<string, unknown>): Webhook {
  const { event } = body;
  if ((webhookEvents as readonly unknown[]).includes(event)) return body as KnownWebhook;
  return { ...body, event: 'unknown', event_name: event } as UnknownWebhook;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
