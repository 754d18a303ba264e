import type { SavedIntegration } from '../../contract/integrations.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import { webhookLimits } from '../../domain/webhookLimits.ts';
import type { Integration, IntegrationChange } from '../../ports/integrations.ts';
import { limitRate } from '../concurrency/limitRate.ts';
import type { Services } from '../services.ts';
import { giveUpStopped } from '../webhooks/giveUp.ts';
import { endpointChange, endpointNeedsUrl, type EndpointWish } from './endpointWish.ts';
import { integrationView } from './integrationView.ts';
import { rotateSecret } from './secretOverlap.ts';

export type SaveNeeds = Pick<
  Services,
  'apiKeys' | 'cipher' | 'clock' | 'counters' | 'forget' | 'integrations' | 'newWebhookSecret' | 'outbox' | 'softphones' | 'urlGuard' | 'wakeDispatcher'
>;

/** What an admin asked for; absent is unchanged. */
export type SettingsWish = Pick<IntegrationChange, 'crmProvider' | 'ctiConnector' | 'mode' | 'defaultCountry' | 'connected' | 'webhookEvents'> &
  EndpointWish & {
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
  wish: SettingsWish,
): Promise<Outcome<SavedIntegration>> {
  if (wish.webhookUrl != null) {
    const tooMany = await limitNewUrls(services, companyId, wish.webhookUrl);
    if (tooMany !== null) return tooMany;
    const verdict = await services.urlGuard.check(wish.webhookUrl);
    if (verdict.kind === 'refused') {
      return refuse('invalid_request', 'The webhook URL cannot be used.', {
        errors: [{ path: 'webhook_url', message: verdict.detail }],
      });
    }
  }
  const now = services.clock.now();
  const latest: { decision?: Decision | Refused } = {};
  const saved = await services.integrations.update(companyId, (current) => {
    const decision = endpointNeedsUrl(current, wish) ?? decide(services, companyId, current, wish, now);
    latest.decision = decision;
    return 'change' in decision ? decision.change : {};
  });
  const { decision } = latest;
  if (decision === undefined) throw new Error('a change was saved that nobody decided on');
  if ('kind' in decision) return decision;
  services.forget(companyId);
  if (wish.defaultCountry !== undefined) services.softphones.settingsChanged(companyId);
  if (saved.webhookUrl === null || saved.webhookHealth?.disabled != null) await giveUpStopped(services, companyId);
  // What waited for the endpoint may go out now.
  services.wakeDispatcher();
  return ok({ integration: integrationView(saved, now), ...decision.shown });
}

/** Deliveries tell what answers at a URL, so that URLs may change only so often. Before anything is asked of the URL. */
async function limitNewUrls({ counters, integrations }: SaveNeeds, companyId: CompanyId, url: string): Promise<Refused | null> {
  const { webhookUrl } = await integrations.find(companyId);
  if (webhookUrl === url) return null;
  return limitRate(counters, `webhook URLs of ${companyId}`, 'changes of webhook_url', webhookLimits.urlChanges);
}

function decide(
  services: SaveNeeds,
  companyId: CompanyId,
  current: Integration,
  wish: SettingsWish,
  now: number,
): Decision {
  const { apiKey, webhookUrl, webhookSecret, webhookEnabled, webhookMaxInFlight, ...plain } = wish;
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
