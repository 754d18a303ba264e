import type { ConnectRequest, SavedIntegration } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { saveIntegration, type SaveNeeds, type SettingsWish } from './saveIntegration.ts';

/** Connects a CRM and CTI connector. The first time, the answer holds the company's API key, shown this once. */
export async function connectCrm(
  services: SaveNeeds,
  { companyId }: Principal,
  body: ConnectRequest,
): Promise<Outcome<SavedIntegration>> {
  const wish: SettingsWish = { connected: true, apiKey: 'first' };
  if (body.crm_provider !== undefined) wish.crmProvider = body.crm_provider;
  if (body.cti_connector !== undefined) wish.ctiConnector = body.cti_connector;
  if (body.webhook_url !== undefined) wish.webhookUrl = body.webhook_url;
  return saveIntegration(services, companyId, wish);
}
