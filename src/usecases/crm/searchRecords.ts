import { hasNumber, phoneQuery } from '../../domain/phones/phoneQuery.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { otherSpelling } from '../../domain/phones/phoneSpellings.ts';
import type { CrmAccount, CrmAnswer, CrmClient, CrmTrouble } from '../../ports/crm.ts';
import {
  type CrmRecord,
  type CrmRequest,
  type CrmResponse,
  type RecordRef,
  UnreadableAnswer,
} from '../../providers/provider.ts';
import { inSlices } from '../concurrency/slices.ts';
import type { Services } from '../services.ts';

/** Several records with one number: so many are shown to choose from. */
const maxRecords = 10;
const nobody = { kind: 'records' as const, records: [] as CrmRecord[] };

export type Searched = { kind: 'records'; records: CrmRecord[] } | { kind: 'failed'; trouble: CrmTrouble };

/**
 * What a CRM is asked for a number: each group together, and the next where the one before found nobody;
 * under its other spelling at last.
 */
export function searchRequests(
  { provider, site }: Pick<CrmAccount, 'provider' | 'site'>,
  phone: PhoneNumber,
): CrmRequest[][] {
  const other = otherSpelling(phone);
  return [phone, ...(other === null ? [] : [other])].flatMap((spelling) =>
    provider.searchRequests(phoneQuery(spelling), site),
  );
}

/**
 * Asks a CRM for the records that have a number. Whatever it finds is compared number by number: several systems find
 * strangers, too.
 * @param until milliseconds since the epoch
 * @param isLive somebody waits for the answer
 */
export async function searchRecords(
  { clock, companyOf, crm }: Pick<Services, 'clock' | 'crm' | 'companyOf'>,
  account: CrmAccount,
  phone: PhoneNumber,
  until: number,
  { isLive } = { isLive: true },
): Promise<Searched> {
  const { defaultCountry } = await companyOf(account.companyId);
  const { country } = phoneQuery(phone);
  let failure: Searched | null = null;
  for (const group of searchRequests(account, phone)) {
    const sending = { isLive, withinMs: until - clock.now() };
    const answers = await Promise.all(group.map((request) => crm.send(account, request, sending)));
    const read = answers.map((answer, index) => readSearch(account, answer, group[index]));
    const found = distinct(read.flatMap((one) => (one.kind === 'read' ? one.value : [])));
    const theirs: CrmRecord[] = [];
    for await (const record of inSlices(found)) {
      if (theirs.length < maxRecords && hasNumber(record.phones, phone, defaultCountry, country)) theirs.push(record);
    }
    if (theirs.length > 0) return { kind: 'records', records: theirs };
    failure ??= read.find((one) => one.kind === 'failed') ?? null;
    // Whoever is asked too much is not asked by another spelling, either.
    if (
      read.some(
        (one) => one.kind === 'failed' && (one.trouble.kind === 'rate_limited' || one.trouble.kind === 'held_back'),
      )
    )
      break;
  }
  // Nobody was found: that counts only where every question was answered.
  return failure ?? nobody;
}

/** Reads one record; null: it is not there any more. */
export async function readRecord(
  crm: CrmClient,
  account: CrmAccount,
  reference: RecordRef,
  sending: { isLive: boolean; withinMs: number },
): Promise<Read<CrmRecord | null>> {
  const request = account.provider.readRequest(reference, account.site);
  if (request === null) return { kind: 'read', value: null };
  const answer = await crm.send(account, request, sending);
  if (answer.kind === 'failed' && answer.trouble.kind === 'not_found') return { kind: 'read', value: null };
  return readAnswer(answer, (response) => account.provider.parseRecord(response, reference, account.site));
}

/** How many tickets of a record are open; null: the provider has none, or did not tell in time. */
export async function countTickets(
  crm: CrmClient,
  account: CrmAccount,
  record: CrmRecord,
  withinMs: number,
): Promise<number | null> {
  if (record.openTickets !== undefined) return record.openTickets;
  const request = account.provider.ticketsRequest(record, account.site);
  if (request === null || withinMs <= 0) return null;
  const counted = readAnswer(await crm.send(account, request, { isLive: true, withinMs }), (response) =>
    account.provider.parseTickets(response),
  );
  return counted.kind === 'read' ? counted.value : null;
}

/** What one search has found. */
function readSearch(
  { provider, site }: CrmAccount,
  answer: CrmAnswer,
  request: CrmRequest | undefined,
): Read<CrmRecord[]> {
  if (request === undefined || (answer.kind === 'failed' && answer.trouble.kind === 'not_found'))
    return { kind: 'read', value: [] };
  return readAnswer(answer, (response) => provider.parseSearch(response, site, request));
}

export type Read<T> = { kind: 'read'; value: T } | { kind: 'failed'; trouble: CrmTrouble };

/** What an answer holds; an answer that the provider does not document is a trouble of the provider's. */
export function readAnswer<T>(answer: CrmAnswer, read: (response: CrmResponse) => T): Read<T> {
  if (answer.kind === 'failed') return answer;
  try {
    return { kind: 'read', value: read(answer.response) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { kind: 'failed', trouble: { kind: 'unavailable', message: error.message } };
  }
}

function distinct(records: readonly CrmRecord[]): CrmRecord[] {
  return [...new Map(records.map((record) => [`${record.object} ${record.id}`, record])).values()];
}
