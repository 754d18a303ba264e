import pLimit from 'p-limit';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CrmTrouble } from '../../../ports/crm.ts';
import type { CrmRecordReader } from '../../../ports/crmInbound.ts';
import type { CrmNoticeOutcome } from '../../../ports/observer.ts';
import type { RecordRef } from '../../../providers/provider.ts';
import type { Services } from '../../services.ts';
import { accountOf } from '../account.ts';
import { readRecord } from '../searchRecords.ts';
import { entriesOf } from './keepRecord.ts';

/** How many records may wait in this process; of one company, so that it leaves room to others. */
const waitAtMost = { ofCompany: 1_000, inAll: 20_000 };
/** Records that are read at once, each of another company: what else a gateway does comes first. */
const atOnce = 8;
/** A record may wait so long for its turn in the provider's rate, and for the answer. Milliseconds. */
const readWithinMs = 20_000;
/** How long a company's records rest after the CRM did not tell, the first time, the second … then it is dropped. Milliseconds. */
const restsMs = [2_000, 10_000, 60_000, 300_000];
/** The longest rest that a CRM may ask for. Milliseconds. */
const longestRestMs = 900_000;

type Waiting = { provider: string; reference: RecordRef; tries: number };
type Queue = { waiting: Map<string, Waiting>; isBusy: boolean; cancelRest: (() => void) | null; isFull: boolean };

type Needs = Pick<Services, 'cipher' | 'clock' | 'crm' | 'crmConnections' | 'crmProviders' | 'observer' | 'screenPops' | 'settings'>;

/** Reads records in the background: of each company one after the other, of several companies in turns. */
export function createCrmRecordReader(services: Needs): CrmRecordReader {
  const { clock, observer } = services;
  const queues = new Map<CompanyId, Queue>();
  const limit = pLimit(atOnce);
  const underWay = new Set<Promise<void>>();
  let count = 0;
  let stopped = false;

  function queueOf(companyId: CompanyId): Queue {
    const queue = queues.get(companyId) ?? { waiting: new Map(), isBusy: false, cancelRest: null, isFull: false };
    queues.set(companyId, queue);
    return queue;
  }

  /** Has the company's next record read, when its turn comes. */
  function next(companyId: CompanyId, queue: Queue): void {
    if (stopped || queue.isBusy || queue.cancelRest !== null) return;
    if (queue.waiting.size === 0) return void queues.delete(companyId);
    queue.isBusy = true;
    const working = limit(() => step(companyId, queue)).finally(() => underWay.delete(working));
    underWay.add(working);
  }

  async function step(companyId: CompanyId, queue: Queue): Promise<void> {
    const [entry] = queue.waiting;
    if (stopped || entry === undefined) return;
    const [key, waiting] = entry;
    queue.waiting.delete(key);
    count -= 1;
    let trouble: CrmTrouble | null = null;
    try {
      trouble = await readOne(services, companyId, waiting);
    } catch (error) {
      observer.problem('a record of a CRM was not read', error, { company_id: companyId });
      trouble = { kind: 'unavailable', message: 'the gateway itself failed' };
    }
    queue.isBusy = false;
    if (trouble !== null) rest(companyId, queue, key, waiting, trouble);
    next(companyId, queue);
  }

  /** Tries it again later, before the others; unless it was tried often enough, or has been told of again. */
  function rest(companyId: CompanyId, queue: Queue, key: string, waiting: Waiting, trouble: CrmTrouble): void {
    const restMs = restsMs[waiting.tries];
    if (restMs === undefined || stopped) {
      observer.crmNotice(waiting.provider, 'unreadable');
      observer.crmNoticesDropped({ company_id: companyId, provider: waiting.provider, reason: trouble.kind });
      return;
    }
    if (!queue.waiting.has(key)) {
      queue.waiting = new Map([[key, { ...waiting, tries: waiting.tries + 1 }], ...queue.waiting]);
      count += 1;
    }
    const told = trouble.kind === 'rate_limited' ? (trouble.retryAfterMs ?? 0) : 0;
    queue.cancelRest = clock.after(Math.min(Math.max(restMs, told), longestRestMs), () => {
      queue.cancelRest = null;
      next(companyId, queue);
    });
  }

  return {
    add(companyId, provider, reference) {
      const queue = queueOf(companyId);
      const key = `${provider} ${reference.object} ${reference.id}`;
      if (queue.waiting.has(key)) return 'waiting';
      if (stopped || queue.waiting.size >= waitAtMost.ofCompany || count >= waitAtMost.inAll) {
        // One line for each time that it fills up.
        if (!queue.isFull) observer.crmNoticesDropped({ company_id: companyId, provider, reason: 'too many wait' });
        queue.isFull = true;
        return 'full';
      }
      queue.isFull = false;
      queue.waiting.set(key, { provider, reference, tries: 0 });
      count += 1;
      next(companyId, queue);
      return 'added';
    },
    async stop() {
      stopped = true;
      for (const { cancelRest } of queues.values()) cancelRest?.();
      await Promise.all(underWay);
      queues.clear();
    },
  };
}

/** Reads one record and keeps it for all its numbers. Null: done, or there is nothing to do; else why the CRM did not tell. */
async function readOne(services: Needs, companyId: CompanyId, { provider, reference }: Waiting): Promise<CrmTrouble | null> {
  const { crm, crmConnections, observer, screenPops } = services;
  const done = (outcome: CrmNoticeOutcome) => {
    observer.crmNotice(provider, outcome);
    return null;
  };
  const connection = await crmConnections.find(companyId);
  const account = connection?.provider !== provider || connection.attention !== null ? null : accountOf(services, companyId, connection);
  if (connection === null || account === null) return done('not_connected');
  if (account.provider.readRequest(reference, account.site) === null) return done('unreadable');
  const read = await readRecord(crm, account, reference, { isLive: false, withinMs: readWithinMs });
  if (read.kind === 'failed') {
    const { trouble } = read;
    if (trouble.kind === 'rate_limited' || trouble.kind === 'unavailable' || trouble.kind === 'no_answer') return trouble;
    if (trouble.kind === 'unauthorized') await crmConnections.noteAttention(companyId, connection, trouble.message);
    return done('unreadable');
  }
  const kept = { externalSystem: provider, ...reference };
  if (read.value === null) {
    await screenPops.forgetRecord(companyId, kept);
    return done('gone');
  }
  const entries = await entriesOf(services, companyId, account.provider, account.site, read.value);
  await screenPops.upsertMany(companyId, entries);
  // All of the record was read: numbers that it had before are not its own any more.
  await screenPops.forgetRecord(companyId, { externalSystem: provider, object: read.value.object, id: read.value.id }, entries.map(({ phone }) => phone));
  observer.push(entries.length);
  return done(entries.length === 0 ? 'without_number' : 'read');
}
