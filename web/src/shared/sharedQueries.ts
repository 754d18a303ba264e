import { queryOptions } from '@tanstack/react-query';
import type { AgentView } from '../../../src/contract/agents.ts';
import type { CompanyView } from '../../../src/contract/companies.ts';
import type { FieldView } from '../../../src/contract/contactFields.ts';
import type { PipelineView } from '../../../src/contract/pipelines.ts';
import type { TeamView } from '../../../src/contract/teams.ts';
import { api } from '../lib/gateway/api.ts';

// What several features read. Each under one key: what one of them changes is changed for all.

/** The company's name and settings. */
export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: ({ signal }) => api.get<CompanyView>('/api/company', {}, signal),
});

/** The teams of the company, in order of their names. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await api.get<{ teams: TeamView[] }>('/api/teams', {}, signal)).teams,
});

/** The fields of contacts that the company has defined, in the order that its admin chose. */
export const fieldsQuery = queryOptions({
  queryKey: ['contact-fields'],
  queryFn: async ({ signal }) => (await api.get<{ fields: FieldView[] }>('/api/crm/fields', {}, signal)).fields,
});

/** The pipelines of the company, in their order. */
export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines'],
  queryFn: async ({ signal }) =>
    (await api.get<{ pipelines: PipelineView[] }>('/api/crm/pipelines', {}, signal)).pipelines,
});

/** Every account of the company, in order of the names. */
export const agentsQuery = queryOptions({ queryKey: ['agents'], queryFn: ({ signal }) => readAgents(signal) });

/** One account; read anew with all of them. */
export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentsQuery.queryKey, id],
    queryFn: ({ signal }) => api.get<AgentView>(`/api/agents/${id}`, {}, signal),
  });

async function readAgents(signal: AbortSignal): Promise<AgentView[]> {
  const agents: AgentView[] = [];
  let cursor: string | null = null;
  do {
    const page: { agents: AgentView[]; next_cursor: string | null } = await api.get(
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
