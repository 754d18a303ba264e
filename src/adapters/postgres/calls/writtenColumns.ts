import { JsonText, writeJson } from '../../../contract/jsonText.ts';
import type { ExactScreenPop } from '../../../contract/screenPops.ts';
import type { Call } from '../../../domain/calls.ts';
import { jsonFor, textFor } from '../storableValues.ts';
import { storedTags } from './tagRows.ts';

/** A column of `call`, its type, and what of a call is written there. The value has the column's name. */
export type WrittenColumn = readonly [
  column: string,
  type: 'int' | 'jsonb' | 'text' | 'timestamptz' | 'uuid',
  of: (call: Call) => unknown,
];

/** What every change of a call writes. */
export const changingColumns: readonly WrittenColumn[] = [
  ['agent_id', 'uuid', (call) => call.agentId],
  ['state', 'text', (call) => call.state],
  ['phone', 'text', (call) => call.phone],
  ['caller', 'text', (call) => textFor('caller', call.caller)],
  ['external_id', 'text', (call) => textFor('external_id', call.externalId)],
  ['contact_id', 'uuid', (call) => call.contactId],
  ['campaign_id', 'uuid', (call) => call.campaignId],
  ['ringing_at', 'timestamptz', (call) => call.ringingAt],
  ['answered_at', 'timestamptz', (call) => call.answeredAt],
  ['ended_at', 'timestamptz', (call) => call.endedAt],
  ['end_reason', 'text', (call) => call.endReason],
  ['ended_by', 'text', (call) => call.endedBy],
  ['end_detail', 'text', (call) => textFor('end_detail', call.endDetail)],
  ['sip_code', 'int', (call) => call.sipCode],
  ['sip_call_id', 'text', (call) => call.sipCallId],
  ['transferred_to', 'text', (call) => textFor('transferred_to', call.transferredTo)],
  ['held_at', 'timestamptz', (call) => call.heldAt],
  ['hold_ms', 'int', (call) => call.holdMs],
  ['quality', 'jsonb', (call) => (call.quality === null ? null : JSON.stringify(call.quality))],
  ['disposition_code', 'text', (call) => call.disposition?.code ?? null],
  ['disposition_label', 'text', (call) => call.disposition?.label ?? null],
  ['disposition_notes', 'text', (call) => textFor('notes', call.disposition?.notes ?? null)],
  ['callback_at', 'timestamptz', (call) => call.disposition?.callbackAt ?? null],
  ['disposed_at', 'timestamptz', (call) => call.disposition?.submittedAt ?? null],
  ['platform_at', 'timestamptz', (call) => call.platform?.at ?? null],
  ['platform_round', 'int', (call) => call.platform?.round ?? 0],
  ['platform_rang_at', 'timestamptz', (call) => call.platform?.rangAt ?? null],
  ['platform_ended_at', 'timestamptz', (call) => call.platform?.endedAt ?? null],
  ['sequence', 'int', (call) => call.sequence],
  ['version', 'int', (call) => call.version],
];

/** What a screen pop writes. */
export const screenPopColumns: readonly WrittenColumn[] = [
  ['screen_pop_text', 'text', ({ screenPop }) => screenPopText(screenPop)],
  ['customer_name', 'text', ({ screenPop }) => screenPop?.name ?? null],
  ['record_system', 'text', ({ screenPop }) => screenPop?.external_system ?? null],
  ['record_url', 'text', ({ screenPop }) => screenPop?.record_url ?? null],
];

/** What a new call writes besides: what never changes, or by statements of its own. */
export const firstColumns: readonly WrittenColumn[] = [
  ['company_id', 'uuid', (call) => call.companyId],
  ['id', 'uuid', (call) => call.id],
  ['direction', 'text', (call) => call.direction],
  ['trigger', 'text', (call) => call.trigger],
  ['created_at', 'timestamptz', (call) => call.createdAt],
  ['dialed_number', 'text', (call) => textFor('dialed_number', call.dialedNumber)],
  ['caller_id', 'text', (call) => call.callerId],
  ['metadata_text', 'text', (call) => (call.metadata === null ? null : jsonFor('metadata', call.metadata))],
  ...screenPopColumns,
  ['slot', 'int', (call) => call.slot],
  ['source', 'text', (call) => call.platform?.source ?? null],
  ['platform_call_id', 'text', (call) => textFor('platform_call_id', call.platform?.callId ?? null)],
  ['queue', 'text', (call) => textFor('queue', call.queue)],
  ['override_by', 'uuid', (call) => call.overrideBy],
  ['parent_call_id', 'uuid', (call) => call.parentCallId],
  [
    'transferred_from',
    'jsonb',
    ({ transferredFrom: from }) =>
      from === null ? null : JSON.stringify({ ...from, notes: textFor('notes', from.notes) }),
  ],
  ['tags', 'jsonb', (call) => JSON.stringify(storedTags(call.tags))],
];

/** SQL: the value of a column. */
export const valueOf = ([column, type]: WrittenColumn) => `:${column}::${type}`;

/** What the columns are given of a call, by their names. @throws InvalidTextError */
export function columnValues(columns: readonly WrittenColumn[], call: Call): Record<string, unknown> {
  return Object.fromEntries(columns.map(([column, , of]) => [column, of(call)]));
}

function screenPopText(screenPop: ExactScreenPop | null): string | null {
  return screenPop === null ? null : jsonFor('screen_pop', new JsonText(writeJson(screenPop)));
}
