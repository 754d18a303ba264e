import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type {
  CtiConnectionView,
  AccountCheck,
  DialVia,
  IssuedCtiConnection,
  PlatformAgentView,
} from '../../../../../src/contract/ctiConnections.ts';
import type { PlatformRecipe } from '../../../../../src/contract/ctiRecipes.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';

const address = '/api/integrations/cti/connections';
/** So many of a platform's agents are read at once. */
const pageSize = 50;

/** The telephony platforms that tell of their calls; again and again, to show what they tell. */
export const connectionsQuery = queryOptions({
  queryKey: ['platforms'],
  queryFn: async ({ signal }) => (await api.get<{ connections: CtiConnectionView[] }>(address, {}, signal)).connections,
  refetchInterval: 5_000,
});

/** The agents of a platform, a page after the other. */
export function platformAgentsQuery(connector: string) {
  return pagedQuery({
    queryKey: ['platforms', connector, 'agents'],
    path: `${address}/${connector}/agents`,
    query: { limit: pageSize },
    entries: (page: { agents: PlatformAgentView[]; next_cursor: string | null }) => page.agents,
  });
}

/** What a platform needs, filled in for this company. */
export function recipeQuery(connector: string) {
  return queryOptions({
    queryKey: ['connectors', connector],
    queryFn: ({ signal }) => api.get<PlatformRecipe>(`/api/integrations/cti/connectors/${connector}`, {}, signal),
    staleTime: Infinity,
  });
}

/** Makes an address for a platform, or a new one in place of the one before. */
export function useNewConnection() {
  const queries = useQueryClient();
  return useAction(async (connector: string) => {
    const issued = await api.post<IssuedCtiConnection>(address, { connector });
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    return issued;
  });
}

/** Changes something of a connection. */
function useChange<T>(connector: string, bodyOf: (value: T) => object) {
  const queries = useQueryClient();
  return useAction(async (value: T) => {
    await api.patch(`${address}/${connector}`, bodyOf(value));
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  });
}

/** Says who dials for the agents whose state that platform sets. */
export const useDialVia = (connector: string) => useChange(connector, (dialVia: DialVia) => ({ dial_via: dialVia }));

/** Says whether the gateway listens there by itself. */
export const useListens = (connector: string) => useChange(connector, (listens: boolean) => ({ listens }));

/** Keeps the account at a platform. A secret that is left out stays as it is. */
export const useSaveAccount = (connector: string) =>
  useChange(connector, (account: Record<string, string>) => ({ account }));

/** Asks the platform whether it takes that. */
export function useCheckAccount(connector: string) {
  return useAction(() => api.post<AccountCheck>(`${address}/${connector}/account/check`));
}

/** Takes nothing more from a platform. */
export function useRemoveConnection() {
  const queries = useQueryClient();
  return useAction(async (connector: string) => {
    await api.delete(`${address}/${connector}`);
    // Its agents are gone with it, and not asked for again.
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey, exact: true });
  });
}

/** Keeps what an agent logs in with there, and tries it; null: nothing is set any more. */
export function useSetAgentAccount(connector: string, platformId: string) {
  const queries = useQueryClient();
  return useAction(async (account: Record<string, string> | null) => {
    const found = await api.put<AccountCheck>(
      `${address}/${connector}/agents/${encodeURIComponent(platformId)}/account`,
      { account },
    );
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    return found;
  });
}

/** Says who an agent of the platform is; null: found by e-mail address or code again. */
export function useMapAgent(connector: string, platformId: string) {
  const queries = useQueryClient();
  return useAction(async (agentId: string | null) => {
    await api.put(`${address}/${connector}/agents/${encodeURIComponent(platformId)}`, { agent_id: agentId });
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  });
}
