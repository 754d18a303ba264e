import type { Softphone } from '../../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import type { VoiceTrouble } from '../../lib/sip/phoneCall.ts';
import { callingEnd } from '../../shared/otherEnd.ts';
import {
  isBeingRecovered,
  isIncoming,
  isTalk,
  sessionOf,
  silent,
  type CallSession,
  type CallState,
} from './call/callState.ts';
import type { PhoneManager } from './phoneManager.ts';
import type { ProgressReports } from './progressReports.ts';
import type { OtherCall, WorkplaceView } from './workplace.ts';

type Parts = {
  softphone: Pick<Softphone, 'agent' | 'call' | 'dueTasks' | 'pop' | 'popOf' | 'line' | 'unreadMessages'>;
  /** In front, and behind it. */
  call: CallState;
  behind: CallState;
  /** The agent is about to talk in the call behind. */
  isTurning: boolean;
  phones: Pick<PhoneManager, 'settings' | 'line' | 'can'>;
  reports: Pick<ProgressReports, 'endOf' | 'isBehind'>;
};

/**
 * What an agent sees of the parts of a workplace.
 * @param clockOffsetMs what the gateway's clock is ahead of this machine's
 */
export function selectView(
  parts: Parts,
  told: Pick<WorkplaceView, 'refusal' | 'notice'>,
  clockOffsetMs: number,
): Omit<WorkplaceView, 'listeners' | 'reservedColleague' | 'turnedAway'> {
  const { softphone, call: state, behind, isTurning, phones, reports } = parts;
  const session = sessionOf(state);
  const { isMuted, isHeld, isHeldByOther, isTransferring, consult, trouble, quality } = session?.media ?? silent;
  return {
    ...told,
    line: softphone.line,
    agent: softphone.agent,
    settings: phones.settings,
    dueTasks: selectDueTasks(softphone),
    messages: softphone.unreadMessages,
    call: selectCall(parts, clockOffsetMs),
    callKey: session?.key ?? null,
    pop: selectPop(softphone, session),
    phone: phones.line,
    can: phones.can,
    caller: isIncoming(state) ? (session?.caller ?? null) : null,
    other: selectOther(behind, isTurning, clockOffsetMs),
    isAnswering: state.phase === 'answering',
    isMuted,
    voiceTrouble: byGatewayClock(trouble, clockOffsetMs),
    voiceQuality: quality,
    isHeld,
    isHeldByOther,
    isTransferring,
    consult,
    isRecovering: isBeingRecovered(state),
    isEngaged: session !== null || sessionOf(behind) !== null || reports.isBehind,
  };
}

function selectOther(behind: CallState, isTurning: boolean, clockOffsetMs: number): OtherCall | null {
  const session = sessionOf(behind);
  if (session === null) return null;
  const { caller, key, since } = session;
  return {
    key,
    call: recordOf(session),
    caller: isIncoming(behind) ? caller : null,
    since: new Date(since + clockOffsetMs).toISOString(),
    isTurning,
  };
}

function selectDueTasks({ agent, dueTasks }: Parts['softphone']): readonly TaskView[] {
  return agent?.state === 'ready' ? dueTasks : dueTasks.filter(({ assignee }) => assignee !== null);
}

function byGatewayClock(trouble: VoiceTrouble | null, clockOffsetMs: number): VoiceTrouble | null {
  return trouble?.kind === 'silent' ? { ...trouble, since: trouble.since + clockOffsetMs } : trouble;
}

/** The call to show; who is right about what is said in callMachine.ts. @param clockOffsetMs as of `selectView` */
export function selectCall(
  { softphone: { agent, call }, call: state, reports }: Parts,
  clockOffsetMs: number,
): CallView | null {
  const session = sessionOf(state);
  const talks = isTalk(state);
  if (session === null || agent === null || (!talks && session.record.kind !== 'none')) {
    const own = session === null ? null : recordOf(session);
    // Of two calls the gateway may name the other one.
    const shown = own !== null && own.id !== call?.id ? own : call;
    return shown === null ? null : orOver(shown, reports);
  }
  const since = new Date(session.since + clockOffsetMs).toISOString();
  const known = recordOf(session) ?? unrecorded(session, agent, since);
  return {
    ...known,
    state: !talks ? 'ringing' : session.media.isHeld ? 'held' : 'connected',
    answered_at: talks ? (known.answered_at ?? since) : null,
  };
}

function recordOf({ record }: CallSession): CallView | null {
  return record.kind === 'pending' ? null : record.call;
}

/** The call, over if it is, though the gateway is yet to learn of it, and to say when that was. */
function orOver(call: CallView, reports: Pick<ProgressReports, 'endOf'>): CallView {
  const end = call.state === 'ended' ? null : reports.endOf(call.id);
  if (end === null) return call;
  const { reason, endedBy = null, sipCode = null, detail = null, transferredTo = null } = end;
  return {
    ...call,
    state: 'ended',
    end_reason: reason,
    ended_by: endedBy,
    sip_code: sipCode,
    end_detail: detail,
    transferred_to: transferredTo,
  };
}

/** Stands for a call that the gateway does not know, or not yet. */
function unrecorded({ caller }: CallSession, agent: AgentStateView, since: string): CallView {
  return {
    id: 'unrecorded',
    agent_id: agent.agent_id,
    direction: 'inbound',
    trigger: 'inbound_ring',
    state: 'ringing',
    ...(caller === null ? { phone: null, caller: null } : callingEnd(caller)),
    external_id: null,
    contact_id: null,
    campaign_id: null,
    customer_name: caller?.displayName ?? null,
    external_system: null,
    record_url: null,
    source: null,
    platform_call_id: null,
    held_at: null,
    hold_seconds: 0,
    quality: null,
    tags: [],
    notes_draft: null,
    code_draft: null,
    callback_at_draft: null,
    draft_at: null,
    recording_url: null,
    do_not_call_override_by: null,
    queue: caller?.queue ?? null,
    metadata: null,
    screen_pop: caller?.displayName == null ? null : { name: caller.displayName },
    created_at: since,
    ringing_at: since,
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    end_reason: null,
    ended_by: null,
    end_detail: null,
    transferred_to: null,
    parent_call_id: null,
    transferred_from: null,
    sip_code: null,
    sip_call_id: null,
    dialed_number: caller?.dialedNumber ?? null,
    caller_id: null,
    disposition: null,
  };
}

/** The customer to show: as the gateway has told, or, after a reload, as the call's record has kept. */
function selectPop(softphone: Parts['softphone'], session: CallSession | null): CrmScreenPop | null {
  const { agent, call: told } = softphone;
  const record = session?.record;
  const callId = record?.kind === 'known' ? record.callId : agent?.state === 'wrap_up' ? agent.call_id : null;
  const pop = callId === null ? softphone.pop : softphone.popOf(callId);
  if (pop !== null) return pop;
  const own = session === null ? null : recordOf(session);
  const call = own ?? told;
  // Whom the agent talks to stays the customer when the gateway counts the call as over.
  const isCurrent = call !== null && (agent?.call_id === call.id || own === call);
  if (!isCurrent || call.screen_pop === null) return null;
  const { id, trigger, direction, phone, caller, screen_pop, contact_id, external_id, campaign_id, metadata, exact } =
    call;
  return {
    pop_id: id,
    call_id: id,
    trigger,
    direction,
    phone_number: phone,
    ...(caller === null ? {} : { caller }),
    found: Object.keys(screen_pop).length > 0,
    screen_pop,
    ...(contact_id === null ? {} : { contact_id }),
    ...(external_id === null ? {} : { external_id }),
    ...(campaign_id === null ? {} : { campaign_id }),
    ...(metadata === null ? {} : { metadata }),
    ...(exact === undefined ? {} : { exact }),
    expires_at: call.created_at,
  };
}
