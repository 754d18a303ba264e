import { queryOptions } from '@tanstack/react-query';
import type { TeamView } from '../../../src/contract/teams.ts';
import { api } from '../lib/gateway/api.ts';

/** The teams of the company, in order of their names. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await api.get<{ teams: TeamView[] }>('/api/teams', {}, signal)).teams,
});
