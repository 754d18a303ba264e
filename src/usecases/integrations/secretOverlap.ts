import type { Integration, IntegrationChange } from '../../ports/integrations.ts';

/** So long after a rotation deliveries carry the signature of the secret before it too. */
export const secretOverlapMs = 24 * 3_600_000;

/**
 * The change that puts a new webhook secret in place of the current one, which signs along for 24 hours. Of several
 * rotations within that time only the last one's is kept.
 * @param encrypted the new secret; @param now milliseconds since the epoch
 */
export function rotateSecret(
  { webhookSecretEncrypted: current }: Integration,
  encrypted: string,
  now: number,
): Pick<IntegrationChange, 'webhookSecretEncrypted' | 'webhookSecretPrevious'> {
  return {
    webhookSecretEncrypted: encrypted,
    webhookSecretPrevious: current === null ? null : { encrypted: current, until: new Date(now + secretOverlapMs) },
  };
}
