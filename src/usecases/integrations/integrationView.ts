import type { IntegrationView } from '../../contract/integrations.ts';
import type { Integration } from '../../ports/integrations.ts';

/** A company's settings without any secret. */
export function integrationView(integration: Integration): IntegrationView {
  return {
    crm_provider: integration.crmProvider,
    cti_connector: integration.ctiConnector,
    webhook_url: integration.webhookUrl,
    mode: integration.mode,
    default_country: integration.defaultCountry,
    api_key_prefix: integration.apiKeyPrefix,
    api_key_issued_at: integration.apiKeyIssuedAt?.toISOString() ?? null,
    webhook_secret_set: integration.webhookSecretEncrypted !== null,
    connected_at: integration.connectedAt?.toISOString() ?? null,
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString(),
  };
}
