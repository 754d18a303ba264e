import { inboundPush, type BulkPushAnswer } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { jsonFault } from '../../domain/jsonFault.ts';
import { refuse, type Outcome } from '../../domain/outcome.ts';
import type { ScreenPopEntry } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { entryOf } from './pushCustomer.ts';

/** Lines written together; large enough to be fast, small enough to hold little in memory. */
const batchSize = 500;
const maxListedErrors = 1_000;

/**
 * Pushes a stream of InboundPush lines (NDJSON), in order: one batch is read while the one before it is written, so a
 * slow database slows the sender down. Lines that do not fit are refused by number, the others are kept.
 */
export async function pushCustomers(
  services: Pick<Services, 'screenPops' | 'settings' | 'observer'>,
  companyId: CompanyId,
  lines: AsyncIterable<string>,
): Promise<BulkPushAnswer> {
  const answer: BulkPushAnswer = { accepted: 0, refused: 0, errors: [] };
  let batch: ScreenPopEntry[] = [];
  let writing = Promise.resolve();
  const write = async (entries: ScreenPopEntry[]) => {
    await services.screenPops.upsertMany(companyId, entries);
    answer.accepted += entries.length;
    services.observer.push(entries.length);
  };
  const flush = async () => {
    await writing;
    writing = write(batch);
    // Its failure is met where it is waited for.
    writing.catch(() => undefined);
    batch = [];
  };
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const entry = await readLine(services, companyId, text);
    if (entry.kind === 'ok') {
      batch.push(entry.value);
      if (batch.length === batchSize) await flush();
      continue;
    }
    answer.refused += 1;
    if (answer.errors.length < maxListedErrors) {
      answer.errors.push({ line, code: entry.code, message: entry.detail });
    }
  }
  if (batch.length > 0) await flush();
  await writing;
  return answer;
}

async function readLine(
  services: Pick<Services, 'settings'>,
  companyId: CompanyId,
  text: string,
): Promise<Outcome<ScreenPopEntry>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('malformed_json', 'The line is not valid JSON.');
  }
  // The line is well-formed UTF-8: only an escape can have put into it what the database refuses.
  const fault = jsonFault(json, { texts: text.includes('\\u') });
  if (fault !== null) return refuse('invalid_request', `The line cannot be kept: ${fault}.`);
  const push = inboundPush.safeParse(json);
  if (!push.success) {
    const first = push.error.issues[0];
    return refuse('invalid_request', `${first?.path.join('.') || 'line'}: ${first?.message ?? 'does not fit'}`);
  }
  return entryOf(services, companyId, push.data);
}
