import type { ScreenPop } from '../../contract/screenPops.ts';
import type { CallState, Direction, EndedBy, EndReason, Trigger } from '../../contract/vocabulary.ts';
import type { Call, Disposition } from '../../domain/calls.ts';
import type { AgentId, CallId, CompanyId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import type { Call as CallRow } from './generated/client.ts';
import { jsonOrNullFor, textFor } from './storableValues.ts';

export type { CallRow };

/** The columns of CallRow, for prepared statements. */
export const callColumns = `id, company_id AS "companyId", agent_id AS "agentId", direction, trigger, state, phone,
  external_id AS "externalId", contact_id AS "contactId", campaign_id AS "campaignId", metadata,
  screen_pop AS "screenPop", end_reason AS "endReason", ended_by AS "endedBy", end_detail AS "endDetail",
  sip_code AS "sipCode", created_at AS "createdAt", ringing_at AS "ringingAt", answered_at AS "answeredAt",
  ended_at AS "endedAt", disposition_code AS "dispositionCode", disposition_label AS "dispositionLabel",
  disposition_notes AS "dispositionNotes", callback_at AS "callbackAt", disposed_at AS "disposedAt", sequence, version`;

/** Reads a row. */
export function readCall(row: CallRow): Call {
  return {
    id: row.id as CallId,
    companyId: row.companyId as CompanyId,
    agentId: row.agentId as AgentId,
    direction: row.direction as Direction,
    trigger: row.trigger as Trigger,
    state: row.state as CallState,
    phone: row.phone as PhoneNumber,
    externalId: row.externalId,
    contactId: row.contactId,
    campaignId: row.campaignId,
    metadata: row.metadata as Record<string, unknown> | null,
    screenPop: row.screenPop as ScreenPop | null,
    createdAt: row.createdAt,
    ringingAt: row.ringingAt,
    answeredAt: row.answeredAt,
    endedAt: row.endedAt,
    endReason: row.endReason as EndReason | null,
    endedBy: row.endedBy as EndedBy | null,
    endDetail: row.endDetail,
    sipCode: row.sipCode,
    disposition: readDisposition(row),
    sequence: row.sequence,
    version: row.version,
  };
}

function readDisposition(row: CallRow): Disposition | null {
  const { dispositionCode: code, dispositionLabel: label, disposedAt: submittedAt } = row;
  if (code === null || label === null || submittedAt === null) return null;
  return { code, label, notes: row.dispositionNotes, callbackAt: row.callbackAt, submittedAt };
}

/**
 * A call as the parameters $1 to $27 of the statements that write it; $1 id, $2 company, $27 version.
 * Throws InvalidTextError.
 */
export function callValues(call: Call): unknown[] {
  const { disposition } = call;
  return [
    call.id,
    call.companyId,
    call.agentId,
    call.direction,
    call.trigger,
    call.state,
    call.phone,
    textFor('external_id', call.externalId),
    call.contactId,
    call.campaignId,
    jsonOrNullFor('metadata', call.metadata),
    jsonOrNullFor('screen_pop', call.screenPop),
    call.endReason,
    call.endedBy,
    textFor('end_detail', call.endDetail),
    call.sipCode,
    call.createdAt,
    call.ringingAt,
    call.answeredAt,
    call.endedAt,
    disposition?.code ?? null,
    disposition?.label ?? null,
    textFor('notes', disposition?.notes ?? null),
    disposition?.callbackAt ?? null,
    disposition?.submittedAt ?? null,
    call.sequence,
    call.version,
  ];
}
