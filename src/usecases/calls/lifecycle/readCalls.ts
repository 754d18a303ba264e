import type { z } from 'zod';
import type { CallSummary, CallView, listCallsQuery } from '../../../contract/calls.ts';
import { maySeeCallOf, type Principal } from '../../../domain/access.ts';
import { toId, type AgentId, type CallId } from '../../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../../domain/outcome.ts';
import type { CallFilter } from '../../../ports/calls.ts';
import { readPhone } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';
import { callSummary, writtenCall } from '../../views/callView.ts';

type Query = z.output<typeof listCallsQuery>;

/** Calls of the company, newest first; agents see only their own. */
export async function listCalls(
  services: Pick<Services, 'calls' | 'settings'>,
  principal: Principal,
  query: Query,
): Promise<Outcome<{ calls: CallSummary[]; next_cursor: string | null }>> {
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
  };
  if (query.phone !== undefined) {
    const phone = await readPhone(services, companyId, query.phone);
    if (phone.kind === 'refused') return phone;
    filter.phone = phone.value;
  }
  const page = await services.calls.list(companyId, filter, { cursor: query.cursor ?? null, limit: query.limit });
  return ok({ calls: page.items.map(callSummary), next_cursor: page.nextCursor });
}

/** One call; agents see only their own. */
export async function readCall(
  { calls }: Pick<Services, 'calls'>,
  principal: Principal,
  id: string,
): Promise<Outcome<CallView>> {
  const found = await calls.find(principal.companyId, toId<CallId>(id));
  if (found.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (found.kind === 'unknown' || !maySeeCallOf(principal, found.value.agentId)) {
    return refuse('not_found', 'There is no such call.');
  }
  return ok(writtenCall(found.value));
}
