import type { CallView } from '../../contract/calls.ts';
import { durationSeconds, type Call } from '../../domain/calls.ts';

/** A call as REST and the socket show it. */
export function callView(call: Call): CallView {
  return {
    id: call.id,
    agent_id: call.agentId,
    direction: call.direction,
    trigger: call.trigger,
    state: call.state,
    phone: call.phone,
    external_id: call.externalId,
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    metadata: call.metadata,
    screen_pop: call.screenPop,
    created_at: call.createdAt.toISOString(),
    ringing_at: iso(call.ringingAt),
    answered_at: iso(call.answeredAt),
    ended_at: iso(call.endedAt),
    duration_seconds: durationSeconds(call),
    end_reason: call.endReason,
    ended_by: call.endedBy,
    end_detail: call.endDetail,
    sip_code: call.sipCode,
    disposition:
      call.disposition === null
        ? null
        : {
            code: call.disposition.code,
            label: call.disposition.label,
            notes: call.disposition.notes,
            callback_at: iso(call.disposition.callbackAt),
            submitted_at: call.disposition.submittedAt.toISOString(),
          },
  };
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
