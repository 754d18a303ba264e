import type { LoginRequest } from '../src/contract/auth.ts';
import { demoInboxPath } from '../src/contract/demo.ts';
import { integrationOverview, savedIntegration } from '../src/contract/integrations.ts';
import { platformAnswer } from '../src/contract/platform.ts';
import type { GatewayApi } from './gatewayApi.ts';

/**
 * Where a company's webhooks can always go: to the demo's inspector.
 * Null where the gateway has none, for others reach it too.
 */
export async function inspectorOf(api: GatewayApi): Promise<string | null> {
  const { demo } = await api.ask({ method: 'GET', path: '/api/public/platform', answer: platformAnswer });
  return demo ? api.url + demoInboxPath : null;
}

/** A company's webhooks, while they come here. */
export type BorrowedWebhooks = {
  /** Of a company that had no webhook URL: they are signed with this. */
  secret: string | null;
  /**
   * Sends them where they went before, unless somebody sends them elsewhere by now.
   * @returns where they go; null: nowhere
   */
  giveBack(): Promise<string | null>;
};

/**
 * Sends the company's webhooks to this URL until they are given back.
 * @param admin logs in again for that: a token may have ended by then
 */
export async function borrowWebhooks(api: GatewayApi, admin: LoginRequest, url: string): Promise<BorrowedWebhooks> {
  const path = '/api/integrations';
  const setUrl = async (token: string, webhook_url: string | null) =>
    api.ask({ method: 'PUT', path, answer: savedIntegration, as: { token }, body: { webhook_url } });
  const urlNow = async (token: string) =>
    (await api.ask({ method: 'GET', path, answer: integrationOverview, as: { token } })).integration.webhook_url;
  const { token } = await api.logIn(admin);
  const earlier = await urlNow(token);
  // One that was killed could not give them back.
  const before = earlier === url ? await inspectorOf(api) : earlier;
  const { webhook_secret: secret = null } = await setUrl(token, url);
  return {
    secret,
    async giveBack() {
      const again = await api.logIn(admin);
      const now = await urlNow(again.token);
      if (now !== url) return now;
      await setUrl(again.token, before);
      return before;
    },
  };
}
