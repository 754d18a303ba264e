import { type AgentScope, ledTeamsOf, type Principal } from '../../domain/access.ts';
import { refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';

/**
 * Whom a caller sees and acts on: an agent itself, a supervisor of some teams their agents and itself,
 * everyone else everybody. The one place that decides it; stores get it with their statements.
 */
export async function agentScopeOf(
  { ledAgents }: Pick<Services, 'ledAgents'>,
  principal: Principal,
): Promise<AgentScope> {
  if (principal.kind === 'company_key') return 'all';
  const { companyId, agentId, role } = principal;
  if (role === 'agent') return new Set([agentId]);
  const teams = ledTeamsOf(principal);
  return teams === null ? 'all' : new Set([...(await ledAgents(companyId, teams)), agentId]);
}

/**
 * The same for one that does not exist and one that is not shown to the caller: a supervisor of some
 * teams does not learn which.
 */
export const noSuchAgent = refuse('unknown_agent', 'The company has no such agent, or it is not shown to you.');
