import { demoInboxPath, type DemoStart, type DemoWebhooks } from '../contract/demo.ts';
import { inboundPush } from '../contract/screenPops.ts';
import { webhookEvents } from '../contract/vocabulary.ts';
import type { CompanyId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/outcome.ts';
import type { Integration } from '../ports/integrations.ts';
import { saveIntegration, type SaveNeeds, type SettingsWish } from '../usecases/integrations/saveIntegration.ts';
import { pushCustomer } from '../usecases/screenPops/pushCustomer.ts';
import type { Services } from '../usecases/services.ts';
import { demoCustomers, demoPushes } from './customers.ts';

type Needs = SaveNeeds & Pick<Services, 'observer' | 'screenPops' | 'settings'>;

/**
 * Makes a company ready for the demo: its CRM connected, its webhooks sent to the inspector unless they go elsewhere, and
 * the customers of the demo CRM pushed. May be called again at any time.
 * @param url of this gateway, as this machine reaches it, without a slash at the end
 */
export async function startDemo(
  services: Needs,
  companyId: CompanyId,
  { url, hasCarrier }: { url: string; hasCarrier: boolean },
): Promise<Outcome<DemoStart>> {
  const current = await services.integrations.find(companyId);
  const inboxUrl = url + demoInboxPath;
  const isElsewhere = current.webhookUrl !== null && !isInbox(current.webhookUrl);
  const webhookUrl = isElsewhere || isWorking(current, inboxUrl) ? null : inboxUrl;
  const plain: SettingsWish = {
    ...(current.connectedAt === null ? { connected: true as const } : {}),
    apiKey: 'first',
    ...(current.crmProvider === null ? { crmProvider: 'custom' as const } : {}),
  };
  let webhooks: DemoWebhooks = isElsewhere ? 'elsewhere' : 'inbox';
  // The inspector shows everything that can be sent.
  const events = current.webhookEvents === null ? { webhookEvents: [...webhookEvents] } : {};
  let saved = await saveIntegration(services, companyId, webhookUrl === null ? plain : { ...plain, webhookUrl, ...events });
  if (saved.kind === 'refused' && webhookUrl !== null) {
    webhooks = 'refused';
    saved = await saveIntegration(services, companyId, plain);
  }
  if (saved.kind === 'refused') return saved;
  for (const push of demoPushes) {
    const pushed = await pushCustomer(services, companyId, inboundPush.parse(push));
    if (pushed.kind === 'refused') return pushed;
  }
  const { integration, ...shownOnce } = saved.value;
  return ok({
    customers: [...demoCustomers],
    webhooks,
    webhook_url: integration.webhook_url,
    carrier: hasCarrier,
    ...shownOnce,
  });
}

/** The inspector's address, of this start or, with another port, of one before. */
function isInbox(webhookUrl: string): boolean {
  const { protocol, hostname, pathname } = new URL(webhookUrl);
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname) && pathname === demoInboxPath;
}

/** Saved again, the same URL enables the endpoint. */
function isWorking({ webhookUrl, webhookHealth }: Integration, inboxUrl: string): boolean {
  return webhookUrl === inboxUrl && webhookHealth !== null && webhookHealth.disabled === null;
}
