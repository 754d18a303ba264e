import type { HeaderValues } from './headers.ts';
import { isBodySignedBy } from './signatures.ts';

// Why a webhook is refused, in sentences for whoever reads a receiver's log at night.

/** The headers that verifying needs. */
const needed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Far beyond two signatures; nobody gets to have a million of them compared. */
const maxHeaderLength = 16_384;

/** What verifying needs and is not there; null: all is. */
export function explainMissing(values: HeaderValues): string | null {
  const missing = needed.filter((name) => values[name].length === 0);
  if (missing.length === 0) return null;
  const what = missing.length === 1 ? `The header ${missing.join()} is missing.` : `The headers ${missing.join(', ')} are missing.`;
  const isPartlyThere = missing.length < 3 || values['x-service-signature'].length > 0;
  if (isPartlyThere) return `${what} A proxy or the framework before this receiver drops it; let all headers through.`;
  return `${what} This is no webhook of Readyline's, or the company has no webhook secret there: have one made (PUT /api/integrations {"webhook_secret": "rotate"}).`;
}

/** Which of the headers cannot be read; null: all can. */
export function explainMalformed(values: HeaderValues): string | null {
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
export function explainWrong(
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
export function explainStale(ageSeconds: number, toleranceSeconds: number): string {
  const where = ageSeconds > 0 ? 'ago' : 'in the future';
  return (
    `The webhook is genuine, but was sent ${String(Math.abs(ageSeconds))} s ${where}, and ${String(toleranceSeconds)} s are ` +
    'allowed: a replay, or it waited before it was verified, or the clock of this machine or of the gateway is wrong.'
  );
}
