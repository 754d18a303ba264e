import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { CrmScreenPop } from '../../../src/contract/socket.ts';
import type { Voice } from './voice.ts';

/** The call to show: the gateway's, or the one at the telephone that it has no place for. */
export function shownCall(call: CallView | null, voice: Readonly<Voice> | null, agent: AgentStateView | null): CallView | null {
  if (voice === null || !voice.isUnrecorded || agent === null) return call;
  const since = new Date(voice.since).toISOString();
  const isAnswered = voice.phase === 'connected';
  return {
    id: 'unrecorded',
    agent_id: agent.agent_id,
    direction: 'inbound',
    trigger: 'inbound_ring',
    state: !isAnswered ? 'ringing' : voice.isHeld ? 'held' : 'connected',
    phone: voice.caller?.phoneNumber ?? 'unknown',
    external_id: null,
    contact_id: null,
    campaign_id: null,
    metadata: null,
    screen_pop: voice.caller?.displayName == null ? null : { name: voice.caller.displayName },
    created_at: since,
    ringing_at: since,
    answered_at: isAnswered ? since : null,
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
export function shownPop(pop: CrmScreenPop | null, call: CallView | null, agent: AgentStateView | null): CrmScreenPop | null {
  if (pop !== null) return pop;
  if (call === null || call.screen_pop === null || agent === null || agent.call_id !== call.id) return null;
  const { id, trigger, direction, phone, screen_pop, contact_id, external_id, campaign_id, metadata } = call;
  return {
    pop_id: id,
    call_id: id,
    trigger,
    direction,
    phone_number: phone,
    found: Object.keys(screen_pop).length > 0,
    screen_pop,
    ...(contact_id === null ? {} : { contact_id }),
    ...(external_id === null ? {} : { external_id }),
    ...(campaign_id === null ? {} : { campaign_id }),
    ...(metadata === null ? {} : { metadata }),
    expires_at: call.created_at,
  };
}
