import type { SavedIntegration, UpdateIntegrationRequest } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import { refuse, type Outcome } from '../../domain/outcome.ts';
import { isPhoneCountry } from '../../domain/phoneNumbers.ts';
import { sentEvents } from '../../contract/webhookChoice.ts';
import { saveIntegration, type SaveNeeds, type SettingsWish } from './saveIntegration.ts';

/** Changes a company's settings; null clears, absent keeps. Rotated keys and secrets are shown this once. */
export async function updateIntegration(
  services: SaveNeeds,
  { companyId }: Principal,
  body: UpdateIntegrationRequest,
): Promise<Outcome<SavedIntegration>> {
  if (body.default_country != null && !isPhoneCountry(body.default_country)) {
    return refuse('invalid_request', 'The default country is not known.', {
      errors: [{ path: 'default_country', message: 'must be an ISO 3166-1 alpha-2 code such as "DE"' }],
    });
  }
  const wish: SettingsWish = {
    webhookUrl: body.webhook_url,
    webhookSecret: body.webhook_secret,
    webhookEnabled: body.webhook_enabled,
    webhookMaxInFlight: body.webhook_max_in_flight,
  };
  if (body.mode !== undefined) wish.mode = body.mode ?? 'push';
  if (body.crm_provider !== undefined) wish.crmProvider = body.crm_provider;
  if (body.cti_connector !== undefined) wish.ctiConnector = body.cti_connector;
  if (body.default_country !== undefined) wish.defaultCountry = body.default_country;
  if (body.webhook_events !== undefined) wish.webhookEvents = body.webhook_events === null ? null : sentEvents(body.webhook_events);
  if (body.rotate_api_key === true) wish.apiKey = 'rotate';
  return saveIntegration(services, companyId, wish);
}
