import type { AgentStateView, ForceStateRequest } from '../../contract/agents.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type CallId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { changeLeavingCall } from '../calls/endAbandonedCall.ts';
import type { CallServices } from '../calls/callServices.ts';
import type { Services } from '../services.ts';
import { agentStateView } from '../views/agentStateView.ts';
import { findAgent } from './findAgent.ts';
import { refusedChange } from './refusedChange.ts';
import { unknownReason } from './setState.ts';

/**
 * A supervisor sets an agent's state. During a call and wrap-up the wish is kept for after, unless `force` frees
 * the agent at once: a call that lasts is then ended as failed. With `call_id` that is refused while the agent is busy
 * with another call than that one.
 */
export async function forceState(
  services: CallServices & Pick<Services, 'agents'>,
  { companyId }: Principal,
  id: string,
  body: ForceStateRequest,
): Promise<Outcome<AgentStateView>> {
  const found = await findAgent(services, companyId, id);
  if (found.kind === 'refused') return found;
  const refused = unknownReason(await services.settings(companyId), body);
  if (refused !== null) return refused;
  const agent = found.value;
  const reason = body.reason ?? (body.state === 'not_ready' ? 'supervisor' : null);
  const ask = {
    type: 'ask',
    wanted: { state: body.state, reason },
    lease: null,
    force: body.force,
    ...(body.call_id === undefined ? {} : { onlyCall: body.call_id === null ? null : toId<CallId>(body.call_id) }),
  } as const;
  const changed = await changeLeavingCall(services, companyId, agent.id, ask, 'freed_by_supervisor');
  if (changed.kind === 'changed') return ok(agentStateView(agent, changed.after));
  // Taking offline somebody who is offline is what was wished for.
  const isThere = changed.kind === 'unchanged' || (changed.current === null && body.state === 'offline');
  return isThere ? ok(agentStateView(agent, changed.current)) : refusedChange(changed, `be set ${body.state}`);
}
