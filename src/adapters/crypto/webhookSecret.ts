import { randomBytes } from 'node:crypto';
import { webhookSecretBytes, webhookSecretOf } from '../../domain/webhookSignature.ts';

/** A fresh webhook secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(webhookSecretBytes));
}
