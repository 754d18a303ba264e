import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretForm = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a text can sign: `whsec_` and base64. */
export function isWebhookSecret(text: string): boolean {
  return secretForm.test(text) && text !== secretPrefix;
}

/** How many random bytes make a webhook secret. */
export const webhookSecretBytes = 32;

/** Writes random bytes as the secret that a company sees: `whsec_` and base64, the form of Standard Webhooks. */
export function webhookSecretOf(randomBytes: Uint8Array): string {
  if (randomBytes.length !== webhookSecretBytes) {
    throw new Error(`a webhook secret is made of ${String(webhookSecretBytes)} bytes`);
  }
  return secretPrefix + Buffer.from(randomBytes).toString('base64');
}

export type SignatureHeaders = {
  'X-Service-Signature': string;
  /** Only while a rotation overlaps. */
  'X-Service-Signature-Previous'?: string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/**
 * Signs one attempt in both forms that receivers know:
 * - `X-Service-Signature: sha256=<lower-case hex>` over the body, keyed with the secret as shown;
 * - the Standard Webhooks trio over `<id>.<timestamp>.<body>`, keyed with the decoded part behind `whsec_`.
 *
 * While a rotation overlaps (`previousSecret` is not null) a receiver may verify with either secret: the older one
 * makes `X-Service-Signature-Previous` and the second of the signatures in `webhook-signature`.
 *
 * `timestampSeconds` is the time of this attempt, not of the event: receivers refuse stale ones.
 * Throws on a secret that is not in the form of `webhookSecretOf`.
 */
export function signDelivery(delivery: {
  secret: string;
  previousSecret: string | null;
  body: string;
  deliveryId: string;
  timestampSeconds: number;
}): SignatureHeaders {
  const { secret, previousSecret, body, deliveryId } = delivery;
  const timestamp = String(Math.floor(delivery.timestampSeconds));
  const standardContent = `${deliveryId}.${timestamp}.${body}`;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    'X-Service-Signature': serviceSignature(secret, body),
    ...(previousSecret === null ? {} : { 'X-Service-Signature-Previous': serviceSignature(previousSecret, body) }),
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((one) => standardSignature(one, standardContent)).join(' '),
  };
}

function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function standardSignature(secret: string, content: string): string {
  if (!isWebhookSecret(secret)) throw new Error('the webhook secret is malformed');
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
