import type { IntegrationView } from '../../contract/integrations.ts';
import { sentEvents } from '../../contract/webhooks.ts';
import type { Integration } from '../../ports/integrations.ts';

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
    api_key_prefix: integration.apiKeyPrefix,
    api_key_issued_at: integration.apiKeyIssuedAt?.toISOString() ?? null,
    webhook_secret_set: integration.webhookSecretEncrypted !== null,
    webhook_secret_previous_until: overlapEnd(integration, now)?.toISOString() ?? null,
    webhook_enabled: integration.webhookHealth === null ? null : integration.webhookHealth.disabled === null,
    webhook_max_in_flight: integration.webhookMaxInFlight,
    webhook_events: sentEvents(integration.webhookEvents),
    connected_at: integration.connectedAt?.toISOString() ?? null,
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString(),
  };
}

/** Until when the previous secret signs too; null: it does not (any more). */
export function overlapEnd({ webhookSecretPrevious }: Integration, now: number): Date | null {
  return webhookSecretPrevious !== null && webhookSecretPrevious.until.getTime() > now ? webhookSecretPrevious.until : null;
}
