import type { CallSummary, CallView } from '../../contract/calls.ts';
import type { JsonText } from '../../contract/jsonText.ts';
import type { ExactScreenPop, ExactTexts, ScreenPop } from '../../contract/screenPops.ts';
import { type Call, durationSeconds, holdSeconds } from '../../domain/calls.ts';
import type { CustomerRecord, ListedCall } from '../../ports/calls.ts';

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
  return { ...call, customerName: call.screenPop?.name ?? null, ...recordOf(call) };
}

/** Where the customer's record is, as it popped. */
export function recordOf({ screenPop }: Pick<Call, 'screenPop'>): CustomerRecord {
  return { externalSystem: screenPop?.external_system ?? null, recordUrl: screenPop?.record_url ?? null };
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
    dialed_number: call.dialedNumber,
    caller_id: call.callerId,
    external_id: call.externalId,
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    customer_name: call.customerName,
    external_system: call.externalSystem,
    record_url: call.recordUrl,
    source: call.platform?.source ?? null,
    platform_call_id: call.platform?.callId ?? null,
    queue: call.queue,
    created_at: call.createdAt.toISOString(),
    ringing_at: iso(call.ringingAt),
    answered_at: iso(call.answeredAt),
    ended_at: iso(call.endedAt),
    duration_seconds: durationSeconds(call),
    held_at: iso(call.heldAt),
    hold_seconds: holdSeconds(call),
    quality: call.quality,
    tags: call.tags.map(({ code, label }) => ({ code, label })),
    notes_draft: call.disposition === null ? call.notesDraft : null,
    code_draft: call.disposition === null ? call.codeDraft : null,
    callback_at_draft: call.disposition === null ? iso(call.callbackDraft) : null,
    draft_at: call.disposition === null ? iso(call.draftAt) : null,
    recording_url: call.recordingUrl,
    do_not_call_override_by: call.overrideBy,
    end_reason: call.endReason,
    ended_by: call.endedBy,
    end_detail: call.endDetail,
    transferred_to: call.transferredTo,
    parent_call_id: call.parentCallId,
    transferred_from: call.transferredFrom,
    sip_code: call.sipCode,
    sip_call_id: call.sipCallId,
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

/** A screen pop for an HTTP answer, with the CRM's fields exactly as they came. */
export function writtenScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.asWritten() };
}

/** A screen pop for a socket, whose messages are parsed and written by JavaScript. */
export function plainScreenPop(pop: ExactScreenPop): ScreenPop {
  const { crm, ...others } = pop;
  return crm === undefined ? others : { ...pop, crm: crm.plain() };
}

/** The exact texts sent beside a socket message, where parsing its free-form fields would lose something. */
export function exactTexts(pop: ExactScreenPop | null, metadata: JsonText | null): { exact?: ExactTexts } {
  const crm = pop?.crm?.exact();
  const exactMetadata = metadata?.exact();
  if (crm === undefined && exactMetadata === undefined) return {};
  return {
    exact: {
      ...(crm === undefined ? {} : { crm }),
      ...(exactMetadata === undefined ? {} : { metadata: exactMetadata }),
    },
  };
}
