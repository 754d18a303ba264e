import { type DemoCustomer, demoInboxPath, type DemoStart, type DemoWebhooks } from '../contract/demo.ts';
import { inboundPush, type InboundPush } from '../contract/screenPops.ts';
import { webhookEvents } from '../contract/vocabulary.ts';
import type { CompanyId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/outcome.ts';
import type { Integration } from '../ports/integrations.ts';
import { saveIntegration, type SaveNeeds, type SettingsRequest } from '../usecases/integrations/saveIntegration.ts';
import { pushCustomer } from '../usecases/screenPops/pushCustomer.ts';
import type { Services } from '../usecases/services.ts';
import { behaviourOf } from './carrier/numbers.ts';

const rows = [
  { phone: '+15551230001', name: 'Grace Hopper', company: 'Flow-Matic Labs', tier: 'gold', tickets: 2 },
  { phone: '+15551230486', name: 'Alan Turing', company: 'Bletchley Instruments', tier: 'silver', tickets: 0 },
  { phone: '+15551230408', name: 'Katherine Johnson', company: 'Langley Orbits', tier: 'platinum', tickets: 1 },
  { phone: '+15551230603', name: 'Edsger Dijkstra', company: 'Shortest Path Logistics', tier: null, tickets: 0 },
  { phone: '+15551230002', name: 'Hedy Lamarr', company: 'Spread Spectrum Radio', tier: 'gold', tickets: 3 },
  { phone: '+15551230700', name: 'Clara Rockmore', company: 'Theremin Concerts', tier: 'silver', tickets: 1 },
] as const;

/** The customers of the demo CRM, one for each thing that can become of a call. */
const demoCustomers: readonly DemoCustomer[] = rows.map(({ phone, name, company, tier }) => ({
  phone_number: phone,
  name,
  company,
  tier,
  behaviour: behaviourOf(phone),
}));

/** The same as the CRM pushes them. */
const demoPushes: readonly InboundPush[] = rows.map(({ phone, name, company, tier, tickets }, index) => ({
  phone_number: phone,
  data: {
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@customers.example`,
    account_number: `D-100${String(index + 1)}`,
    open_tickets: tickets,
    company,
  },
  external_system: 'demo-crm',
  external_id: `demo-${String(index + 1)}`,
  ...(tier === null ? {} : { tier }),
}));

type Needs = SaveNeeds & Pick<Services, 'observer' | 'screenPops' | 'companyOf'>;

/**
 * Makes a company ready for the demo: its CRM connected, its webhooks sent to the inspector unless they go elsewhere,
 * and the customers of the demo CRM pushed. May be called again at any time.
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
  const plain: SettingsRequest = {
    ...(current.connectedAt === null ? { connected: true as const } : {}),
    apiKey: 'first',
    ...(current.crmProvider === null ? { crmProvider: 'custom' as const } : {}),
  };
  let webhooks: DemoWebhooks = isElsewhere ? 'elsewhere' : 'inbox';
  // The inspector shows everything that can be sent.
  const events = current.webhookEvents === null ? { webhookEvents: [...webhookEvents] } : {};
  let saved = await saveIntegration(
    services,
    companyId,
    webhookUrl === null ? plain : { ...plain, webhookUrl, ...events },
  );
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
