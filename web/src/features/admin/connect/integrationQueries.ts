import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DeliveryDetail, DeliveryView } from '../../../../../src/contract/deliveries.ts';
import type { ConnectRequest, IntegrationOverview, SavedIntegration, TestWebhookAnswer, UpdateIntegrationRequest } from '../../../../../src/contract/integrations.ts';
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

type Entries = readonly { id: string; name: string; connection: string }[];

/** What choosing that entry does, where it is less than its name promises; null: nothing to say. */
export function labelNote(t: Translate, catalog: Entries, id: string | null): string | null {
  const chosen = catalog.find((entry) => entry.id === id);
  return chosen?.connection === 'not_connected' ? t('admin.connect.labelOnly', { name: chosen.name }) : null;
}

/** Products have the same name everywhere; what is none is worded here. */
export function partnerName(t: Translate, { id, name }: { id: string; name: string }): string {
  return id === 'custom' || id === 'none' || id === 'push' ? t(`admin.connect.names.${id}`) : name;
}

/** The chosen CRM and connector with which nothing is exchanged, by name. */
export function unconnectedNames({ integration, providers, cti_connectors: connectors }: IntegrationOverview): string[] {
  const chosen = [
    providers.find(({ id }) => id === integration.crm_provider),
    connectors.find(({ id }) => id === integration.cti_connector),
  ];
  return chosen.flatMap((entry) => (entry?.connection === 'not_connected' ? [entry.name] : []));
}
