import type { ConnectRequest, SavedIntegration, UpdateIntegrationRequest } from '../../contract/integrations.ts';
import { sentEvents } from '../../contract/webhooks.ts';
import type { Principal } from '../../domain/access.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { isPhoneCountry } from '../../domain/phones/phoneNumbers.ts';
import type { Integration, IntegrationChange } from '../../ports/integrations.ts';
import type { Services } from '../services.ts';
import { unknownProvider } from '../crm/crmAccount.ts';
import { moveStoppedToDead } from '../webhooks/endpointHealth.ts';
import {
  endpointChange,
  endpointNeedsUrl,
  type EndpointRequest,
  limitRate,
  rotateSecret,
  webhookLimits,
} from './endpointRequest.ts';
import { integrationView } from './integrationView.ts';

export type SaveNeeds = Pick<
  Services,
  | 'apiKeys'
  | 'cipher'
  | 'clock'
  | 'counters'
  | 'crmProviders'
  | 'forget'
  | 'integrations'
  | 'newWebhookSecret'
  | 'outbox'
  | 'softphones'
  | 'urlGuard'
  | 'wakeDispatcher'
>;

/** What an admin asked for; absent is unchanged. */
export type SettingsRequest = Pick<
  IntegrationChange,
  | 'crmProvider'
  | 'ctiConnector'
  | 'mode'
  | 'defaultCountry'
  | 'bareDigits'
  | 'connected'
  | 'webhookEvents'
  | 'popFrameAncestors'
> &
  EndpointRequest & {
    /** `first`: only where the company has no key yet. */
    apiKey?: 'first' | 'rotate';
  };

type Decision = { change: IntegrationChange; shown: Pick<SavedIntegration, 'api_key' | 'webhook_secret'> };

/**
 * Saves a company's settings. A key or secret that is made here is in the answer and nowhere else in clear. The
 * first webhook URL brings a signing secret with it. What belongs to the webhook endpoint is refused without a URL.
 */
export async function saveIntegration(
  services: SaveNeeds,
  companyId: CompanyId,
  request: SettingsRequest,
): Promise<Outcome<SavedIntegration>> {
  if (request.crmProvider != null && !services.crmProviders.byId.has(request.crmProvider))
    return unknownProvider(services.crmProviders, 'crm_provider');
  if (request.webhookUrl != null) {
    const tooMany = await limitNewUrls(services, companyId, request.webhookUrl);
    if (tooMany !== null) return tooMany;
    const verdict = await services.urlGuard.check(request.webhookUrl);
    if (verdict.kind === 'refused') {
      return refuse('invalid_request', 'The webhook URL cannot be used.', {
        errors: [{ path: 'webhook_url', message: verdict.detail, ...verdict.cause }],
      });
    }
  }
  const now = services.clock.now();
  const latest: { decision?: Decision | Refused } = {};
  const saved = await services.integrations.update(companyId, (current) => {
    const decision = endpointNeedsUrl(current, request) ?? decide(services, companyId, current, request, now);
    latest.decision = decision;
    return 'change' in decision ? decision.change : {};
  });
  const { decision } = latest;
  if (decision === undefined) throw new Error('a change was saved that nobody decided on');
  if ('kind' in decision) return decision;
  services.forget(companyId);
  if (request.defaultCountry !== undefined || request.mode !== undefined)
    services.softphones.settingsChanged(companyId);
  if (saved.webhookUrl === null || saved.webhookHealth?.disabled != null) await moveStoppedToDead(services, companyId);
  // Deliveries may have waited for the endpoint.
  services.wakeDispatcher(companyId);
  return ok({ integration: integrationView(saved, now), ...decision.shown });
}

/** Deliveries reveal what answers at a URL, so URL changes are limited. Checked before anything is sent to the URL. */
async function limitNewUrls(
  { counters, integrations }: SaveNeeds,
  companyId: CompanyId,
  url: string,
): Promise<Refused | null> {
  const { webhookUrl } = await integrations.find(companyId);
  if (webhookUrl === url) return null;
  return limitRate(counters, `webhook URLs of ${companyId}`, 'changes of webhook_url', webhookLimits.urlChanges);
}

function decide(
  services: SaveNeeds,
  companyId: CompanyId,
  current: Integration,
  request: SettingsRequest,
  now: number,
): Decision {
  const { apiKey, webhookUrl, webhookSecret, webhookEnabled, webhookMaxInFlight, ...plain } = request;
  const change: IntegrationChange = {
    ...plain,
    ...endpointChange(current, { webhookUrl, webhookSecret, webhookEnabled, webhookMaxInFlight }, now),
  };
  const shown: Decision['shown'] = {};
  if (apiKey === 'rotate' || (apiKey === 'first' && current.apiKeyPrefix === null)) {
    const { key, prefix, hash } = services.apiKeys.create();
    change.apiKey = { prefix, hash };
    shown.api_key = key;
  }
  const isFirstUrl = current.webhookUrl === null && webhookUrl != null && webhookSecret === undefined;
  if (webhookSecret === 'rotate' || isFirstUrl) {
    const secret = services.newWebhookSecret();
    Object.assign(change, rotateSecret(current, services.cipher.encrypt(secret, companyId), now));
    shown.webhook_secret = secret;
  }
  return { change, shown };
}

/** Connects a CRM and CTI connector. The first time, the answer holds the company's API key, shown this once. */
export async function connectCrm(
  services: SaveNeeds,
  { companyId }: Principal,
  body: ConnectRequest,
): Promise<Outcome<SavedIntegration>> {
  const request: SettingsRequest = { connected: true, apiKey: 'first' };
  if (body.crm_provider !== undefined) request.crmProvider = body.crm_provider;
  if (body.cti_connector !== undefined) request.ctiConnector = body.cti_connector;
  if (body.webhook_url !== undefined) request.webhookUrl = body.webhook_url;
  return saveIntegration(services, companyId, request);
}

/** Changes a company's settings; null clears, absent keeps. Rotated keys and secrets are shown this once. */
export async function updateIntegration(
  services: SaveNeeds,
  { companyId }: Principal,
  body: UpdateIntegrationRequest,
): Promise<Outcome<SavedIntegration>> {
  if (body.default_country != null && !isPhoneCountry(body.default_country)) {
    return refuse('invalid_request', 'The default country is not known.', {
      errors: [
        { path: 'default_country', message: 'must be an ISO 3166-1 alpha-2 code such as "DE"', code: 'not_a_country' },
      ],
    });
  }
  const request: SettingsRequest = {
    webhookUrl: body.webhook_url,
    webhookSecret: body.webhook_secret,
    webhookEnabled: body.webhook_enabled,
    webhookMaxInFlight: body.webhook_max_in_flight,
  };
  if (body.mode !== undefined) request.mode = body.mode ?? 'push';
  if (body.crm_provider !== undefined) request.crmProvider = body.crm_provider;
  if (body.cti_connector !== undefined) request.ctiConnector = body.cti_connector;
  if (body.default_country !== undefined) request.defaultCountry = body.default_country;
  if (body.bare_digits !== undefined) request.bareDigits = body.bare_digits;
  if (body.webhook_events !== undefined)
    request.webhookEvents = body.webhook_events === null ? null : sentEvents(body.webhook_events);
  if (body.pop_frame_ancestors !== undefined) request.popFrameAncestors = [...new Set(body.pop_frame_ancestors ?? [])];
  if (body.rotate_api_key === true) request.apiKey = 'rotate';
  return saveIntegration(services, companyId, request);
}
