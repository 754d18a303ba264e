import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import { api } from '../../../lib/gateway/api.ts';

type AgentPage = { agents: AgentView[]; next_cursor: string | null };

/** Every account of the company, in order of the names. */
export const agentsQuery = queryOptions({ queryKey: ['agents'], queryFn: readAll });

async function readAll(): Promise<AgentView[]> {
  const agents: AgentView[] = [];
  let cursor: string | null = null;
  do {
    const page: AgentPage = await api.get<AgentPage>('/api/agents', { limit: 200, ...(cursor === null ? {} : { cursor }) });
    agents.push(...page.agents);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return agents.sort((one, other) => one.name.localeCompare(other.name) || one.agent_code.localeCompare(other.agent_code));
}

/** Creates an account. */
export function useCreateAgent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<CreateAgentRequest, 'role'> & Partial<Pick<CreateAgentRequest, 'role'>>) =>
      api.post<AgentView>('/api/agents', body),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsQuery.queryKey }),
  });
}

/** Changes an account. */
export function useUpdateAgent(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateAgentRequest) => api.patch<AgentView>(`/api/agents/${id}`, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsQuery.queryKey }),
  });
}
