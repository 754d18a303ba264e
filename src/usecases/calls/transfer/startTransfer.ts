import type { ClientAnswers } from '../../../contract/socket.ts';
import type { Call } from '../../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, type Lease, toId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { membersOfTeam } from '../../agents/manageTeams.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { CallServices, Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';
import { agentNotReady, claimAgent, leastOfferMs } from '../click/claimAgent.ts';
import { dialEndings, tooSlow } from '../click/dialEndings.ts';
import { endDial } from '../click/dialFate.ts';
import { endUndialed } from '../repair/endAbandonedCall.ts';
import { extensionOf, extensionsOf } from '../../telephony/extensions.ts';
import { attemptTransfer } from './attemptTransfer.ts';
import { cancelRinging } from './cancelTransfer.ts';

/** Within this time a colleague is reserved, or nobody is. Milliseconds. */
const deadlineMs = 5_000;

export type TransferNeeds = CallServices &
  Pick<Services, 'agents' | 'demoCarrier' | 'teams' | 'telephony' | 'unansweredClaims'>;
type Caller = { companyId: CompanyId; agentId: AgentId; lease: Lease };
/** At most one of both; neither: whoever is idle longest. */
export type TransferTarget = { agent_id?: string | undefined; team_code?: string | undefined };
export type StartedTransfer = ClientAnswers['start_transfer'];

/**
 * Reserves a Ready colleague for a call that an agent hands on, or wants to ask about first, by the claim, offer and
 * confirmation of a click (docs/decisions/0054): the colleague's softphone shows the customer before it rings. Then it
 * is for the agent's softphone to call them. The colleague's call is recorded as `ringing`, with the agent's call as
 * its parent.
 */
export async function startTransfer(
  services: TransferNeeds,
  caller: Caller,
  callId: CallId,
  target: TransferTarget,
): Promise<Outcome<StartedTransfer>> {
  const { companyId, agentId } = caller;
  const deadline = services.clock.now() + deadlineMs;
  const prepared = await withDeadline(services.clock, deadline, prepare(services, caller, callId, target));
  if (prepared === null) return tooSlow;
  if (prepared.kind === 'refused') return prepared;
  const { call, extensions, named } = prepared.value;
  // One list for the whole attempt, and the same for all transfers: whoever is not asked is no other list.
  const among = [...extensions.keys()];
  const asked = new Set<AgentId>();
  while (services.clock.now() + leastOfferMs <= deadline) {
    const whom = named === null ? { among, except: [agentId, ...asked] } : { agentId: named };
    const claim = await claimAgent(services, companyId, whom, deadline - leastOfferMs);
    if (claim.kind === 'claim_too_late') return tooSlow;
    if (claim.kind !== 'claimed') break;
    const { claimed } = claim;
    asked.add(claimed.agentId);
    const attempt = attemptTransfer(services, claimed, { call, deadline });
    services.dialsUnderWay.set(claimed.callId, attempt);
    const attempted = await attempt.finally(() => services.dialsUnderWay.delete(claimed.callId));
    switch (attempted.ending) {
      case 'recorded': {
        const { call: theirs, agent } = attempted;
        services.wakeDispatcher(companyId);
        services.softphones.callChanged(companyId, claimed.agentId, callView(theirs));
        return ok({
          call_id: theirs.id,
          agent: { id: agent.id, agent_code: agent.agentCode, name: agent.name },
          extension: extensions.get(agent.id) ?? '',
        });
      }
      case 'unknown':
        // Nobody calls them: where it was recorded after all, it ends.
        void retryUntilSuccess(services, 'what became of a transfer could not be found out', () =>
          endUndialed(services, claimed),
        );
        return tooSlow;
      case 'unable':
        await withDeadline(services.clock, deadline, endDial(services, claimed, 'claim_too_late'));
        break;
      default: {
        const ended = endDial(services, claimed, attempted.ending);
        if (attempted.error !== undefined) throw attempted.error;
        await withDeadline(services.clock, deadline, ended);
        const { click } = dialEndings[attempted.ending];
        if (click !== 'next_agent') return click;
      }
    }
    if (named !== null) break;
  }
  if (named !== null) return agentNotReady(await services.presence.find(companyId, named));
  return refuse('no_ready_agent', 'No colleague who could take the call is Ready.', { retryAfterSeconds: 2 });
}

type Prepared = {
  call: Call;
  /** Of whom may be asked. */
  extensions: ReadonlyMap<AgentId, string>;
  named: AgentId | null;
};

async function prepare(
  services: TransferNeeds,
  { companyId, agentId, lease }: Caller,
  callId: CallId,
  target: TransferTarget,
): Promise<Outcome<Prepared>> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  const conversation = await services.calls.conversation(companyId, callId);
  const call = conversation.find(({ id }) => id === callId);
  if (call === undefined || call.agentId !== agentId || call.platform !== null)
    return refuse('not_found', 'This agent has no such call.');
  if (call.state !== 'connected' && call.state !== 'held') {
    return refuse('conflict', `The call is ${call.state}; it cannot be handed on.`, {
      cause: { code: 'call_state', params: { state: call.state } },
    });
  }
  const callable = await whoMayBeAsked(services, companyId, agentId, target);
  if (callable.kind === 'refused') return callable;
  for (const other of conversation) {
    if (other.parentCallId !== callId || other.state === 'ended') continue;
    // A softphone that asks again has lost the answer to its first question.
    if (!(await cancelRinging(services, other))) {
      return refuse('conflict', 'A colleague is being asked about this call already.', {
        cause: { code: 'transfer_under_way' },
      });
    }
  }
  return ok({ call, ...callable.value });
}

async function whoMayBeAsked(
  services: Pick<Services, 'agents' | 'demoCarrier' | 'teams' | 'telephony'>,
  companyId: CompanyId,
  agentId: AgentId,
  { agent_id: id, team_code: team }: TransferTarget,
): Promise<Outcome<Omit<Prepared, 'call'>>> {
  if (id !== undefined) {
    const found = await services.agents.find(companyId, toId<AgentId>(id));
    if (found.kind === 'wrong_company') return refuse('wrong_company', 'That agent belongs to another company.');
    if (found.kind === 'unknown' || !found.value.active || found.value.role === 'dialer')
      return refuse('unknown_agent', 'The company has no such agent.');
    const { id: named, name } = found.value;
    if (named === agentId)
      return refuse('conflict', 'The call is with that agent already.', { cause: { code: 'transfer_to_oneself' } });
    const extension = await extensionOf(services, found.value);
    if (extension === null) {
      return refuse('conflict', `${name} has no account at the PBX.`, {
        cause: { code: 'no_extension', params: { name } },
      });
    }
    return ok({ extensions: new Map([[named, extension]]), named });
  }
  const all = await extensionsOf(services, companyId);
  if (team === undefined) return ok({ extensions: all, named: null });
  // Of any team, also a supervisor of some: colleagues are seen by everybody.
  const members = await membersOfTeam(services, companyId, null, team);
  if (members.kind === 'refused') return members;
  const inTeam = new Set(members.value);
  return ok({ extensions: new Map([...all].filter(([one]) => inTeam.has(one))), named: null });
}
