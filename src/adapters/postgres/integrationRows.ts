import type { CrmProvider, CtiConnector, Mode, WebhookEvent } from '../../contract/vocabulary.ts';
import type { Integration } from '../../ports/integrations.ts';
import { readHealth } from './endpointRows.ts';
import type {
  Integration as StoredIntegration,
  WebhookEndpoint as StoredEndpoint,
} from './generated/client.ts';

/** A company's settings are spread over three tables. */
export type IntegrationRows = {
  defaultCountry: string | null;
  integration: StoredIntegration | null;
  webhookEndpoint: StoredEndpoint | null;
};

/** What Prisma must select of a company for readIntegration. */
export const integrationSelection = { defaultCountry: true, integration: true, webhookEndpoint: true } as const;

/** Reads them as one. The integration is made with its company, so its absence is a bug. */
export function readIntegration({ defaultCountry, integration, webhookEndpoint }: IntegrationRows): Integration {
  if (integration === null) throw new Error('a company has no integration');
  return {
    crmProvider: integration.crmProvider as CrmProvider | null,
    ctiConnector: integration.ctiConnector as CtiConnector | null,
    mode: integration.mode as Mode,
    defaultCountry,
    apiKeyPrefix: integration.apiKeyPrefix,
    apiKeyIssuedAt: integration.apiKeyIssuedAt,
    connectedAt: integration.connectedAt,
    webhookUrl: webhookEndpoint?.url ?? null,
    webhookSecretEncrypted: webhookEndpoint?.secretEncrypted ?? null,
    webhookSecretPrevious: webhookEndpoint === null ? null : readPrevious(webhookEndpoint),
    webhookMaxInFlight: webhookEndpoint?.maxInFlight ?? null,
    webhookHealth: webhookEndpoint === null ? null : readHealth(webhookEndpoint),
    webhookEvents: integration.webhookEvents as WebhookEvent[] | null,
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
}

function readPrevious({ secretPreviousEncrypted: encrypted, secretPreviousUntil: until }: StoredEndpoint) {
  return encrypted === null || until === null ? null : { encrypted, until };
}
