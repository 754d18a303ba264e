import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { CrmScreenPop } from '../../../src/contract/socket.ts';
import { callingEnd } from '../shared/otherEnd.ts';
import type { ProgressReports } from './progressReports.ts';
import type { Voice } from './voice.ts';

type Known = {
  call: CallView | null;
  voice: Readonly<Voice> | null;
  agent: AgentStateView | null;
  reports: Pick<ProgressReports, 'endOf'>;
  /** What the gateway's clock is ahead of this machine's. Milliseconds. */
  clockOffsetMs: number;
};

/**
 * The call to show. Who talks, and that somebody has hung up, the telephone knows first, and alone while the line to the
 * gateway is down; everything else is as the gateway told.
 */
export function shownCall({ call, voice, agent, reports, clockOffsetMs }: Known): CallView | null {
  const isTalk = voice?.phase === 'connected';
  if (voice === null || agent === null || (!isTalk && !voice.isUnrecorded)) return call === null ? null : orOver(call, reports);
  const since = new Date(voice.since + clockOffsetMs).toISOString();
  const known = voice.record ?? unrecorded(voice, agent, since);
  return {
    ...known,
    state: !isTalk ? 'ringing' : voice.isHeld ? 'held' : 'connected',
    answered_at: isTalk ? (known.answered_at ?? since) : null,
  };
}

/** The call, over if it is, though the gateway is yet to learn of it, and to say when that was. */
function orOver(call: CallView, reports: Pick<ProgressReports, 'endOf'>): CallView {
  const end = call.state === 'ended' ? null : reports.endOf(call.id);
  if (end === null) return call;
  const { reason, endedBy = null, sipCode = null, detail = null } = end;
  return { ...call, state: 'ended', end_reason: reason, ended_by: endedBy, sip_code: sipCode, end_detail: detail };
}

/** Stands for a call that the gateway does not know, or not yet. */
function unrecorded(voice: Readonly<Voice>, agent: AgentStateView, since: string): CallView {
  return {
    id: 'unrecorded',
    agent_id: agent.agent_id,
    direction: 'inbound',
    trigger: 'inbound_ring',
    state: 'ringing',
    ...(voice.caller === null ? { phone: null, caller: null } : callingEnd(voice.caller)),
    external_id: null,
    contact_id: null,
    campaign_id: null,
    customer_name: voice.caller?.displayName ?? null,
    metadata: null,
    screen_pop: voice.caller?.displayName == null ? null : { name: voice.caller.displayName },
    created_at: since,
    ringing_at: since,
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    end_reason: null,
    ended_by: null,
    end_detail: null,
    sip_code: null,
    disposition: null,
  };
}

/** The customer to show: as the gateway has told, or, after a reload, as the call's record has kept. */
export function shownPop(
  pop: CrmScreenPop | null,
  call: CallView | null,
  voice: Readonly<Voice> | null,
  agent: AgentStateView | null,
): CrmScreenPop | null {
  if (pop !== null) return pop;
  // Whom the agent talks to stays the customer when the gateway counts the call as over.
  const isCurrent = call !== null && (agent?.call_id === call.id || (voice !== null && voice.record === call));
  if (!isCurrent || call.screen_pop === null) return null;
  const { id, trigger, direction, phone, caller, screen_pop, contact_id, external_id, campaign_id, metadata, exact } = call;
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
