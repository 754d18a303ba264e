import { durationSeconds, holdSeconds } from '../../domain/calls.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import type { CallFilter } from '../../ports/calls.ts';
import type { Services } from '../services.ts';
import { byteOrderMark } from './rowsToMend.ts';

/** Calls that are read together; between two pages nothing is held. */
const pageSize = 500;

const headers = [
  'id',
  'created_at',
  'direction',
  'state',
  'phone',
  'agent_code',
  'agent',
  'customer',
  'contact_id',
  'external_id',
  'campaign_id',
  'answered_at',
  'ended_at',
  'duration_seconds',
  'end_reason',
  'disposition',
  'disposition_label',
  'notes',
  'callback_at',
  'recording_url',
  'transferred_to',
  'hold_seconds',
  'mos',
  'tags',
  'sip_call_id',
  'dialed_number',
  'caller_id',
  'mos_median',
  'mos_worst',
];

/** The calls that were asked for as CSV, the latest first, a page at a time. */
export async function* exportCalls(
  { agentCards, calls }: Pick<Services, 'agentCards' | 'calls'>,
  companyId: CompanyId,
  filter: CallFilter,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(headers);
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof calls.list>> = await calls.list(companyId, filter, {
      cursor,
      limit: pageSize,
    });
    const agents = await agentCards(companyId, [...new Set(page.items.map(({ agentId }) => agentId))]);
    yield page.items
      .map((call) => {
        const agent = agents.get(call.agentId);
        const { disposition } = call;
        return csvLine([
          call.id,
          call.createdAt.toISOString(),
          call.direction,
          call.state,
          call.phone,
          agent?.agentCode ?? null,
          agent?.name ?? null,
          call.customerName,
          call.contactId,
          call.externalId,
          call.campaignId,
          call.answeredAt?.toISOString() ?? null,
          call.endedAt?.toISOString() ?? null,
          durationSeconds(call)?.toString() ?? null,
          call.endReason,
          disposition?.code ?? null,
          disposition?.label ?? null,
          disposition?.notes ?? null,
          disposition?.callbackAt?.toISOString() ?? null,
          call.recordingUrl,
          call.transferredTo,
          holdSeconds(call).toString(),
          call.quality?.mos.toString() ?? null,
          call.tags.map(({ label }) => label).join('; '),
          call.sipCallId,
          call.dialedNumber,
          call.callerId,
          call.quality?.mos_median?.toString() ?? null,
          call.quality?.mos_worst?.toString() ?? null,
        ]);
      })
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
