import { isWebhookSecret, signDelivery } from '../../domain/webhookSignature.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { LeasedDelivery } from '../../ports/outbox.ts';
import type { SecretCipher } from '../../ports/secretCipher.ts';
import type { Services } from '../services.ts';

/**
 * The headers of one attempt, signed anew: with the secret, and with the one before it as long as receivers may use
 * that. No signature where no secret is set; null where the secret of now cannot be opened.
 */
export function deliveryHeaders(
  { cipher }: Pick<Services, 'cipher'>,
  delivery: LeasedDelivery & { body: string },
  attempt: number,
  at: Date,
): Record<string, string> | null {
  const headers = plainHeaders(delivery, attempt);
  const { secretEncrypted, secretPreviousEncrypted, companyId, id, body } = delivery;
  if (secretEncrypted === null) return headers;
  const secret = opened(cipher, secretEncrypted, companyId);
  if (secret === null) return null;
  // One that cannot be opened any more is the reason for a rotation, and must not stop what it put right.
  const previousSecret = secretPreviousEncrypted === null ? null : opened(cipher, secretPreviousEncrypted, companyId);
  const timestampSeconds = Math.floor(at.getTime() / 1000);
  return Object.assign(headers, signDelivery({ secret, previousSecret, body, deliveryId: id, timestampSeconds }));
}

/** Null: sealed under another key, or no secret. */
function opened(cipher: SecretCipher, sealed: string, companyId: CompanyId): string | null {
  try {
    const secret = cipher.decrypt(sealed, companyId);
    return isWebhookSecret(secret) ? secret : null;
  } catch {
    return null;
  }
}

function plainHeaders(delivery: LeasedDelivery, attempt: number): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Readyline-Webhooks',
    'X-Service-Event': delivery.event,
    'X-Service-Company': delivery.companyId,
    'X-Service-Delivery': delivery.id,
    'X-Service-Attempt': String(attempt),
  };
  if (delivery.apiKeyPrefix !== null) headers['X-Service-Key-Prefix'] = delivery.apiKeyPrefix;
  return headers;
}
