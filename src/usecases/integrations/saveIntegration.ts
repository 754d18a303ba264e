import type { SavedIntegration } from '../../contract/integrations.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Integration, IntegrationChange } from '../../ports/integrations.ts';
import type { Services } from '../services.ts';
import { integrationView } from './integrationView.ts';

export type SaveNeeds = Pick<Services, 'apiKeys' | 'cipher' | 'forget' | 'integrations' | 'newWebhookSecret' | 'urlGuard'>;

/** What an admin asked for; absent is unchanged. */
export type SettingsWish = Omit<IntegrationChange, 'apiKey' | 'webhookSecretEncrypted'> & {
  /** `first`: only where the company has no key yet. */
  apiKey?: 'first' | 'rotate';
  webhookSecret?: 'rotate' | null;
};

/**
 * Saves a company's settings. A key or secret that is made here is in the answer and nowhere else in clear. The
 * first webhook URL brings a signing secret with it.
 */
export async function saveIntegration(
  services: SaveNeeds,
  companyId: CompanyId,
  wish: SettingsWish,
): Promise<Outcome<SavedIntegration>> {
  if (wish.webhookUrl != null) {
    const verdict = await services.urlGuard.check(wish.webhookUrl);
    if (verdict.kind === 'refused') {
      return refuse('invalid_request', 'The webhook URL cannot be used.', {
        errors: [{ path: 'webhook_url', message: verdict.detail }],
      });
    }
  }
  let shown: { api_key?: string; webhook_secret?: string } = {};
  const saved = await services.integrations.update(companyId, (current) => {
    const { apiKey, webhookSecret, ...plain } = wish;
    const change: IntegrationChange = plain;
    shown = {};
    if (apiKey === 'rotate' || (apiKey === 'first' && current.apiKeyPrefix === null)) {
      const { key, prefix, hash } = services.apiKeys.create();
      change.apiKey = { prefix, hash };
      shown.api_key = key;
    }
    if (needsSecret(current, wish)) {
      const secret = services.newWebhookSecret();
      change.webhookSecretEncrypted = services.cipher.encrypt(secret, companyId);
      shown.webhook_secret = secret;
    } else if (webhookSecret === null) {
      change.webhookSecretEncrypted = null;
    }
    return change;
  });
  services.forget(companyId);
  return ok({ integration: integrationView(saved), ...shown });
}

function needsSecret(current: Integration, wish: SettingsWish): boolean {
  const hasUrl = wish.webhookUrl === undefined ? current.webhookUrl !== null : wish.webhookUrl !== null;
  if (!hasUrl) return false;
  const isFirstUrl = current.webhookUrl === null && wish.webhookSecret === undefined;
  return wish.webhookSecret === 'rotate' || isFirstUrl;
}
