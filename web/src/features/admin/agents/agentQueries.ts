import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../../../src/contract/agents.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

type AgentPage = { agents: AgentView[]; next_cursor: string | null };

/** Every account of the company, in order of the names. */
export const agentsQuery = queryOptions({ queryKey: ['agents'], queryFn: ({ signal }) => readAll(signal) });

async function readAll(signal: AbortSignal): Promise<AgentView[]> {
  const agents: AgentView[] = [];
  let cursor: string | null = null;
  do {
    const page: AgentPage = await api.get<AgentPage>(
      '/api/agents',
      { limit: 200, ...(cursor === null ? {} : { cursor }) },
      signal,
    );
    agents.push(...page.agents);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return agents.sort(
    (one, other) => one.name.localeCompare(other.name) || one.agent_code.localeCompare(other.agent_code),
  );
}

/** Creates an account. */
export function useCreateAgent() {
  const queries = useQueryClient();
  return useAction(async (body: CreateAgentRequest) => {
    const agent = await api.post<AgentView>('/api/agents', body);
    // The password that is shown once does not wait for the list.
    void queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
    return agent;
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
