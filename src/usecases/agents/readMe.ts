import type { SignedInAgent } from '../../contract/auth.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { signedInAgent } from '../views/agentView.ts';
import { findAgent } from './findAgent.ts';

/** Who the bearer of the token is. */
export async function readMe(
  services: Pick<Services, 'agents' | 'settings'>,
  principal: Principal,
): Promise<Outcome<SignedInAgent>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an agent.');
  const [agent, settings] = await Promise.all([
    findAgent(services, principal.companyId, principal.agentId),
    services.settings(principal.companyId),
  ]);
  return agent.kind === 'refused' ? agent : ok(signedInAgent(agent.value, settings.slug));
}
