import type { ColleagueList, ColleagueView } from '../../../../src/contract/colleagues.ts';
import type { TeamList, TeamView } from '../../../../src/contract/teams.ts';
import { api } from '../../lib/gateway/api.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { useNow } from '../../shared/time.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** What they are doing is read again so often while somebody looks. Milliseconds. */
const readAgainMs = 5_000;

/** `sought`: parts of names or codes. `team`: its code; null: of all. `limit`: 1 to 50, the agent among them. */
type Wanted = { sought: string; team: string | null; isReadyOnly?: boolean; limit: number };

/**
 * The agent's colleagues, those who can take a call soonest first, read again while they are shown. `colleagues`
 * undefined: not read yet. `isAll`: there are no others. `error`: why the latest reading failed, for
 * `messageOf`; null: it did not.
 */
export function useColleagues({ sought, team, isReadyOnly = false, limit }: Wanted): {
  colleagues: ColleagueView[] | undefined;
  isAll: boolean;
  error: unknown;
} {
  const { agentId } = useWorkplace();
  const turn = Math.floor(useNow() / readAgainMs);
  const { data, error } = useRead({
    key: JSON.stringify([sought, team, isReadyOnly]),
    read: (signal) =>
      api.get<ColleagueList>(
        '/api/colleagues',
        { q: sought, limit, team_code: team ?? undefined, state: isReadyOnly ? 'ready' : undefined },
        signal,
      ),
    // Nobody looks at a page that is hidden.
    version: document.hidden ? 'hidden' : String(turn),
    pauseMs: 150,
  });
  return {
    colleagues: data?.colleagues.filter(({ id }) => id !== agentId),
    isAll: data === undefined || data.colleagues.length < limit,
    error,
  };
}

/** The company's teams; none until they are read. */
export function useTeams(): TeamView[] {
  return useRead({ key: 'teams', read: (signal) => api.get<TeamList>('/api/teams', {}, signal) }).data?.teams ?? [];
}
