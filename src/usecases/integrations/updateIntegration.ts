import type { SavedIntegration, UpdateIntegrationRequest } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import { refuse, type Outcome } from '../../domain/outcome.ts';
import { isPhoneCountry } from '../../domain/phoneNumbers.ts';
import type { Services } from '../services.ts';
import { saveIntegration, type SaveNeeds, type SettingsWish } from './saveIntegration.ts';

/** Changes a company's settings; null clears, absent keeps. Rotated keys and secrets are shown this once. */
export async function updateIntegration(
  services: SaveNeeds & Pick<Services, 'integrations'>,
  { companyId }: Principal,
  body: UpdateIntegrationRequest,
): Promise<Outcome<SavedIntegration>> {
  if (body.default_country != null && !isPhoneCountry(body.default_country)) {
    return refuse('invalid_request', 'The default country is not known.', {
      errors: [{ path: 'default_country', message: 'must be an ISO 3166-1 alpha-2 code such as "DE"' }],
    });
  }
  if (body.webhook_secret === 'rotate' && (await urlAfter(services, companyId, body)) === null) {
    return refuse('conflict', 'A webhook secret needs a webhook_url first.');
  }
  const wish: SettingsWish = {};
  if (body.webhook_url !== undefined) wish.webhookUrl = body.webhook_url;
  if (body.mode !== undefined) wish.mode = body.mode ?? 'push';
  if (body.crm_provider !== undefined) wish.crmProvider = body.crm_provider;
  if (body.cti_connector !== undefined) wish.ctiConnector = body.cti_connector;
  if (body.default_country !== undefined) wish.defaultCountry = body.default_country;
  if (body.webhook_secret !== undefined) wish.webhookSecret = body.webhook_secret;
  if (body.rotate_api_key === true) wish.apiKey = 'rotate';
  return saveIntegration(services, companyId, wish);
}

async function urlAfter(
  { integrations }: Pick<Services, 'integrations'>,
  companyId: Principal['companyId'],
  body: UpdateIntegrationRequest,
): Promise<string | null> {
  return body.webhook_url === undefined ? (await integrations.find(companyId)).webhookUrl : body.webhook_url;
}
