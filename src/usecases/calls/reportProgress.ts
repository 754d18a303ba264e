import type { EndedBy, EndReason, ReportableCallState } from '../../contract/vocabulary.ts';
import type { PresenceCommand } from '../../domain/presenceCommands.ts';
import { reportCall, type Call, type CallReport } from '../../domain/calls.ts';
import type { AgentId, CallId, CompanyId, Lease } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import { unreachable } from '../../domain/unreachable.ts';
import { changePresence } from '../agents/changePresence.ts';
import { insist } from '../insist.ts';
import type { Services } from '../services.ts';
import { addEvent } from './callEvents.ts';
import type { CallServices } from './callServices.ts';
import { changeCall } from './changeCall.ts';

export type ProgressReport = {
  callId: CallId;
  state: ReportableCallState;
  endReason?: EndReason | undefined;
  endedBy?: EndedBy | undefined;
  sipCode?: number | undefined;
};

/**
 * A softphone reports how its call goes. The call is changed first, then the agent; the same report again does
 * what is still missing, so a softphone may repeat a report whose answer it did not get.
 * @param lease must be that of the session that owns the agent's softphone
 */
export async function reportProgress(
  services: CallServices,
  companyId: CompanyId,
  agentId: AgentId,
  lease: Lease,
  report: ProgressReport,
): Promise<Outcome<Call>> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  // A quick softphone may report before its dial is recorded.
  await services.dialsUnderWay.get(report.callId)?.catch(() => undefined);
  const changed = await applyReport(services, companyId, report.callId, report, agentId);
  if (changed.kind === 'refused') return changed;
  // The report is recorded; the agent must not stay behind because the presence store is away for a moment.
  await insist(services, 'an agent could not be brought in line with the call', () => followCall(services, changed.value));
  return changed;
}

/** Writes a report to the call. `by`: the agent whose call it must be. */
export async function applyReport(
  services: CallServices,
  companyId: CompanyId,
  callId: CallId,
  report: CallReport,
  by: AgentId,
): Promise<Outcome<Call>> {
  const changed = await changeCall(services, companyId, callId, (call, context) => {
    if (call.agentId !== by) return { kind: 'kept', why: 'not_theirs' as const };
    const decision = reportCall(call, report, context.at);
    if (decision.kind !== 'changed') return { kind: 'kept', why: decision.kind };
    if (!decision.answered) return { kind: 'changed', call: decision.next, events: [] };
    const { call: next, event } = addEvent(services, decision.next, 'call_answered', context);
    return { kind: 'changed', call: next, events: [event] };
  });
  if (changed.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (changed.kind === 'unknown') return refuse('not_found', 'There is no such call.');
  if (changed.value.kind === 'changed') return ok(changed.value.call);
  switch (changed.value.why) {
    case 'unchanged':
      return ok(changed.value.call);
    case 'not_theirs':
      return refuse('not_found', 'This agent has no such call.');
    case 'refused':
      return refuse('conflict', `The call is ${changed.value.call.state}; it cannot become ${report.state}.`);
    default:
      return unreachable(changed.value.why);
  }
}

/** Brings the agent's presence in line with the call; does nothing where it is so already. */
async function followCall(services: CallServices, call: Call): Promise<void> {
  const { companyId, agentId, id: callId } = call;
  for (const command of await presenceCommandsFor(services, call, callId)) {
    await changePresence(services, companyId, agentId, command);
  }
}

/** Brings an agent in line with the call that the durable record has; for agents left behind by a crash or a race. */
export async function followStoredCall(services: CallServices, { companyId, state, callId }: Presence): Promise<void> {
  if (state !== 'on_call' || callId === null) return;
  const found = await services.calls.find(companyId, callId);
  if (found.kind === 'found') await followCall(services, found.value);
}

async function presenceCommandsFor(
  { settings }: Pick<Services, 'settings'>,
  call: Call,
  callId: CallId,
): Promise<PresenceCommand[]> {
  if (call.state === 'connected' || call.state === 'held') {
    return call.direction === 'inbound' ? [{ type: 'answer', callId }] : [];
  }
  if (call.state !== 'ended') return [];
  const { wrapUpSeconds } = await settings(call.companyId);
  const endCall = { type: 'end_call', callId, wrapUpMs: wrapUpSeconds * 1000 } as const;
  const rangInVain = call.direction === 'inbound' && call.answeredAt === null;
  // A restored agent is on_call even of a ring, so the end of the call follows.
  return rangInVain ? [afterRing(call.endReason, callId), endCall] : [endCall];
}

/** Whose doing it was that a ring was not answered decides where the agent goes. */
function afterRing(endReason: EndReason | null, callId: CallId): PresenceCommand {
  switch (endReason) {
    case 'rejected':
      return { type: 'miss_ring', callId, reason: 'rejected' };
    case 'canceled':
    case 'failed':
    case 'busy':
      return { type: 'cancel', callId };
    default:
      return { type: 'miss_ring', callId, reason: 'no_answer' };
  }
}
