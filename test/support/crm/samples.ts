import { phoneQuery as formsOf } from '../../../src/domain/phones/phoneQuery.ts';
import type { PhoneNumber } from '../../../src/domain/phones/phoneNumbers.ts';
import type { FinishedCall } from '../../../src/providers/finishedCall.ts';
import type { CrmRecord, CrmResponse, PhoneQuery } from '../../../src/providers/provider.ts';

/** What providers are given in their tests. */

/** A number that somebody looks for, in all its forms. @param e164 of a country */
export function phoneQuery(e164: string): PhoneQuery {
  return formsOf(e164 as PhoneNumber);
}

/** A call of three minutes and three seconds from Maria Silva, answered and resolved. */
export function finishedCall(differs: Partial<FinishedCall> = {}): FinishedCall {
  return {
    id: '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    direction: 'inbound',
    from: '+14155551212',
    to: '+18005550100',
    startedAt: new Date('2026-11-21T10:15:00.000Z'),
    answeredAt: new Date('2026-11-21T10:15:04.000Z'),
    endedAt: new Date('2026-11-21T10:18:07.000Z'),
    durationSeconds: 183,
    endReason: 'completed',
    disposition: { code: 'resolved', label: 'Resolved', externalValue: null },
    notes: 'Asked for the invoice of May.',
    agent: { name: 'Ada Byron', ownerId: null },
    ...differs,
  };
}

/** A record as a search brings it. */
export function crmRecord(differs: Partial<CrmRecord> & { object: string; id: string }): CrmRecord {
  return {
    name: 'Maria Silva',
    email: 'maria.silva@example.com',
    phones: ['+1 415-555-1212'],
    accountNumber: null,
    tier: null,
    details: {},
    url: null,
    ...differs,
  };
}

/** An answer of a CRM. @param body whatever is no text is written as JSON */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): CrmResponse {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** Notes that try to break out of whatever they are put into. */
export const hostileNotes = `<script>alert("1")</script> & 'quotes' \\ ^OR active=true; {"a":1} \u0000 \u202e {{ticket.id}} ' OR ''='`;
