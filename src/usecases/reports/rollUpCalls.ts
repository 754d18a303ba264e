import { beginningOfUtcDay, dayMs } from '../../domain/reportWindows.ts';
import type { CallDayToRollUp } from '../../ports/reports.ts';
import type { Services } from '../services.ts';

/**
 * A day is rolled up so long after its end, at the earliest: what changes later of calls that began more than a day ago
 * is noted by the database. The rest is for clocks that differ. Milliseconds.
 */
const rollUpAfterMs = 26 * 3_600_000;
/** Days that are rolled up again in one round. */
const mostStale = 1_000;

type Needs = Pick<Services, 'callRollUps' | 'clock'> & { observer: Pick<Services['observer'], 'problem'> };

/**
 * Rolls calls up, day by day, and days again of which calls were changed. May be run by several gateways at once, late,
 * and again after it was ended: each day is written whole, and reports read what is not right from the calls. A signal
 * ends it after the day under way.
 */
export async function rollUpCalls({ callRollUps, clock, observer }: Needs, signal: AbortSignal): Promise<void> {
  const until = beginningOfUtcDay(clock.now() - rollUpAfterMs);
  const failed = (companyId: CallDayToRollUp['companyId']) => (error: unknown) =>
    observer.problem('calls could not be rolled up', error, { company_id: companyId });
  for (const missing of await callRollUps.toRollUp(until)) {
    if (signal.aborted) return;
    // One company's failure must not stop the others.
    await rollUpUntil({ callRollUps }, missing, until, signal).catch(failed(missing.companyId));
  }
  // Each raises the version of its company.
  const raised = new Map<string, number>();
  for (const day of await callRollUps.stale(mostStale)) {
    if (signal.aborted) return;
    const others = raised.get(day.companyId) ?? 0;
    const isDone = await callRollUps.rollUp({ ...day, version: day.version + others }).catch(failed(day.companyId));
    if (isDone === true) raised.set(day.companyId, others + 1);
  }
}

async function rollUpUntil(
  { callRollUps }: Pick<Needs, 'callRollUps'>,
  first: CallDayToRollUp,
  until: Date,
  signal: AbortSignal,
): Promise<void> {
  for (
    let { day, version } = first;
    day < until && !signal.aborted;
    day = new Date(day.getTime() + dayMs), version += 1
  ) {
    if (!(await callRollUps.rollUp({ companyId: first.companyId, day, version }))) return;
  }
}
