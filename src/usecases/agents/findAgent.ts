import type { AgentStateView } from '../../contract/agents.ts';
import { agentsWithin, type AgentScope, isSupervisor, isWithin, type Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, isUuid, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Agent } from '../../ports/agents.ts';
import type { Services } from '../services.ts';
import { agentStateView } from '../views/agentViews.ts';
import { agentScopeOf, noSuchAgent } from './agentScope.ts';

/** An agent of the company by id; refuses an id of another company as such. */
export async function findAgent(
  { agents }: Pick<Services, 'agents'>,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<Agent>> {
  if (!isUuid(id)) return noSuchAgent;
  const found = await agents.find(companyId, toId<AgentId>(id));
  switch (found.kind) {
    case 'found':
      return ok(found.value);
    case 'unknown':
      return noSuchAgent;
    case 'wrong_company':
      return refuse('wrong_company', 'That agent belongs to another company.');
  }
}

/** The same, as far as the caller sees the agent. */
export async function findShownAgent(
  services: Pick<Services, 'agents' | 'ledAgents'>,
  principal: Principal,
  id: string,
): Promise<Outcome<Agent>> {
  const found = await findAgent(services, principal.companyId, id);
  if (found.kind === 'refused') return found;
  return isWithin(await agentScopeOf(services, principal), found.value.id) ? found : noSuchAgent;
}

/** An agent's live state, for supervisors and the agent itself. */
export async function readAgentState(
  services: Pick<Services, 'agents' | 'ledAgents' | 'presence'>,
  principal: Principal,
  id: string,
): Promise<Outcome<AgentStateView>> {
  const found = await findAgent(services, principal.companyId, id);
  if (found.kind === 'refused') return found;
  const agent = found.value;
  if (principal.kind === 'agent' && !isSupervisor(principal.role) && principal.agentId !== agent.id) {
    return refuse('role_required', 'Only supervisors see the state of other agents.');
  }
  if (!isWithin(await agentScopeOf(services, principal), agent.id)) return noSuchAgent;
  return ok(agentStateView(agent, await services.presence.find(principal.companyId, agent.id)));
}

/** Everyone of them who is not offline, for a supervisor's view. */
export async function listAgentStates(
  services: Pick<Services, 'agentCards' | 'presence'>,
  companyId: CompanyId,
  scope: AgentScope,
): Promise<AgentStateView[]> {
  const presences = await services.presence.list(companyId, agentsWithin(scope, null));
  const cards = await services.agentCards(
    companyId,
    presences.map(({ agentId }) => agentId),
  );
  return presences.flatMap((presence) => {
    const card = cards.get(presence.agentId);
    return card === undefined ? [] : [agentStateView(card, presence)];
  });
}
