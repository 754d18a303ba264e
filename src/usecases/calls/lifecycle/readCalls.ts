import type { CallList, CallView, ListCallsQuery } from '../../../contract/calls.ts';
import { maySeeCallOf, type Principal } from '../../../domain/access.ts';
import type { Call } from '../../../domain/calls.ts';
import { toId, type AgentId, type CallId, type TeamId } from '../../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../../domain/outcome.ts';
import type { CallFilter } from '../../../ports/calls.ts';
import { readPhone } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';
import { callSummary, writtenCall } from '../../views/callView.ts';

/** Calls of the company, newest first; agents see only their own. */
export async function listCalls(
  services: Pick<Services, 'agentCards' | 'calls' | 'settings' | 'teams'>,
  principal: Principal,
  query: ListCallsQuery,
): Promise<Outcome<CallList>> {
  const { companyId } = principal;
  const filter = await filterOf(services, principal, query);
  if (filter.kind === 'refused') return filter;
  const page = await services.calls.list(companyId, filter.value, { cursor: query.cursor ?? null, limit: query.limit });
  const cards = await services.agentCards(companyId, [...new Set(page.items.map(({ agentId }) => agentId))]);
  const agents = [...cards.values()].map(({ id, name, agentCode }) => ({ id, name, agent_code: agentCode }));
  return ok({ calls: page.items.map(callSummary), agents, next_cursor: page.nextCursor });
}

/** Which calls those are. Refuses with `role_required` and `invalid_phone`. */
export async function filterOf(services: Pick<Services, 'settings' | 'teams'>, principal: Principal, query: Omit<ListCallsQuery, 'cursor' | 'limit'>): Promise<Outcome<CallFilter>> {
  const { companyId } = principal;
  const own = principal.kind === 'agent' && principal.role === 'agent' ? principal.agentId : null;
  const asked = query.agent_id === undefined ? null : toId<AgentId>(query.agent_id);
  if (own !== null && asked !== null && asked !== own) {
    return refuse('role_required', 'An agent may list the own calls only.');
  }
  const agentId = own ?? asked;
  const filter: CallFilter = {
    ...(agentId === null ? {} : { agentId }),
    ...(query.state === undefined ? {} : { state: query.state }),
    ...(query.direction === undefined ? {} : { direction: query.direction }),
    ...(query.end_reason === undefined ? {} : { endReason: query.end_reason }),
    ...(query.disposition === undefined ? {} : { dispositionCode: query.disposition }),
    ...(query.since === undefined ? {} : { since: new Date(query.since) }),
    ...(query.until === undefined ? {} : { until: new Date(query.until) }),
  };
  // None of the company: nobody is in it.
  if (query.team_id !== undefined) filter.agentIds = (await services.teams.find(companyId, toId<TeamId>(query.team_id)))?.agentIds ?? [];
  if (query.phone !== undefined) {
    const phone = await readPhone(services, companyId, query.phone);
    if (phone.kind === 'refused') return phone;
    filter.phone = phone.value;
  }
  return ok(filter);
}

/** One call; agents see only their own. */
export async function readCall(
  { calls }: Pick<Services, 'calls'>,
  principal: Principal,
  id: string,
): Promise<Outcome<CallView>> {
  const found = await findCall({ calls }, principal, toId<CallId>(id));
  return found.kind === 'refused' ? found : ok(writtenCall(found.value));
}

/** A call that the caller may see. Refuses with `not_found` and `wrong_company`. */
export async function findCall({ calls }: Pick<Services, 'calls'>, principal: Principal, id: CallId): Promise<Outcome<Call>> {
  const found = await calls.find(principal.companyId, id);
  if (found.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (found.kind === 'unknown' || !maySeeCallOf(principal, found.value.agentId)) return refuse('not_found', 'There is no such call.');
  return ok(found.value);
}
