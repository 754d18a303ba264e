import type { AgentStateView, ForceStateRequest } from '../../contract/agents.ts';
import { standardNotReadyReasons, type RequestableState } from '../../contract/vocabulary.ts';
import type { Principal } from '../../domain/access.ts';
import type { CompanySettings } from '../../contract/companySettings.ts';
import type { CodeWithLabel } from '../../contract/values.ts';
import { toId, type AgentId, type CallId, type CompanyId, type Lease } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import { askOwner } from '../cti/stateAtPlatform.ts';
import { changeLeavingCall } from '../calls/repair/endAbandonedCall.ts';
import type { CallServices, Services } from '../services.ts';
import { agentStateView } from '../views/agentViews.ts';
import { changePresence, refusedChange } from './changePresence.ts';
import { findShownAgent } from './findAgent.ts';

type Needs = Pick<
  Services,
  | 'agentCard'
  | 'counters'
  | 'ctiConnections'
  | 'observer'
  | 'platformAgents'
  | 'platformStates'
  | 'presence'
  | 'companyOf'
  | 'softphones'
>;

/**
 * The agent goes Ready, Not Ready (with a reason) or offline; during a call and wrap-up the request is kept for after.
 * A platform that sets the agent's state is asked, and what it then tells counts.
 */
export async function setState(
  services: Needs,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  requested: { state: RequestableState; reason?: string | undefined },
): Promise<Outcome<Presence>> {
  const refused = unknownReason((await services.companyOf(companyId)).settings, requested);
  if (refused !== null) return refused;
  const wanted = { state: requested.state, reason: requested.reason ?? null };
  const changed = await changePresence(services, companyId, agentId, { type: 'ask', wanted, lease, force: false });
  if (changed.kind === 'changed') return ok(changed.after);
  if (changed.kind === 'unchanged' && changed.current !== null) return ok(changed.current);
  return (await askOwner(services, changed, wanted)) ?? refusedChange(changed, `go ${requested.state}`);
}

/** A reason belongs to Not Ready, and is one of the standard ones or the company's own. */
export function unknownReason(
  settings: CompanySettings,
  requested: { state: RequestableState; reason?: string | undefined },
): Refused | null {
  if (requested.reason === undefined) return null;
  if (requested.state !== 'not_ready') {
    return refuse('invalid_request', 'Only not_ready takes a reason.', {
      cause: { code: 'only_with_not_ready' },
      errors: [{ path: 'reason', message: 'is for not_ready only', code: 'only_with_not_ready' }],
    });
  }
  const known = [...standardNotReadyReasons, ...settings.not_ready_reasons.map((reason) => reason.code)];
  if (known.includes(requested.reason)) return null;
  return refuse('invalid_request', 'The company has no such Not Ready reason.', {
    cause: { code: 'unknown_reason' },
    errors: [
      {
        path: 'reason',
        message: `must be one of: ${known.join(', ')}`,
        code: 'unknown_choice',
        params: { choices: known },
      },
    ],
  });
}

/** The Not Ready reasons that an agent may choose from: those of every company, then the company's own. */
export function allNotReadyReasons(settings: CompanySettings): CodeWithLabel[] {
  return [
    ...standardNotReadyReasons.map((code) => ({ code, label: code.charAt(0).toUpperCase() + code.slice(1) })),
    ...settings.not_ready_reasons,
  ];
}

/**
 * A supervisor sets an agent's state. During a call and wrap-up the request is kept for after, unless `force` frees the
 * agent at once: a call under way is then ended as failed. With `call_id` that is refused while the agent is busy with
 * another call than that one, and its second one where that is named, too.
 */
export async function forceState(
  services: CallServices &
    Pick<Services, 'agents' | 'counters' | 'ctiConnections' | 'ledAgents' | 'platformAgents' | 'platformStates'>,
  principal: Extract<Principal, { kind: 'agent' }>,
  id: string,
  body: ForceStateRequest,
): Promise<Outcome<AgentStateView>> {
  const { companyId } = principal;
  const found = await findShownAgent(services, principal, id);
  if (found.kind === 'refused') return found;
  const refused = unknownReason((await services.companyOf(companyId)).settings, body);
  if (refused !== null) return refused;
  const agent = found.value;
  const reason = body.reason ?? (body.state === 'not_ready' ? 'supervisor' : null);
  const ask = {
    type: 'ask',
    wanted: { state: body.state, reason },
    lease: null,
    force: body.force,
    ...(body.call_id === undefined ? {} : { onlyCalls: [body.call_id, body.second_call_id].flatMap(callIdsOf) }),
  } as const;
  const changed = await changeLeavingCall(services, companyId, agent.id, ask, 'freed_by_supervisor', principal.agentId);
  if (changed.kind === 'changed') return ok(agentStateView(agent, changed.after));
  // The agent is offline already, as requested.
  const isThere = changed.kind === 'unchanged' || (changed.current === null && body.state === 'offline');
  if (isThere) return ok(agentStateView(agent, changed.current));
  const asked = await askOwner(services, changed, { state: body.state, reason: body.reason ?? null });
  if (asked === null) return refusedChange(changed, `be set ${body.state}`);
  return asked.kind === 'refused' ? asked : ok(agentStateView(agent, asked.value));
}

function callIdsOf(id: string | null | undefined): CallId[] {
  return id == null ? [] : [toId<CallId>(id)];
}
