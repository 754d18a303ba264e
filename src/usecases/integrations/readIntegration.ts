import type { IntegrationOverview, IntegrationView } from '../../contract/integrations.ts';
import {
  defaultWebhookEvents,
  modes,
  type WebhookEvent,
  webhookEventNames,
  webhookEvents,
} from '../../contract/vocabulary.ts';
import type { Principal } from '../../domain/access.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { Delivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { integrationView, webhookNotices, webhookStatus } from './integrationView.ts';
import { crmCatalog, crmConnection, ctiCatalog, ctiConnection } from './partnerConnections.ts';

const isDefault: ReadonlySet<WebhookEvent> = new Set(defaultWebhookEvents);

/**
 * The settings, with whom anything is exchanged, what is still missing, how the last delivery went, how the webhook
 * endpoint does, what asks for attention, and the catalogs. Whoever is no admin gets the webhook URL without path and
 * query, which at many receivers are all that it takes to post there.
 */
export async function readIntegration(
  {
    clock,
    crmConnections,
    crmLogins,
    crmProviders,
    ctiConnections,
    integrations,
    outbox,
  }: Pick<
    Services,
    'clock' | 'crmConnections' | 'crmLogins' | 'crmProviders' | 'ctiConnections' | 'integrations' | 'outbox'
  >,
  { companyId, ...caller }: Principal,
): Promise<IntegrationOverview> {
  const [integration, last, connection, login, platforms] = await Promise.all([
    integrations.find(companyId),
    outbox.latest(companyId),
    crmConnections.find(companyId),
    crmLogins.find(companyId),
    ctiConnections.list(companyId),
  ]);
  const now = clock.now();
  const view = integrationView(integration, now);
  const isAdmin = caller.kind === 'agent' && caller.role === 'admin';
  return {
    integration: isAdmin ? view : withoutUrlSecrets(view),
    status: {
      connected: integration.connectedAt !== null,
      crm: crmConnection(integration.crmProvider, crmProviders, connection, login),
      cti: ctiConnection(integration.ctiConnector, platforms),
      missing: missingFrom(integration),
      last_delivery: last === null ? null : outcomeOf(last),
      webhook: webhookStatus(integration, now),
      notices: webhookNotices(integration, now),
    },
    providers: crmCatalog(crmProviders),
    cti_connectors: ctiCatalog,
    modes: [...modes],
    webhook_events: webhookEvents.map((id) => ({ id, name: webhookEventNames[id], is_default: isDefault.has(id) })),
  };
}

function withoutUrlSecrets(view: IntegrationView): IntegrationView {
  return { ...view, webhook_url: view.webhook_url === null ? null : `${new URL(view.webhook_url).origin}/…` };
}

function missingFrom(integration: Integration): IntegrationOverview['status']['missing'] {
  const missing: IntegrationOverview['status']['missing'] = [];
  if (integration.crmProvider === null) missing.push('crm_provider');
  if (integration.apiKeyPrefix === null) missing.push('api_key');
  if (integration.webhookUrl === null) missing.push('webhook_url');
  if (integration.webhookSecretEncrypted === null) missing.push('webhook_secret');
  return missing;
}

function outcomeOf(
  delivery: Delivery & { event: WebhookEvent },
): NonNullable<IntegrationOverview['status']['last_delivery']> {
  return {
    id: delivery.id,
    event: delivery.event,
    state: delivery.state,
    status_code: delivery.lastStatusCode,
    error: delivery.lastError,
    error_cause: delivery.lastCause,
    at: (delivery.finishedAt ?? delivery.createdAt).toISOString(),
  };
}
