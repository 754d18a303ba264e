import type { CallSummary, CallView } from '../../contract/calls.ts';
import { durationSeconds, type Call } from '../../domain/calls.ts';
import type { ListedCall } from '../../ports/calls.ts';
import { exactTexts, plainScreenPop, writtenScreenPop } from './screenPopView.ts';

/** A call as softphones get it. */
export function callView(call: Call): CallView {
  const { metadata, screenPop } = call;
  return {
    ...callSummary(summaryOf(call)),
    metadata: metadata?.plain() ?? null,
    screen_pop: screenPop === null ? null : plainScreenPop(screenPop),
    ...exactTexts(screenPop, metadata),
  };
}

/** A call as REST answers it, with the CRM's fields exactly as they came. */
export function writtenCall(call: Call): CallView {
  const { metadata, screenPop } = call;
  return {
    ...callSummary(summaryOf(call)),
    metadata: metadata?.asWritten() ?? null,
    screen_pop: screenPop === null ? null : writtenScreenPop(screenPop),
  };
}

function summaryOf(call: Call): ListedCall {
  return { ...call, customerName: call.screenPop?.name ?? null };
}

/** A call as lists show it. */
export function callSummary(call: ListedCall): CallSummary {
  return {
    id: call.id,
    agent_id: call.agentId,
    direction: call.direction,
    trigger: call.trigger,
    state: call.state,
    phone: call.phone,
    caller: call.caller,
    external_id: call.externalId,
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    customer_name: call.customerName,
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
