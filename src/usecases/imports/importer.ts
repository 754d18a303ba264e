import type { ImportCounts } from '../../contract/imports.ts';
import { behindAll, type Import, type JudgedRow } from '../../domain/imports.ts';
import type { ImportId } from '../../domain/ids.ts';
import type { BatchResult } from '../../ports/imports.ts';
import { backgroundLooks } from '../concurrency/backgroundLooks.ts';
import type { Services } from '../services.ts';
import { isOvertaken, judgeBatch, type JudgedBatch, type JudgeNeeds, readBatch, type ReadRows } from './judgeBatch.ts';
import { readingPlanOf } from './readingPlan.ts';

/** Rows that are judged and written together. */
const batchRows = 500;
/** But no more once they hold so much, since all of them are written together. Characters. */
const batchCharacters = 500_000;
/**
 * After so many batches the import that has waited longest has its turn,
 * so that a small one does not wait for a large one.
 */
const turnBatches = 4;
/** Longer than a batch takes. What a gateway that died held goes on after this. Milliseconds. */
const leaseMs = 15_000;
/** How often to look for imports without being told of any. Milliseconds. */
const pollMs = 1_000;
/** How long an import rests after a batch failed, the first time, the second …, then it has failed. Milliseconds. */
const restsMs = [1_000, 5_000, 20_000, 60_000];
/** How often rows are judged anew because a contact was changed meanwhile. */
const maxTries = 10;

/** `judged` by what was there when it was read. */
type Batch = { rows: ReadRows; judged: JudgedBatch };

type Needs = JudgeNeeds & Pick<Services, 'clock' | 'forget' | 'observer'>;

export interface Importer {
  start(): void;
  /** Looks for imports at once. */
  wake(): void;
  /** Gives back what it holds after the batch under way. */
  stop(): Promise<void>;
}

/**
 * Checks, runs and undoes imports in the background, a batch after the other;
 * each gateway one import at a time, by turns.
 */
export function createImporter(services: Needs): Importer {
  const { clock, imports, newId, observer } = services;
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: pollMs,
    failed: (error) => observer.problem('imports could not be leased', error),
  });

  /** Its next batch, read and judged while its last one (`behind`) was written, also for its next turn. */
  let ahead: { id: ImportId; pass: number; position: number; batch: Promise<Batch>; behind: JudgedBatch } | null = null;

  async function look(): Promise<void> {
    for (let more = true; more && looks.isRunning();) more = await workOnOne();
  }

  async function workOnOne(): Promise<boolean> {
    const holder = newId();
    const leased = await imports.lease(holder, new Date(clock.now()), leaseEnd());
    // Somebody may be erased from rows that wait: they are read ahead for a turn that follows at once, and for no other.
    if (leased?.id !== ahead?.id) ahead = null;
    if (leased === null) return false;
    try {
      await work(leased, holder);
    } catch (error) {
      ahead = null;
      observer.problem('a batch of an import failed', error, { company_id: leased.companyId });
      const rest = restsMs[await imports.failuresOf(leased.companyId, leased.id)];
      const now = clock.now();
      await imports.fail(
        leased.companyId,
        leased.id,
        holder,
        rest === undefined ? null : new Date(now + rest),
        new Date(now),
      );
      return true;
    }
    await imports.release(holder, new Date(clock.now()));
    return true;
  }

  const leaseEnd = () => new Date(clock.now() + leaseMs);

  async function work(leased: Import, holder: string): Promise<void> {
    const read = leased.state === 'undoing' ? null : reader(leased, await readingPlanOf(services, leased));
    let one = leased;
    for (let batches = 0; batches < turnBatches && looks.isRunning() && one.position !== behindAll; batches += 1) {
      const next = read === null ? await undo(one, holder) : await judgeAndWrite(one, holder, read);
      if (next === null) return;
      one = next;
    }
  }

  /** The batch behind a position; one that was asked for ahead is read and judged while the one before is written. */
  function reader(one: Import, plan: Awaited<ReturnType<typeof readingPlanOf>>) {
    const begin = async (position: number): Promise<Batch> => {
      const most = { rows: batchRows, characters: batchCharacters };
      const rows = await readBatch(one, plan, await imports.batch(one.companyId, one.id, position, most));
      return { rows, judged: await judgeBatch(services, one, rows) };
    };
    const aheadOf = (position: number) =>
      ahead?.id === one.id && ahead.pass === one.pass && ahead.position === position ? ahead : null;
    return {
      async from(position: number): Promise<Batch> {
        const begun = aheadOf(position);
        if (begun === null) return begin(position);
        const { rows, judged } = await begun.batch;
        return { rows, judged: isOvertaken(judged, begun.behind) ? await judgeBatch(services, one, rows) : judged };
      },
      ahead(position: number, behind: JudgedBatch): void {
        const begun = aheadOf(position) ?? { id: one.id, pass: one.pass, position, batch: begin(position), behind };
        ahead = Object.assign(begun, { behind });
        // Whoever has taken it is told; the next one begins anew.
        begun.batch.catch(() => void (ahead = ahead === begun ? null : ahead));
      },
    };
  }

  /** Null: another gateway goes on with it, or nobody. */
  async function judgeAndWrite(one: Import, holder: string, read: ReturnType<typeof reader>): Promise<Import | null> {
    let { rows: batch, judged } = await read.from(one.position);
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (tries > 0) judged = await judgeBatch(services, one, batch);
      const { rows, organisations, hashes, judgedBy } = judged;
      const position = rows.at(-1)?.row ?? behindAll;
      const next: Import = { ...one, position, counts: counted(one.counts, rows) };
      const writes = one.state === 'running';
      if (position !== behindAll) read.ahead(position, judged);
      const at = new Date(clock.now());
      const result = await imports.write({
        import: next,
        holder,
        from: one.position,
        rows,
        writes,
        organisations,
        hashes,
        judgedBy,
        at,
        leaseUntil: leaseEnd(),
        newId,
      });
      if (result === 'lost') {
        ahead = null;
        return null;
      }
      if (result === 'conflict') continue;
      if (writes && one.counts.created === 0 && next.counts.created > 0) services.forget(one.companyId);
      return next;
    }
    throw new Error(`the contacts of an import were changed ${maxTries} times meanwhile`);
  }

  async function undo(one: Import, holder: string): Promise<Import | null> {
    const rows = await imports.written(one.companyId, one.id, one.position, batchRows);
    const whole = await undoRows(one, holder, rows, rows.length < batchRows);
    if (whole !== 'conflict') return whole;
    // One of them cannot be as before, such as by an external id that another contact has now.
    let at: Import = one;
    for (const [index, row] of rows.entries()) {
      const isLast = rows.length < batchRows && index === rows.length - 1;
      const single = await undoRows(at, holder, [row], isLast);
      const next = single === 'conflict' ? await undoRows(at, holder, [{ ...row, version: -1 }], isLast) : single;
      if (next === 'conflict') throw new Error('a row that is left as it is cannot be in conflict');
      if (next === null) return null;
      at = next;
    }
    return at;
  }

  async function undoRows(
    one: Import,
    holder: string,
    rows: Awaited<ReturnType<typeof imports.written>>,
    isLast: boolean,
  ): Promise<Import | null | Extract<BatchResult, 'conflict'>> {
    const position = isLast ? behindAll : (rows.at(-1)?.row ?? behindAll);
    const next: Import = { ...one, position };
    const result = await imports.undo({
      import: next,
      holder,
      from: one.position,
      rows,
      at: new Date(clock.now()),
      leaseUntil: leaseEnd(),
      newId,
    });
    if (result === 'conflict') return result;
    // Its counts are the store's: it knows which rows were touched.
    return result === 'lost'
      ? null
      : imports.find(one.companyId, one.id).then((found) => (found === null ? null : { ...found, position }));
  }

  return { start: looks.start, wake: looks.wake, stop: looks.stop };
}

function counted(before: ImportCounts, rows: readonly JudgedRow[]): ImportCounts {
  const counts = { ...before };
  for (const { outcome, remarks } of rows) {
    counts[outcome] += 1;
    if (remarks.length > 0) counts.with_remarks += 1;
  }
  return counts;
}
