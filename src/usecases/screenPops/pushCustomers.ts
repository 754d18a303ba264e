import { oversize, readJsonInput } from '../../contract/freeForm.ts';
import { inboundPush, type BulkPushAnswer } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { ScreenPopEntry } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { entryOf } from './pushCustomer.ts';

/** Lines written together: enough to be fast. */
const batchSize = 500;
/** Characters written together; one batch is collected while the one before it is being written. */
const batchWeight = 2_000_000;
/** No valid push needs a longer line, unless it is padded with white space. Bytes. */
const longestLine = 128 * 1024;
/** Lines of each kind that the answer names. */
const mostListed = 1_000;
/** Bulk pushes at once. Each holds some 20 MB at most: two batches, and what it takes to write one. */
const atOnce = { ofCompany: 4, inAll: 16 };

type Needs = Pick<Services, 'bulkPushes' | 'screenPops' | 'companyOf' | 'observer'>;

/**
 * Pushes a stream of InboundPush lines (NDJSON), in order: one batch is read while the one before it is written, so a
 * slow database slows the sender down. Lines that do not fit are refused by number, the others are kept. Refuses with
 * `rate_limited`, before a line is read, while too many are under way.
 */
export async function pushCustomers(
  services: Needs,
  companyId: CompanyId,
  lines: AsyncIterable<string>,
): Promise<Outcome<BulkPushAnswer>> {
  const { bulkPushes } = services;
  const own = bulkPushes.get(companyId) ?? 0;
  const all = [...bulkPushes.values()].reduce((sum, count) => sum + count, 0);
  if (own >= atOnce.ofCompany || all >= atOnce.inAll) {
    const most = `at most ${String(atOnce.ofCompany)} of a company`;
    return refuse('rate_limited', `Too many bulk pushes are under way: ${most}. Send them one after the other.`, {
      retryAfterSeconds: 5,
      limit: atOnce.ofCompany,
    });
  }
  bulkPushes.set(companyId, own + 1);
  try {
    return ok(await pushLines(services, companyId, lines));
  } finally {
    const left = (bulkPushes.get(companyId) ?? 1) - 1;
    if (left === 0) bulkPushes.delete(companyId);
    else bulkPushes.set(companyId, left);
  }
}

async function pushLines(services: Needs, companyId: CompanyId, lines: AsyncIterable<string>): Promise<BulkPushAnswer> {
  const answer: BulkPushAnswer = { accepted: 0, refused: 0, errors: [], read_otherwise: [] };
  let batch: ScreenPopEntry[] = [];
  let weight = 0;
  let writing = Promise.resolve();
  const write = async (entries: ScreenPopEntry[]) => {
    await services.screenPops.upsertMany(companyId, entries);
    answer.accepted += entries.length;
    services.observer.push(entries.length);
  };
  const flush = async () => {
    await writing;
    writing = write(batch);
    // Its failure is handled where it is awaited.
    writing.catch(() => undefined);
    batch = [];
    weight = 0;
  };
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const read = await readLine(services, companyId, text);
    if (read.kind === 'ok') {
      const { entry, otherwise } = read.value;
      if (otherwise !== null && answer.read_otherwise.length < mostListed)
        answer.read_otherwise.push({ line, phone_number: entry.phone, read_otherwise: otherwise });
      batch.push(entry);
      weight += entry.data.text.length;
      if (batch.length === batchSize || weight >= batchWeight) await flush();
      continue;
    }
    answer.refused += 1;
    if (answer.errors.length < mostListed) {
      answer.errors.push({ line, code: read.code, message: read.detail });
    }
  }
  if (batch.length > 0) await flush();
  await writing;
  return answer;
}

async function readLine(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  text: string,
): ReturnType<typeof entryOf> {
  // Before it is parsed.
  if (text.length > longestLine) return refuse('payload_too_large', 'The line is over 128 KiB.');
  const json = readJsonInput(text);
  if (json.kind === 'malformed') return refuse('malformed_json', 'The line is not valid JSON.');
  if (json.kind === 'unfit')
    return refuse('invalid_request', `The line cannot be kept: ${json.reason}.`, { cause: { code: 'cannot_be_kept' } });
  const push = inboundPush.safeParse(json.value);
  if (!push.success) {
    const tooLarge = oversize(push.error.issues);
    if (tooLarge !== null) return refuse('payload_too_large', `${tooLarge.path.join('.')} ${tooLarge.message}.`);
    const first = push.error.issues[0];
    return refuse('invalid_request', `${first?.path.join('.') || 'line'}: ${first?.message ?? 'does not fit'}`, {
      cause: { code: 'invalid_fields' },
    });
  }
  return entryOf(services, companyId, push.data);
}
