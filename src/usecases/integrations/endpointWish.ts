import { healthyEndpoint, type EndpointHealth } from '../../domain/endpointHealth.ts';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Integration, IntegrationChange } from '../../ports/integrations.ts';

/** What an admin asked of the webhook endpoint; absent is unchanged. */
export type EndpointWish = {
  webhookUrl?: string | null | undefined;
  webhookSecret?: 'rotate' | null | undefined;
  webhookEnabled?: boolean | undefined;
  /** 1 to 32; null: the usual. */
  webhookMaxInFlight?: number | null | undefined;
};

/** Attempts under way at once, where nothing else is set. The same as the database's default. */
const usualMaxInFlight = 4;

/** Refuses what would be of no effect because the company has no webhook URL, or is clearing it. */
export function endpointNeedsUrl(current: Integration, wish: EndpointWish): Refused | null {
  if (urlAfter(current, wish) !== null) return null;
  if (wish.webhookSecret === 'rotate') return refuse('conflict', 'A webhook secret needs a webhook_url first.');
  if (wish.webhookEnabled !== undefined) {
    return refuse('conflict', 'There is no webhook endpoint to enable or disable: set webhook_url first.');
  }
  if (wish.webhookMaxInFlight != null) {
    return refuse('conflict', 'There is no webhook endpoint to limit: set webhook_url before webhook_max_in_flight.');
  }
  return null;
}

/**
 * The change of the endpoint but for new secrets. Setting a URL, the same one too, enables the endpoint unless the
 * wish is to disable it.
 * @param now milliseconds since the epoch
 */
export function endpointChange(
  current: Integration,
  wish: EndpointWish,
  now: number,
): Pick<IntegrationChange, 'webhookUrl' | 'webhookSecretEncrypted' | 'webhookSecretPrevious' | 'webhookMaxInFlight' | 'webhookHealth'> {
  const { webhookUrl, webhookSecret, webhookEnabled, webhookMaxInFlight } = wish;
  if (urlAfter(current, wish) === null) return webhookUrl === undefined ? {} : { webhookUrl };
  return {
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(webhookSecret === null ? { webhookSecretEncrypted: null, webhookSecretPrevious: null } : {}),
    ...(webhookMaxInFlight === undefined ? {} : { webhookMaxInFlight: webhookMaxInFlight ?? usualMaxInFlight }),
    ...(webhookEnabled === undefined
      ? {}
      : { webhookHealth: webhookEnabled ? healthyEndpoint : disabledByAdmin(current, wish, now) }),
  };
}

function urlAfter(current: Integration, { webhookUrl }: EndpointWish): string | null {
  return webhookUrl === undefined ? current.webhookUrl : webhookUrl;
}

/** One that is disabled already stays as it is: why and since when is worth more than who said it last. */
function disabledByAdmin(current: Integration, wish: EndpointWish, now: number): EndpointHealth {
  const isSameUrl = urlAfter(current, wish) === current.webhookUrl;
  const health = isSameUrl ? (current.webhookHealth ?? healthyEndpoint) : healthyEndpoint;
  return { ...health, disabled: health.disabled ?? { at: new Date(now), reason: 'admin' } };
}

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
