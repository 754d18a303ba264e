import type { IntegrationView, Notice, WebhookStatus } from '../../contract/integrations.ts';
import type { DisabledReason } from '../../contract/vocabulary.ts';
import { sentEvents } from '../../contract/webhooks.ts';
import { conditionOf, type EndpointHealth } from '../../domain/endpointHealth.ts';
import type { Integration } from '../../ports/integrations.ts';
import { secretOverlapMs } from './endpointRequest.ts';

/**
 * A company's settings without any secret.
 * @param now milliseconds since the epoch
 */
export function integrationView(integration: Integration, now: number): IntegrationView {
  return {
    crm_provider: integration.crmProvider,
    cti_connector: integration.ctiConnector,
    webhook_url: integration.webhookUrl,
    mode: integration.mode,
    default_country: integration.defaultCountry,
    bare_digits: integration.bareDigits,
    api_key_prefix: integration.apiKeyPrefix,
    api_key_issued_at: integration.apiKeyIssuedAt?.toISOString() ?? null,
    webhook_secret_set: integration.webhookSecretEncrypted !== null,
    webhook_secret_previous_until: overlapEnd(integration, now)?.toISOString() ?? null,
    webhook_enabled: integration.webhookHealth === null ? null : integration.webhookHealth.disabled === null,
    webhook_max_in_flight: integration.webhookMaxInFlight,
    webhook_events: sentEvents(integration.webhookEvents),
    pop_frame_ancestors: integration.popFrameAncestors,
    connected_at: integration.connectedAt?.toISOString() ?? null,
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString(),
  };
}

/** Until when the previous secret signs too; null: it does not (any more). */
export function overlapEnd({ webhookSecretPrevious }: Integration, now: number): Date | null {
  return webhookSecretPrevious !== null && webhookSecretPrevious.until.getTime() > now
    ? webhookSecretPrevious.until
    : null;
}

/** Fewer failures in a row are left to the next attempt. */
const failuresToNotice = 3;
/** How far before the first failure to recover: the first lost deliveries were made earlier. Milliseconds. */
const recoverFromBeforeMs = 3_600_000;

/**
 * The health of a company's webhook endpoint; null where no URL is set.
 * @param now milliseconds since the epoch
 */
export function webhookStatus({ webhookHealth: health }: Integration, now: number): WebhookStatus | null {
  if (health === null) return null;
  const condition = conditionOf(health, now);
  return {
    condition,
    consecutive_failures: health.consecutiveFailures,
    failing_since: health.failingSince?.toISOString() ?? null,
    paused_until: condition === 'paused' ? (health.pausedUntil?.toISOString() ?? null) : null,
    disabled_at: health.disabled?.at.toISOString() ?? null,
    disabled_reason: health.disabled?.reason ?? null,
  };
}

/**
 * What an admin should know of the webhook endpoint and its secrets, the most urgent first. None without a URL.
 * @param now milliseconds since the epoch
 */
export function webhookNotices(integration: Integration, now: number): Notice[] {
  const { webhookHealth: health } = integration;
  if (health === null) return [];
  return [healthNotice(health, now), overlapNotice(integration, now), unsignedNotice(integration)].filter(
    (notice) => notice !== null,
  );
}

function healthNotice(health: EndpointHealth, now: number): Notice | null {
  const { disabled, consecutiveFailures: failures, failingSince, pausedUntil } = health;
  if (disabled !== null) return disabledNotice(disabled, failingSince);
  const since = failingSince?.toISOString() ?? null;
  const inARow = `The last ${String(failures)} attempts to deliver webhooks failed.`;
  const seeLog = 'The delivery log has what the endpoint answered.';
  if (conditionOf(health, now) === 'paused') {
    const until = pausedUntil?.toISOString() ?? '';
    const detail =
      `${inARow} Nothing is sent until ${until}; then one delivery at a time probes the endpoint until one arrives. ` +
      `What waits keeps its attempts. ${seeLog} When the endpoint is mended, ` +
      'set webhook_enabled to true to go on at once.';
    return { code: 'webhook_paused', detail, params: { failures, ...(pausedUntil === null ? {} : { until }) }, since };
  }
  if (failures < failuresToNotice) return null;
  const detail = `${inARow} They are tried again, each on its schedule. ${seeLog}`;
  return { code: 'webhook_failing', detail, params: { failures }, since };
}

const reasons: Record<DisabledReason, string> = {
  gone: 'The endpoint answered 410 (Gone), which asks for no more webhooks, and was disabled.',
  failing: 'The endpoint was disabled because no webhook had arrived there for five days.',
  admin: 'An admin disabled the endpoint.',
};

function disabledNotice({ at, reason }: NonNullable<EndpointHealth['disabled']>, failingSince: Date | null): Notice {
  const troubleSince = Math.min(at.getTime(), failingSince?.getTime() ?? at.getTime());
  const recoverSince = new Date(troubleSince - recoverFromBeforeMs).toISOString();
  const detail =
    `${reasons[reason]} Nothing is sent; events are kept in the delivery log as dead. When the endpoint is ready, ` +
    `set webhook_enabled to true (or webhook_url anew) to send what happens from then on, or recover the deliveries ` +
    `since ${recoverSince}, which enables the endpoint and sends what was given up as well.`;
  return { code: 'webhook_disabled', detail, params: { reason, recover_since: recoverSince }, since: at.toISOString() };
}

function overlapNotice(integration: Integration, now: number): Notice | null {
  const end = overlapEnd(integration, now);
  if (end === null) return null;
  const detail =
    `The webhook secret was rotated. Until ${end.toISOString()} deliveries are signed with the old secret too; ` +
    'give the ' +
    'new one to every receiver before then. ' +
    'If the old one has leaked, set webhook_secret to null and then to "rotate".';
  return {
    code: 'webhook_secret_overlap',
    detail,
    params: { until: end.toISOString() },
    since: new Date(end.getTime() - secretOverlapMs).toISOString(),
  };
}

function unsignedNotice({ webhookSecretEncrypted }: Integration): Notice | null {
  if (webhookSecretEncrypted !== null) return null;
  const detail =
    'Webhooks are not signed: no webhook secret is set, so a receiver cannot tell them from forged ones. ' +
    'Set webhook_secret to "rotate" to get one.';
  return { code: 'webhook_unsigned', detail, params: {}, since: null };
}
