import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../contract/agents.ts';
import type { SignedInAgent } from '../../contract/auth.ts';
import { agentsWithin, type Principal } from '../../domain/access.ts';
import { type AgentId, type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { AgentChange, TakenName, UnknownTeam } from '../../ports/agents.ts';
import type { Services } from '../services.ts';
import { sipAccountChange } from '../telephony/sipAccount.ts';
import { agentView, signedInAgent } from '../views/agentViews.ts';
import { changePresence } from './changePresence.ts';
import { agentScopeOf, noSuchAgent } from './agentScope.ts';
import { findAgent, findShownAgent } from './findAgent.ts';

/** Creates an agent account. Refuses a code or address that the company already has, and teams that it has not. */
export async function createAgent(
  { agents, cipher, passwords, newId }: Pick<Services, 'agents' | 'cipher' | 'passwords' | 'newId'>,
  companyId: CompanyId,
  body: CreateAgentRequest,
): Promise<Outcome<AgentView>> {
  const id = toId<AgentId>(newId());
  const created = await agents.create(companyId, {
    id,
    agentCode: body.agent_code,
    name: body.name,
    email: body.email?.toLowerCase() ?? null,
    role: body.role,
    passwordHash: await passwords.hash(body.password),
    ledTeamIds: teamIdsOf(body.led_team_ids ?? null),
    ...sipAccountChange(cipher, companyId, id, body),
  });
  return created.kind === 'created' ? ok(agentView(created.agent)) : refusalOf(created);
}

/**
 * Changes an agent account. A new password or role, or deactivation, ends the agent's tokens and connections; a new SIP
 * account or name is told to the agent's softphone, a new name or code to the supervisors too; other teams to lead
 * count at once. An admin cannot lock out themselves.
 */
export async function updateAgent(
  services: Pick<
    Services,
    'agents' | 'agentCard' | 'cipher' | 'forget' | 'observer' | 'passwords' | 'presence' | 'softphones'
  >,
  principal: Principal,
  id: string,
  body: UpdateAgentRequest,
): Promise<Outcome<AgentView>> {
  const { companyId } = principal;
  const found = await findAgent(services, companyId, id);
  if (found.kind === 'refused') return found;
  const agent = found.value;
  const losesAdmin = body.active === false || (body.role !== undefined && body.role !== 'admin');
  if (principal.kind === 'agent' && principal.agentId === agent.id && losesAdmin) {
    return refuse('conflict', 'Admins cannot take their own rights away; another admin can.', {
      cause: { code: 'own_rights' },
    });
  }
  const revokeTokens =
    body.password !== undefined || body.active === false || (body.role !== undefined && body.role !== agent.role);
  const change: AgentChange = {
    ...(body.agent_code === undefined ? {} : { agentCode: body.agent_code }),
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.email === undefined ? {} : { email: body.email?.toLowerCase() ?? null }),
    ...(body.role === undefined ? {} : { role: body.role }),
    ...(body.active === undefined ? {} : { active: body.active }),
    ...(body.led_team_ids === undefined ? {} : { ledTeamIds: teamIdsOf(body.led_team_ids) }),
    ...(body.password === undefined ? {} : { passwordHash: await services.passwords.hash(body.password) }),
    ...sipAccountChange(services.cipher, companyId, agent.id, body),
    revokeTokens,
  };
  const updated = await services.agents.update(companyId, agent.id, change);
  if (updated.kind === 'taken' || updated.kind === 'unknown_team') return refusalOf(updated);
  if (updated.kind !== 'found') return noSuchAgent;
  services.forget(companyId);
  if (change.ledTeamIds !== undefined) services.softphones.rightsChanged(companyId);
  if (revokeTokens) services.softphones.disconnect(companyId, agent.id);
  const changesAccount = [body.name, body.sip_user, body.sip_secret].some((field) => field !== undefined);
  if (changesAccount) services.softphones.accountChanged(companyId, agent.id);
  const { agentCode, name } = updated.value;
  if (name !== agent.name || agentCode !== agent.agentCode) {
    // Not awaited: the account is changed, whether or not this message arrives.
    changePresence(services, companyId, agent.id, { type: 'rename' }).catch((error: unknown) =>
      services.observer.problem('a new name could not be told', error),
    );
  }
  return ok(agentView(updated.value));
}

/** The company's agents whom the caller sees, inactive ones too, a page at a time. */
export async function listAgents(
  services: Pick<Services, 'agents' | 'ledAgents'>,
  principal: Principal,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ agents: AgentView[]; next_cursor: string | null }> {
  const of = agentsWithin(await agentScopeOf(services, principal), null);
  const listed = await services.agents.list(principal.companyId, of, {
    cursor: page.cursor ?? null,
    limit: page.limit,
  });
  return { agents: listed.items.map(agentView), next_cursor: listed.nextCursor };
}

/** One agent account. */
export async function readAgent(
  services: Pick<Services, 'agents' | 'ledAgents'>,
  principal: Principal,
  id: string,
): Promise<Outcome<AgentView>> {
  const found = await findShownAgent(services, principal, id);
  return found.kind === 'refused' ? found : ok(agentView(found.value));
}

function teamIdsOf(given: string[] | null): TeamId[] | null {
  return given && given.map((id) => toId<TeamId>(id));
}

function refusalOf(refused: TakenName | UnknownTeam): Refused {
  if (refused.kind === 'unknown_team') {
    return refuse('invalid_request', 'The company has no such team.', {
      errors: [{ path: `led_team_ids.${refused.place}`, message: 'is none of the company', code: 'not_of_company' }],
    });
  }
  const { field } = refused;
  return refuse('conflict', `Another agent of the company has this ${field}.`, {
    errors: [{ path: field, message: 'is taken', code: 'taken' }],
  });
}

/** The agent whom the token belongs to. */
export async function readMe(
  services: Pick<Services, 'agents' | 'companyOf'>,
  principal: Principal,
): Promise<Outcome<SignedInAgent>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an agent.');
  const [agent, company] = await Promise.all([
    findAgent(services, principal.companyId, principal.agentId),
    services.companyOf(principal.companyId),
  ]);
  return agent.kind === 'refused' ? agent : ok(signedInAgent(agent.value, company));
}
