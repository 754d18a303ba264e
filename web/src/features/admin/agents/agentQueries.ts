import { useQueryClient } from '@tanstack/react-query';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { agentsQuery } from '../../../shared/sharedQueries.ts';

/** Creates an account; its password comes along, to be shown. */
export function useCreateAgent() {
  const queries = useQueryClient();
  return useAction(async (body: CreateAgentRequest) => {
    const agent = await api.post<AgentView>('/api/agents', body);
    // The password that is shown once does not wait for the list.
    void queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
    return { agent, password: body.password };
  });
}

/** Changes an account. */
export function useUpdateAgent(id: string) {
  const queries = useQueryClient();
  return useAction(async (body: UpdateAgentRequest) => {
    await api.patch<AgentView>(`/api/agents/${id}`, body);
    await queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
  });
}
