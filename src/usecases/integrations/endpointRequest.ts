import { type EndpointHealth, healthyEndpoint } from '../../domain/endpointHealth.ts';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Counters } from '../../ports/counters.ts';
import type { Integration, IntegrationChange } from '../../ports/integrations.ts';

/** An admin's changes to the webhook endpoint; absent is unchanged. */
export type EndpointRequest = {
  webhookUrl?: string | null | undefined;
  webhookSecret?: 'rotate' | null | undefined;
  webhookEnabled?: boolean | undefined;
  /** 1 to 32; null: the default. */
  webhookMaxInFlight?: number | null | undefined;
};

/** Default number of attempts under way at once; the same as the database's default. */
const usualMaxInFlight = 4;

const noUrl = { cause: { code: 'no_webhook_url' } } as const;

/** Refuses changes that need a webhook URL when the company has none, or is clearing it. */
export function endpointNeedsUrl(current: Integration, request: EndpointRequest): Refused | null {
  if (urlAfter(current, request) !== null) return null;
  if (request.webhookSecret === 'rotate')
    return refuse('conflict', 'A webhook secret needs a webhook_url first.', noUrl);
  if (request.webhookEnabled !== undefined) {
    return refuse('conflict', 'There is no webhook endpoint to enable or disable: set webhook_url first.', noUrl);
  }
  if (request.webhookMaxInFlight != null) {
    return refuse(
      'conflict',
      'There is no webhook endpoint to limit: set webhook_url before webhook_max_in_flight.',
      noUrl,
    );
  }
  return null;
}

/**
 * The change of the endpoint, new secrets aside. Setting a URL, even the same one,
 * enables the endpoint unless the request disables it.
 * @param now milliseconds since the epoch
 */
export function endpointChange(
  current: Integration,
  request: EndpointRequest,
  now: number,
): Pick<
  IntegrationChange,
  'webhookUrl' | 'webhookSecretEncrypted' | 'webhookSecretPrevious' | 'webhookMaxInFlight' | 'webhookHealth'
> {
  const { webhookUrl, webhookSecret, webhookEnabled, webhookMaxInFlight } = request;
  if (urlAfter(current, request) === null) return webhookUrl === undefined ? {} : { webhookUrl };
  return {
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(webhookSecret === null ? { webhookSecretEncrypted: null, webhookSecretPrevious: null } : {}),
    ...(webhookMaxInFlight === undefined ? {} : { webhookMaxInFlight: webhookMaxInFlight ?? usualMaxInFlight }),
    ...(webhookEnabled === undefined
      ? {}
      : { webhookHealth: webhookEnabled ? healthyEndpoint : disabledByAdmin(current, request, now) }),
  };
}

function urlAfter(current: Integration, { webhookUrl }: EndpointRequest): string | null {
  return webhookUrl === undefined ? current.webhookUrl : webhookUrl;
}

/** An endpoint that is disabled already keeps its reason and time. */
function disabledByAdmin(current: Integration, request: EndpointRequest, now: number): EndpointHealth {
  const isSameUrl = urlAfter(current, request) === current.webhookUrl;
  const health = isSameUrl ? (current.webhookHealth ?? healthyEndpoint) : healthyEndpoint;
  return { ...health, disabled: health.disabled ?? { at: new Date(now), reason: 'admin' } };
}

/** How long after a rotation deliveries are signed with the previous secret too. Milliseconds. */
export const secretOverlapMs = 24 * 3_600_000;

/**
 * Replaces the webhook secret; the previous one also signs for 24 hours.
 * Of several rotations within that time only the last one's is kept.
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

/** At most `limit` in a window that begins with the first. */
type Rate = { limit: number; windowSeconds: number };

/**
 * How often a company may test its webhook or change the URL. Tests and the delivery log say exactly why
 * nothing arrived; at this rate nobody can map a network with them, and private addresses are refused
 * before a connection is tried.
 */
export const webhookLimits = {
  tests: { limit: 20, windowSeconds: 10 * 60 },
  urlChanges: { limit: 20, windowSeconds: 10 * 60 },
} as const;

/**
 * Counts an action that is limited in rate; the refusal (which is not counted) where the limit is reached.
 * @param what for a person: "Too many <what>; …"
 */
export async function limitRate(
  counters: Counters,
  key: string,
  what: string,
  { limit, windowSeconds }: Rate,
): Promise<Refused | null> {
  const counted = await counters.add(key, 1, windowSeconds);
  if (counted.points <= limit) return null;
  await counters.add(key, -1, windowSeconds);
  return refuse('rate_limited', `Too many ${what}; wait before the next.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(counted.endsInMs / 1_000)),
    limit,
  });
}
