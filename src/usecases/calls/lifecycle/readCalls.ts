import type { CallList, CallView, Conversation, ListCallsQuery } from '../../../contract/calls.ts';
import { agentsWithin, isWithin, type Principal } from '../../../domain/access.ts';
import type { Call } from '../../../domain/calls.ts';
import { foldName } from '../../../domain/company.ts';
import { toId, type AgentId, type CallId, type CompanyId, type TeamId } from '../../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../../domain/outcome.ts';
import { otherSpelling } from '../../../domain/phones/phoneSpellings.ts';
import { searchedNumbers } from '../../../domain/phones/searchedNumbers.ts';
import type { CallFilter } from '../../../ports/calls.ts';
import { agentScopeOf } from '../../agents/agentScope.ts';
import { readPhone } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';
import { callSummary, recordOf, writtenCall } from '../../views/callView.ts';

/** Calls of the agents whom the caller sees, newest first. */
export async function listCalls(
  services: Pick<Services, 'agentCards' | 'calls' | 'ledAgents' | 'companyOf' | 'teams'>,
  principal: Principal,
  query: ListCallsQuery,
): Promise<Outcome<CallList>> {
  const { companyId } = principal;
  const filter = await filterOf(services, principal, query);
  if (filter.kind === 'refused') return filter;
  const page = await services.calls.list(companyId, filter.value, { cursor: query.cursor ?? null, limit: query.limit });
  return ok({
    calls: page.items.map(callSummary),
    agents: await agentsOf(services, companyId, page.items),
    next_cursor: page.nextCursor,
  });
}

/**
 * The conversation that a call is of, from the call that began it: those of colleagues to whom it was handed on,
 * or who were asked, as far as the caller sees them. Refuses with `not_found` and `wrong_company`.
 */
export async function readConversation(
  services: Pick<Services, 'agentCards' | 'calls' | 'ledAgents'>,
  principal: Principal,
  id: CallId,
): Promise<Outcome<Conversation>> {
  const found = await findCall(services, principal, id);
  if (found.kind === 'refused') return found;
  const scope = await agentScopeOf(services, principal);
  const calls = (await services.calls.conversation(principal.companyId, id)).filter(({ agentId }) =>
    isWithin(scope, agentId),
  );
  return ok({
    calls: calls.map((call) => callSummary({ ...call, customerName: call.screenPop?.name ?? null, ...recordOf(call) })),
    agents: await agentsOf(services, principal.companyId, calls),
  });
}

async function agentsOf(
  { agentCards }: Pick<Services, 'agentCards'>,
  companyId: CompanyId,
  calls: readonly Pick<Call, 'agentId'>[],
): Promise<CallList['agents']> {
  const cards = await agentCards(companyId, [...new Set(calls.map(({ agentId }) => agentId))]);
  return [...cards.values()].map(({ id, name, agentCode }) => ({ id, name, agent_code: agentCode }));
}

/** Which calls those are. Refuses with `role_required` and `invalid_phone`. */
export async function filterOf(
  services: Pick<Services, 'ledAgents' | 'companyOf' | 'teams'>,
  principal: Principal,
  query: Omit<ListCallsQuery, 'cursor' | 'limit'>,
): Promise<Outcome<CallFilter>> {
  const { companyId } = principal;
  const scope = await agentScopeOf(services, principal);
  const asked = query.agent_id === undefined ? null : toId<AgentId>(query.agent_id);
  if (asked !== null && !isWithin(scope, asked) && principal.kind === 'agent' && principal.role === 'agent') {
    return refuse('role_required', 'An agent may list the own calls only.');
  }
  // Of a team that the company has not nobody is, as of an agent who is not seen.
  const team =
    query.team_id === undefined
      ? null
      : ((await services.teams.find(companyId, toId<TeamId>(query.team_id)))?.agentIds ?? []);
  const agentIds = agentsWithin(
    scope,
    asked === null ? team : [asked].filter((agentId) => team === null || team.includes(agentId)),
  );
  const filter: CallFilter = {
    ...(agentIds === null ? {} : { agentIds }),
    ...(query.sip_call_id === undefined ? {} : { sipCallId: query.sip_call_id }),
    ...(query.state === undefined ? {} : { state: query.state }),
    ...(query.direction === undefined ? {} : { direction: query.direction }),
    ...(query.end_reason === undefined ? {} : { endReason: query.end_reason }),
    ...(query.result === undefined ? {} : { result: query.result }),
    ...(query.disposition === undefined ? {} : { dispositionCode: query.disposition }),
    ...(query.tag === undefined ? {} : { tag: foldName(query.tag) }),
    ...(query.since === undefined ? {} : { since: new Date(query.since) }),
    ...(query.until === undefined ? {} : { until: new Date(query.until) }),
  };
  if (query.phone !== undefined) {
    const phone = await readPhone(services, companyId, query.phone);
    if (phone.kind === 'refused') return phone;
    filter.phones = [phone.value, otherSpelling(phone.value)].filter((one) => one !== null);
  }
  const words = query.q?.trim() ?? '';
  if (words !== '') {
    filter.text = { words, numbers: searchedNumbers(words, (await services.companyOf(companyId)).defaultCountry) };
  }
  return ok(filter);
}

/** One call. */
export async function readCall(
  services: Pick<Services, 'calls' | 'ledAgents'>,
  principal: Principal,
  id: string,
): Promise<Outcome<CallView>> {
  const found = await findCall(services, principal, toId<CallId>(id));
  return found.kind === 'refused' ? found : ok(writtenCall(found.value));
}

/** A call of an agent whom the caller sees. Refuses with `not_found` and `wrong_company`. */
export async function findCall(
  services: Pick<Services, 'calls' | 'ledAgents'>,
  principal: Principal,
  id: CallId,
): Promise<Outcome<Call>> {
  const found = await services.calls.find(principal.companyId, id);
  if (found.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (found.kind === 'unknown' || !isWithin(await agentScopeOf(services, principal), found.value.agentId))
    return refuse('not_found', 'There is no such call.');
  return ok(found.value);
}
