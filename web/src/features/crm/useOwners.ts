import { useQuery } from '@tanstack/react-query';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { agentsQuery } from '../../shared/sharedQueries.ts';

type Owner = { id: string; name: string };

/**
 * Who may look after a record: whoever is signed in, who does so now, and for supervisors and admins every colleague.
 * @param owner who does so now, where that is somebody
 */
export function useOwners(owner: Owner | null): { value: string; label: string }[] {
  const me = signedIn()?.agent;
  // Who is there to choose from is told to supervisors and admins alone.
  const { data: agents = [] } = useQuery({
    ...agentsQuery,
    enabled: me?.role === 'supervisor' || me?.role === 'admin',
  });
  const colleagues = agents.filter(({ active, role }) => active && role !== 'dialer');
  const owners = new Map([me, owner, ...colleagues].flatMap((one) => (one == null ? [] : [[one.id, one.name]])));
  return [...owners].map(([value, label]) => ({ value, label }));
}

/** From so many on they are searched. */
export const searchedFrom = 8;
