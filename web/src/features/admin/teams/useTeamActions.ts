import { useQueryClient } from '@tanstack/react-query';
import type { CreateTeamRequest, TeamView } from '../../../../../src/contract/teams.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { teamsQuery } from '../../../shared/sharedQueries.ts';

/**
 * Makes a team, or changes the one that was read; where somebody else has changed it meanwhile,
 * it is refused and read anew.
 */
export function useSaveTeam(read: TeamView | null) {
  const queries = useQueryClient();
  return useAction(async (team: CreateTeamRequest) => {
    try {
      if (read === null) await api.post('/api/teams', team);
      else await api.patch(`/api/teams/${read.id}`, { ...team, version: read.version });
    } finally {
      await queries.invalidateQueries({ queryKey: teamsQuery.queryKey });
    }
  });
}

/** Takes a team away. */
export function useRemoveTeam() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`/api/teams/${id}`);
    await queries.invalidateQueries({ queryKey: teamsQuery.queryKey });
  });
}
