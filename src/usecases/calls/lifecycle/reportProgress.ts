import { asksForWrapUp, rangInVain } from '../../../contract/callRules.ts';
import type { CallQuality } from '../../../contract/calls.ts';
import type {
  CallState,
  EndedBy,
  EndReason,
  ReportableCallState,
  ReportedEndDetail,
} from '../../../contract/vocabulary.ts';
import { type Call, type CallDecision, type CallReport, courseOf, reportCall } from '../../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, type Lease, toId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, unreachable } from '../../../domain/outcome.ts';
import { isAtCall, isBusyHere, type Presence, type PresenceCommand } from '../../../domain/presence.ts';
import { changePresenceInTurn } from '../../agents/changePresence.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { CallServices, Services } from '../../services.ts';
import { readEnd } from '../../screenPops/lookUp.ts';
import { decideAndRelease } from '../click/dialFate.ts';
import { mayBeConsultation, noteHandOver, wasConsultation } from '../transfer/consultations.ts';
import { addEvents, changeCall } from './changeCall.ts';

export type ProgressReport = {
  callId: CallId;
  state: ReportableCallState;
  endReason?: EndReason | undefined;
  endedBy?: EndedBy | undefined;
  sipCode?: number | undefined;
  /** Kept where the call has none. */
  sipCallId?: string | undefined;
  endDetail?: ReportedEndDetail | undefined;
  /** Of end reason `transferred`: to whom, in any spelling. */
  transferredTo?: string | undefined;
  quality?: CallQuality | undefined;
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
  const changed = await applyReport(
    services,
    companyId,
    report.callId,
    await withReadTarget(services, companyId, report),
    agentId,
  );
  if (changed.kind === 'refused') {
    // A database failover may have lost the record; the agent must not stay on the call for ever.
    if (changed.code === 'not_found' && report.state === 'ended' && isAtCall(presence, report.callId)) {
      await decideAndRelease(services, { companyId, agentId, callId: report.callId });
    }
    return changed;
  }
  if (changed.value.endReason === 'transferred') await noteHandOver(services, changed.value);
  // The report is recorded; retry until the agent's presence follows, in case the presence store is away.
  await retryUntilSuccess(services, 'an agent could not be brought in line with the call', () =>
    followCall(services, changed.value, presence),
  );
  return changed;
}

/**
 * The same report with whom the call was handed on to as E.164,
 * or in one line as it was dialed where that is no such number.
 */
async function withReadTarget(
  services: CallServices,
  companyId: CompanyId,
  report: ProgressReport,
): Promise<ProgressReport> {
  if (report.transferredTo === undefined) return report;
  return { ...report, transferredTo: (await readEnd(services, companyId, report.transferredTo)) ?? undefined };
}

/**
 * Writes a report to the call.
 * @param by the agent whose call it must be
 * @param only.from the state that it must be in
 */
export async function applyReport(
  services: CallServices,
  companyId: CompanyId,
  callId: CallId,
  report: CallReport,
  by: AgentId,
  only: { from?: CallState } = {},
): Promise<Outcome<Call>> {
  const apply = (told: CallReport | null) =>
    changeCall(
      services,
      companyId,
      callId,
      (call, context) => {
        // What a platform has is not for a softphone to report.
        if (call.agentId !== by || call.platform !== null) return { kind: 'kept', why: 'not_theirs' as const };
        if (only.from !== undefined && call.state !== only.from) return { kind: 'kept', why: 'refused' as const };
        if (told === null && mayBeConsultation(call, report)) return { kind: 'kept', why: 'of_a_transfer' as const };
        const decision = reportCall(call, told ?? report, context.at);
        if (decision.kind !== 'changed') return { kind: 'kept', why: decision.kind };
        const step =
          report.freedBy === undefined ? null : ({ step: 'freed', at: context.at, by: report.freedBy } as const);
        return { kind: 'changed', ...addEvents(services, decision.next, eventsOf(decision), context), step };
      },
      'recalled',
    );
  let changed = await apply(null);
  if (changed.kind === 'found' && changed.value.kind === 'kept' && changed.value.why === 'of_a_transfer') {
    changed = await apply(
      (await wasConsultation(services, changed.value.call)) ? { ...report, endDetail: 'consulted' } : report,
    );
  }
  if (changed.kind === 'wrong_company') return refuse('wrong_company', 'That call belongs to another company.');
  if (changed.kind === 'unknown') return refuse('not_found', 'There is no such call.');
  if (changed.value.kind === 'changed') {
    const { call } = changed.value;
    if (call.transferredFrom !== null && call.endReason !== null) {
      services.softphones.transferEnded(companyId, toId(call.transferredFrom.agent_id), {
        call_id: callId,
        end_reason: call.endReason,
      });
    }
    return ok(call);
  }
  switch (changed.value.why) {
    case 'unchanged':
      return ok(changed.value.call);
    case 'not_theirs':
      return refuse('not_found', 'This agent has no such call.');
    case 'of_a_transfer':
      throw new Error('whose call it was has been looked up');
    case 'refused':
      return refuse('conflict', `The call is ${changed.value.call.state}; it cannot become ${report.state}.`, {
        cause: { code: 'call_state', params: { state: changed.value.call.state } },
      });
    default:
      return unreachable(changed.value.why);
  }
}

/**
 * The events that a change of a call announces. A recorded call has announced its start,
 * so its end is announced too, dialed or not.
 */
function eventsOf({
  next,
  answered,
}: Extract<CallDecision, { kind: 'changed' }>): ('call_answered' | 'call_transferred' | 'call_ended')[] {
  if (next.state === 'ended')
    return next.endReason === 'transferred' ? ['call_transferred', 'call_ended'] : ['call_ended'];
  return answered ? ['call_answered'] : [];
}

/**
 * Makes the agent's presence follow the call; does nothing where it does already.
 * @param known the presence as it was read before
 */
async function followCall(services: CallServices, call: Call, known: Presence): Promise<void> {
  await changePresenceInTurn(
    services,
    call.companyId,
    call.agentId,
    await presenceCommandsFor(services, call, call.id),
    known,
  );
}

/** Makes an agent's presence follow the recorded calls, after a crash or a race. */
export async function followStoredCalls(services: CallServices, presence: Presence): Promise<void> {
  const { companyId, agentId, state, callId, expiresAt, second } = presence;
  if (state !== 'on_call' || callId === null || !isBusyHere(presence)) return;
  // The second one first: nothing but its own end is changed by it.
  for (const id of [second?.callId, callId]) {
    if (id === undefined) continue;
    const found = await services.calls.find(companyId, id);
    if (found.kind === 'found') await followCall(services, found.value, presence);
    // It was known to be recorded, where the first one was.
    else if (expiresAt === null) await decideAndRelease(services, { companyId, agentId, callId: id });
  }
}

async function presenceCommandsFor(
  { companyOf }: Pick<Services, 'companyOf'>,
  call: Call,
  callId: CallId,
): Promise<PresenceCommand[]> {
  if (call.state === 'connected' || call.state === 'held') {
    return call.direction === 'inbound' ? [{ type: 'answer', callId }] : [];
  }
  if (call.state !== 'ended') return [];
  const course = courseOf(call);
  const wrapUpSeconds = asksForWrapUp(course) ? (await companyOf(call.companyId)).settings.wrap_up_seconds : 0;
  const endCall = { type: 'end_call', callId, wrapUpMs: wrapUpSeconds * 1000 } as const;
  // A restored agent is on_call even of a ring, so the end of the call follows.
  return rangInVain(course) ? [afterRing(call.endReason, callId), endCall] : [endCall];
}

/** Where the agent goes after an unanswered ring depends on who ended it. */
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
