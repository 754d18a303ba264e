import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CtiConnectionView, DialingCheck, DialVia, IssuedCtiConnection, PlatformAgentView } from '../../../../../src/contract/ctiConnections.ts';
import type { PlatformRecipe } from '../../../../../src/contract/ctiRecipes.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

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
  return infiniteQueryOptions({
    queryKey: ['platforms', connector, 'agents'],
    queryFn: ({ pageParam, signal }) =>
      api.get<{ agents: PlatformAgentView[]; next_cursor: string | null }>(`${address}/${connector}/agents`, { limit: pageSize, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
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

/** Says who dials for the agents whose state that platform sets. */
export function useDialVia(connector: string) {
  const queries = useQueryClient();
  return useAction(async (dialVia: DialVia) => {
    await api.patch(`${address}/${connector}`, { dial_via: dialVia });
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  });
}

/** Keeps what it takes to dial through a platform. A secret that is left out stays as it is. */
export function useSaveDialing(connector: string) {
  const queries = useQueryClient();
  return useAction(async (dialing: Record<string, string>) => {
    await api.patch(`${address}/${connector}`, { dialing });
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  });
}

/** Asks the platform whether it takes that. */
export function useCheckDialing(connector: string) {
  return useAction(() => api.post<DialingCheck>(`${address}/${connector}/dialing/check`));
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

/** Says who an agent of the platform is; null: found by e-mail address or code again. */
export function useMapAgent(connector: string, platformId: string) {
  const queries = useQueryClient();
  return useAction(async (agentId: string | null) => {
    await api.put(`${address}/${connector}/agents/${encodeURIComponent(platformId)}`, { agent_id: agentId });
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  });
}
