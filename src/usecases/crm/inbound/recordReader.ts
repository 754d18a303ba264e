import type { CrmRecordReader, LeasedNotice } from '../../../ports/crmInbound.ts';
import { backgroundLooks } from '../../concurrency/backgroundLooks.ts';
import type { Services } from '../../services.ts';
import { readNamedRecord, type ReadResult } from './readNamedRecord.ts';

/** Records that are read at once, each of another company: what else a gateway does comes first. */
const atOnce = 8;
/** Longer than a record may take. A gateway that died gives its companies back after this. Milliseconds. */
const leaseMs = 30_000;
/** How often to look for records without being told of any. Milliseconds. */
const pollMs = 1_000;
/**
 * How long a company's records rest after the CRM did not tell, the first time,
 * the second … then it is dropped. Milliseconds.
 */
const restsMs = [2_000, 10_000, 60_000, 300_000];
/** The longest rest that a CRM may ask for. Milliseconds. */
const longestRestMs = 900_000;

type Needs = Pick<
  Services,
  | 'cipher'
  | 'clock'
  | 'crm'
  | 'crmConnections'
  | 'crmNotices'
  | 'crmProviders'
  | 'newId'
  | 'observer'
  | 'screenPops'
  | 'companyOf'
>;

/**
 * Reads records in the background: of each company one after the other, whichever gateway does,
 * of several companies in turns.
 */
export function createCrmRecordReader(services: Needs): CrmRecordReader {
  const { clock, crmNotices, newId, observer, screenPops } = services;
  const underWay = new Set<Promise<void>>();
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: pollMs,
    failed: (error) => observer.problem('records of CRM systems could not be leased', error),
  });

  async function look(): Promise<void> {
    const limit = atOnce - underWay.size;
    if (limit <= 0) return;
    const now = clock.now();
    const holder = newId();
    const until = now + leaseMs;
    const leased = await crmNotices.lease({ holder, limit, now: new Date(now), leaseUntil: new Date(until) });
    if (!looks.isRunning())
      return void (await Promise.all(leased.map(({ companyId }) => crmNotices.release(holder, companyId))));
    for (const notice of leased) track(read(holder, notice, until));
  }

  function track(reading: Promise<void>): void {
    underWay.add(reading);
    void reading.finally(() => {
      underWay.delete(reading);
      looks.wake();
    });
  }

  /** Where that fails the lease ends by itself, and the record is read again. */
  async function read(holder: string, notice: LeasedNotice, leasedUntil: number): Promise<void> {
    try {
      await readUnder(holder, notice, leasedUntil);
    } catch (error) {
      observer.problem('what became of a record of a CRM was not noted', error, { company_id: notice.companyId });
    }
  }

  async function readOne(notice: LeasedNotice, leasedUntil: number): Promise<ReadResult> {
    try {
      return await readNamedRecord(services, notice, leasedUntil);
    } catch (error) {
      observer.problem('a record of a CRM was not read', error, { company_id: notice.companyId });
      return { kind: 'trouble', trouble: { kind: 'unavailable', message: 'the gateway itself failed' } };
    }
  }

  async function readUnder(holder: string, notice: LeasedNotice, leasedUntil: number): Promise<void> {
    const { companyId, provider, tries } = notice;
    const result = await readOne(notice, leasedUntil);
    if (result.kind === 'too_late') return;
    if (result.kind === 'held_back') return crmNotices.release(holder, companyId);
    if (result.kind === 'waits')
      return crmNotices.release(holder, companyId, new Date(clock.now() + Math.min(result.forMs, longestRestMs)));
    if (result.kind === 'trouble') {
      const { trouble } = result;
      const restMs = restsMs[tries];
      const told = trouble.kind === 'rate_limited' ? (trouble.retryAfterMs ?? 0) : 0;
      if (restMs !== undefined) {
        return crmNotices.putOff(
          holder,
          notice,
          new Date(clock.now() + Math.min(Math.max(restMs, told), longestRestMs)),
        );
      }
      observer.crmNotice(provider, 'unreadable');
      observer.crmNoticesDropped({ company_id: companyId, provider, reason: trouble.kind });
    }
    if (await crmNotices.finish(holder, notice)) return;
    // Told of again: it is read again. Deleted there meanwhile: what was kept of it just now is forgotten.
    if ((await crmNotices.stateOf(holder, notice)) === 'withdrawn') {
      await screenPops.forgetRecord(companyId, { externalSystem: provider, ...notice.reference });
    }
    await crmNotices.release(holder, companyId);
  }

  return {
    start: looks.start,
    wake: looks.wake,
    async stop() {
      await looks.stop();
      await Promise.all(underWay);
    },
  };
}
