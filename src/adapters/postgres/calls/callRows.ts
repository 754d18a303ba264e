import { type ReportedQuality, toCallQuality, type TransferredFrom } from '../../../contract/calls.ts';
import { readFields } from '../../../contract/jsonReader.ts';
import { canonical, JsonText } from '../../../contract/jsonText.ts';
import type { ExactScreenPop } from '../../../contract/screenPops.ts';
import type { CallState, Direction, EndedBy, EndReason, Trigger } from '../../../contract/vocabulary.ts';
import type { Call, Disposition, OfPlatform } from '../../../domain/calls.ts';
import type { AgentId, CallId, CompanyId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { ListedCall } from '../../../ports/calls.ts';
import { type Call as StoredCall, Prisma } from '../generated/client.ts';
import { fieldColumns } from '../queries.ts';
import { readTags } from './tagRows.ts';

/** Large, or read where the course of a call is shown. */
const largeFields = ['metadata', 'screenPop', 'metadataText', 'screenPopText', 'steps'] as const;
/** What lists show of the screen pop. */
const popFields = ['customerName', 'recordSystem', 'recordUrl'] as const;
type OfScreenPop = (typeof popFields)[number];

/** A row of `call` without the CRM's free-form fields. */
export type ListedRow = Omit<StoredCall, (typeof largeFields)[number]>;

/** A row of `call`, its free-form columns as JSON text. */
export type CallRow = Omit<ListedRow, OfScreenPop> & { metadata: string | null; screenPop: string | null };

const besideFields = ['callbackDraft', 'codeDraft', 'draftAt', 'notesDraft', 'recordingUrl', 'tags'] as const;
export type BesideRow = Pick<StoredCall, (typeof besideFields)[number]>;
/** The columns that are written beside the version, by statements of their own. */
export const besideColumns = fieldColumns(besideFields);

/** The columns that calls and lists of them share. */
const plainColumns = fieldColumns(Prisma.CallScalarFieldEnum, { but: [...largeFields, ...popFields] });

/** The columns of CallRow, for prepared statements. Calls recorded by an older gateway have no text columns. */
export const callColumns = `${plainColumns}, coalesce(metadata_text, metadata::text) AS metadata,
  coalesce(screen_pop_text, screen_pop::text) AS "screenPop"`;

/** The customer's name as it popped; in calls that an older gateway made, it is within the record that popped. */
export const customerName = "CASE WHEN screen_pop_text IS NULL THEN screen_pop->>'name' ELSE customer_name END";

/** The columns of ListedRow. */
export const listedColumns = `${plainColumns}, ${customerName} AS "customerName", record_system AS "recordSystem",
  record_url AS "recordUrl"`;

/** Reads a row. */
export function readCall(row: CallRow): Call {
  return {
    ...readPlainColumns(row),
    metadata: row.metadata === null ? null : new JsonText(row.metadata),
    screenPop: row.screenPop === null ? null : readScreenPop(row.screenPop),
  };
}

/** Reads a row of a list. */
export function readListedCall(row: ListedRow): ListedCall {
  const { customerName, recordSystem, recordUrl } = row;
  return { ...readPlainColumns(row), customerName, externalSystem: recordSystem, recordUrl };
}

function readPlainColumns(row: Omit<ListedRow, OfScreenPop>): Omit<Call, 'metadata' | 'screenPop'> {
  return {
    id: row.id as CallId,
    companyId: row.companyId as CompanyId,
    agentId: row.agentId as AgentId,
    direction: row.direction as Direction,
    trigger: row.trigger as Trigger,
    state: row.state as CallState,
    phone: row.phone as PhoneNumber | null,
    caller: row.caller,
    dialedNumber: row.dialedNumber,
    queue: row.queue,
    callerId: row.callerId,
    externalId: row.externalId,
    contactId: row.contactId,
    campaignId: row.campaignId,
    createdAt: row.createdAt,
    ringingAt: row.ringingAt,
    answeredAt: row.answeredAt,
    endedAt: row.endedAt,
    heldAt: row.heldAt,
    holdMs: row.holdMs,
    quality: row.quality === null ? null : toCallQuality(row.quality as ReportedQuality),
    endReason: row.endReason as EndReason | null,
    endedBy: row.endedBy as EndedBy | null,
    endDetail: row.endDetail,
    transferredTo: row.transferredTo,
    parentCallId: row.parentCallId as CallId | null,
    transferredFrom: row.transferredFrom as TransferredFrom | null,
    sipCode: row.sipCode,
    sipCallId: row.sipCallId,
    disposition: readDisposition(row),
    platform: readPlatform(row),
    slot: row.slot === 1 ? 1 : 0,
    ...readBeside(row),
    overrideBy: row.overrideBy as AgentId | null,
    erasedAt: row.erasedAt,
    sequence: row.sequence,
    version: row.version,
  };
}

/** Reads what is written beside the version. */
export function readBeside({
  tags,
  notesDraft,
  codeDraft,
  callbackDraft,
  draftAt,
  recordingUrl,
}: BesideRow): Pick<Call, keyof BesideRow> {
  return { tags: readTags(tags), notesDraft, codeDraft, callbackDraft, draftAt, recordingUrl };
}

function readDisposition(row: Omit<ListedRow, OfScreenPop>): Disposition | null {
  const { dispositionCode: code, dispositionLabel: label, disposedAt: submittedAt } = row;
  if (code === null || label === null || submittedAt === null) return null;
  return { code, label, notes: row.dispositionNotes, callbackAt: row.callbackAt, submittedAt };
}

function readPlatform(row: Omit<ListedRow, OfScreenPop>): OfPlatform | null {
  const { source, platformCallId, platformRound, platformAt, platformRangAt, platformEndedAt } = row;
  if (source === null || platformAt === null) return null;
  return {
    source,
    callId: platformCallId,
    round: platformRound,
    at: platformAt,
    rangAt: platformRangAt,
    endedAt: platformEndedAt,
  };
}

/** Reads a screen pop from its JSON text. */
function readScreenPop(text: string): ExactScreenPop {
  const fields = readFields(text, canonical) ?? new Map<string, string>();
  return Object.fromEntries(
    Array.from(fields, ([name, value]) => [
      name,
      name === 'crm' ? new JsonText(value) : (JSON.parse(value) as unknown),
    ]),
  );
}
