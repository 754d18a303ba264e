import { isSupervisor } from '../domain/access.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';
import type { Services } from '../usecases/services.ts';

type Principal = TokenHolder['principal'];

/** Who holds a token, with the rights that they have by now. */
export async function readPrincipal({ agents }: Pick<Services, 'agents'>, known: Principal): Promise<Principal> {
  const found = await agents.find(known.companyId, known.agentId);
  // The connections of who is gone are ended.
  return found.kind === 'found' ? { ...known, role: found.value.role, ledTeamIds: found.value.ledTeamIds } : known;
}

/**
 * By which rights a connection acts. Supervisors may lead other teams than when it was opened, and word of that comes
 * behind what a slow connection is still being sent: they are read for each act. An agent's are the token's.
 */
export async function rightsOf(services: Pick<Services, 'agents'>, holder: TokenHolder): Promise<Principal> {
  return isSupervisor(holder.principal.role) ? readPrincipal(services, holder.principal) : holder.principal;
}
