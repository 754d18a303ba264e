import type { CrmPreview } from '../../contract/crm.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import type { CrmAccount } from '../../ports/crm.ts';
import type { FinishedCall } from '../../providers/finishedCall.ts';
import type { CrmRecord, CrmRequest } from '../../providers/provider.ts';
import { searchRequests } from './searchRecords.ts';

/** A call that never was: marked in what it would write, should somebody send it by hand. */
const sampleId = '00000000-0000-7000-8000-000000000000';
const [startedAt, answeredAt, endedAt] = ['2026-01-05T09:00:00Z', '2026-01-05T09:00:04Z', '2026-01-05T09:03:07Z'].map(
  (time) => new Date(time),
) as [Date, Date, Date];

/**
 * The requests for a number, as they are sent but for what authenticates them: who has it,
 * and a sample call of it that ended.
 * @param record null: nobody has it, or several; some CRM systems keep no call then
 */
export function sampleRequests(
  account: CrmAccount,
  phone: PhoneNumber,
  record: CrmRecord | null,
): CrmPreview['requests'] {
  const { provider, site } = account;
  const searches = searchRequests(account, phone).flat();
  const log = provider.logRequests.create(sampleCall(phone), record, site, null);
  return [...searches.map((request) => shown('search', request)), ...(log === null ? [] : [shown('log', log)])];
}

function shown(
  purpose: 'search' | 'log',
  { method, url, headers = {}, body }: CrmRequest,
): CrmPreview['requests'][number] {
  return { purpose, method, url, headers, body: body ?? null };
}

function sampleCall(phone: PhoneNumber): FinishedCall {
  return {
    id: sampleId,
    direction: 'inbound',
    from: phone,
    to: 'a100',
    dialedNumber: '+4930123456',
    line: 'Sales Germany',
    queue: 'Support',
    sipCallId: 'a84b4c76e66710@pbx.example.com',
    startedAt,
    answeredAt,
    endedAt,
    durationSeconds: 183,
    endReason: 'completed',
    transferredTo: null,
    transferredFrom: null,
    disposition: { code: 'resolved', label: 'Resolved', externalValue: null },
    notes: 'Asked for the invoice of May.',
    tags: ['Invoice'],
    agent: { name: 'Ada Lindqvist', ownerId: null },
  };
}
