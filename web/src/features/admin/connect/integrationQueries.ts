import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DeliveryDetail, DeliveryView } from '../../../../../src/contract/deliveries.ts';
import type {
  ConnectRequest,
  IntegrationOverview,
  PartnerConnection,
  SavedIntegration,
  TestWebhookAnswer,
  UpdateIntegrationRequest,
} from '../../../../../src/contract/integrations.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';

/** The company's connection to its CRM: settings, status, catalogs. */
export const integrationQuery = queryOptions({
  queryKey: ['integration'],
  queryFn: ({ signal }) => api.get<IntegrationOverview>('/api/integrations', {}, signal),
});

/** A key or secret in an answer is shown once: it is in the action's data, and is never put into the cache. */
function useIntegrationChange<T>(change: (body: T) => Promise<SavedIntegration>) {
  const queries = useQueryClient();
  return useAction(async (body: T) => {
    const saved = await change(body);
    await queries.invalidateQueries({ queryKey: integrationQuery.queryKey });
    return saved;
  });
}

/** Connects a CRM: issues the first key, and a webhook secret with the first URL. */
export function useConnect() {
  return useIntegrationChange((body: ConnectRequest) => api.post<SavedIntegration>('/api/integrations/connect', body));
}

/** Changes settings, or rotates the key or the secret. */
export function useUpdateIntegration() {
  return useIntegrationChange((body: UpdateIntegrationRequest) => api.put<SavedIntegration>('/api/integrations', body));
}

/** How a test went, and what the log has of it; null where nothing was sent. */
export type TestedWebhook = { answer: TestWebhookAnswer; delivery: DeliveryDetail | null };

/** Sends a test event and reads what was sent and what came back. */
export function useTestWebhook() {
  const queries = useQueryClient();
  return useAction(() =>
    runTest().finally(() => {
      void queries.invalidateQueries({ queryKey: integrationQuery.queryKey });
      void queries.invalidateQueries({ queryKey: ['deliveries'] });
    }),
  );
}

async function runTest(): Promise<TestedWebhook> {
  const answer = await api.post<TestWebhookAnswer>('/api/integrations/test-webhook');
  if (answer.outcome === 'skipped') return { answer, delivery: null };
  const { deliveries } = await api.get<{ deliveries: DeliveryView[] }>('/api/integrations/webhook-deliveries', {
    event: 'integration_test',
    limit: 1,
  });
  const [latest] = deliveries;
  if (latest === undefined) return { answer, delivery: null };
  return { answer, delivery: await api.get<DeliveryDetail>(`/api/integrations/webhook-deliveries/${latest.id}`) };
}

/** What choosing that connector does, where it is less than its name promises; null: nothing to say. */
export function connectorNote(
  t: Translate,
  { cti_connectors: catalog }: IntegrationOverview,
  id: string | null,
): string | null {
  const chosen = catalog.find((entry) => entry.id === id);
  return chosen?.connection === 'not_connected' ? t('admin.connect.labelOnly', { name: chosen.name }) : null;
}

/** How the gateway stands to that CRM, be it stored as the company's or about to be chosen. */
export function crmStanding(
  { integration, status, providers }: IntegrationOverview,
  id: string | null,
): PartnerConnection {
  if (id === integration.crm_provider) return status.crm.connection;
  return providers.find((entry) => entry.id === id)?.connection ?? 'not_chosen';
}

/** What choosing that CRM does; null: nothing is chosen. */
export function crmNote(t: Translate, overview: IntegrationOverview, id: string | null): string | null {
  const chosen = overview.providers.find((entry) => entry.id === id);
  if (chosen === undefined) return null;
  const standing = crmStanding(overview, id);
  return isWorded(standing) ? t(`admin.connect.standing.${standing}`, { name: partnerName(t, chosen) }) : null;
}

const worded = ['not_connected', 'connected', 'needs_attention', 'needs_login', 'by_interface'] as const;

function isWorded(standing: string): standing is (typeof worded)[number] {
  return worded.some((one) => one === standing);
}

/** Products have the same name everywhere; what is none is worded here. */
export function partnerName(t: Translate, { id, name }: { id: string; name: string }): string {
  switch (id) {
    case 'custom':
    case 'none':
    case 'push':
    case 'builtin':
    case 'hybrid':
    case 'pull':
      return t(`admin.connect.names.${id}`);
    default:
      return name;
  }
}

/** What is chosen and exchanges nothing: its name, and why. */
export type Unconnected = { name: string; note: string };

/** The chosen CRM and connector with which nothing is exchanged. */
export function unconnected(t: Translate, overview: IntegrationOverview): Unconnected[] {
  const { integration, providers, cti_connectors: connectors } = overview;
  const crm = providers.find(({ id }) => id === integration.crm_provider);
  const connector = connectors.find(({ id }) => id === integration.cti_connector);
  const isCrmOff = ['not_connected', 'needs_attention', 'needs_login'].includes(
    crmStanding(overview, integration.crm_provider),
  );
  const partners = [
    crm !== undefined && isCrmOff ? { name: crm.name, note: crmNote(t, overview, crm.id) } : null,
    connector === undefined ? null : { name: connector.name, note: connectorNote(t, overview, connector.id) },
  ];
  return partners.flatMap((one) => (one === null || one.note === null ? [] : [{ name: one.name, note: one.note }]));
}
