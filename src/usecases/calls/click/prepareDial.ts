import type { ClickToAccountRequest } from '../../../contract/clickToDial.ts';
import { isWithin, ledTeamsOf, type Principal } from '../../../domain/access.ts';
import { toId, type AgentId } from '../../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../../domain/outcome.ts';
import type { Agent } from '../../../ports/agents.ts';
import { agentScopeOf, noSuchAgent } from '../../agents/agentScope.ts';
import { membersOfTeam } from '../../agents/manageTeams.ts';
import { scopeOf } from '../../contacts/contactScope.ts';
import { readCallerId } from '../../dialing/callerId.ts';
import { mayDialNumber } from '../../dialing/mayDialNumber.ts';
import { chooseNamed } from '../../screenPops/chosenRecord.ts';
import { atPhoneNumber, composeScreenPop, readLine } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';
import { referencesOf } from '../lifecycle/newCall.ts';
import type { OfferedDial } from './attemptDial.ts';

/**
 * What is read before the claim: the agent (null: whoever is idle longest),
 * among whom another is chosen (null: among all), and the record to show.
 */
export async function prepareDial(
  services: Pick<
    Services,
    'agents' | 'contacts' | 'crmLookup' | 'doNotDial' | 'ledAgents' | 'newId' | 'screenPops' | 'companyOf' | 'teams'
  >,
  principal: Principal,
  body: ClickToAccountRequest,
): Promise<Outcome<{ chosen: AgentId | null; among: readonly AgentId[] | null; offered: OfferedDial }>> {
  const { companyId } = principal;
  const read = await readLine(services, companyId, body.phone_number);
  if (read.kind === 'refused') return atPhoneNumber(read);
  const { phone, otherwise } = read.value;
  const callerId = await readCallerId(services, companyId, body.caller_id);
  if (callerId.kind === 'refused') return callerId;
  const chosen = await chooseAgent(services, principal, body);
  if (chosen.kind === 'refused') return chosen;
  const among = await agentsToChooseFrom(services, principal, body.team_code);
  if (among.kind === 'refused') return among;
  const references = referencesOf(body);
  const named =
    references.contactId === null ? null : { id: references.contactId, scope: await scopeOf(services, principal) };
  const [allowed, composed] = await Promise.all([
    mayDialNumber(services, { principal, phone, named, isOverridden: body.override_do_not_call === true }),
    composeScreenPop(services, companyId, phone, body.screen_pop, {
      contact: named,
      externalId: references.externalId,
    }),
  ]);
  if (allowed.kind === 'refused') return allowed;
  const pop = { ...composed, screenPop: chooseNamed(composed.screenPop, references.externalId) };
  return ok({
    chosen: chosen.value,
    among: among.value,
    offered: { phone, otherwise, callerId: callerId.value, pop, references, override: allowed.value },
  });
}

/** Those of the team, or all whom the caller sees. Null: all of the company. */
async function agentsToChooseFrom(
  services: Pick<Services, 'ledAgents' | 'teams'>,
  principal: Principal,
  teamCode: string | undefined,
): Promise<Outcome<readonly AgentId[] | null>> {
  const led = ledTeamsOf(principal);
  if (teamCode !== undefined) return membersOfTeam(services, principal.companyId, led, teamCode);
  return ok(led === null ? null : await services.ledAgents(principal.companyId, led));
}

/** Whom a click is for: the named agent, the calling agent, or null for whoever is idle longest. */
async function chooseAgent(
  services: Pick<Services, 'agents' | 'ledAgents'>,
  principal: Principal,
  body: ClickToAccountRequest,
): Promise<Outcome<AgentId | null>> {
  const named = await namedAgent(services, principal, body);
  if (named.kind === 'refused') return named;
  const callerId = principal.kind === 'agent' && principal.role === 'agent' ? principal.agentId : null;
  const chosen = named.value ?? callerId;
  if (chosen !== null && !isWithin(await agentScopeOf(services, principal), chosen)) {
    return callerId === null
      ? noSuchAgent
      : refuse('role_required', "An agent's token may dial only from that agent's own softphone.");
  }
  if (callerId !== null && body.fallback === 'any') {
    return refuse('role_required', "An agent's token may not let the call fall back to other agents.");
  }
  return ok(chosen);
}

async function namedAgent(
  { agents }: Pick<Services, 'agents'>,
  { companyId }: Principal,
  body: ClickToAccountRequest,
): Promise<Outcome<AgentId | null>> {
  const byId = body.agent_id === undefined ? null : await agents.find(companyId, toId(body.agent_id));
  if (byId?.kind === 'wrong_company') return refuse('wrong_company', 'That agent belongs to another company.');
  if (byId?.kind === 'unknown') return noSuchAgent;
  const byCode = body.agent_code === undefined ? null : await agents.findByCode(companyId, body.agent_code);
  if (body.agent_code !== undefined && byCode === null) return noSuchAgent;
  const found: Agent[] = [byId?.kind === 'found' ? byId.value : null, byCode].filter((agent) => agent !== null);
  if (found.some((agent) => !agent.active)) return noSuchAgent;
  if (found.length === 2 && found[0]?.id !== found[1]?.id) {
    return refuse('invalid_request', 'agent_id and agent_code name two different agents.', {
      errors: [{ path: 'agent_code', message: 'is not the code of agent_id', code: 'other_agent' }],
    });
  }
  return ok(found[0]?.id ?? null);
}
