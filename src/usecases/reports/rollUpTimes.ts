import { beginningOfQuarter, quarterMs } from '../../domain/reportTimes.ts';
import type { ToRollUp } from '../../ports/reports.ts';
import { keepLiveMs } from '../retention.ts';
import type { Services } from '../services.ts';

/**
 * Timelines are rolled up a day before they are forgotten,
 * so that no gateway forgets what another has not rolled up. Milliseconds.
 */
export const rollUpAfterMs = keepLiveMs - 24 * 3_600_000;
/** Rolled up by one statement, so that none runs long. Milliseconds. */
const atOnceMs = 24 * 3_600_000;

type Needs = Pick<Services, 'agentTimes' | 'clock'> & { observer: Pick<Services['observer'], 'problem'> };

/**
 * Rolls agents' timelines up, company by company, before they are forgotten. May be run by several gateways
 * at once, late, and again after it was ended: each piece is written once, and whole. A signal ends it
 * after the piece under way.
 */
export async function rollUpTimes({ agentTimes, clock, observer }: Needs, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  const until = beginningOfQuarter(now - rollUpAfterMs);
  for (const company of await agentTimes.toRollUp(until)) {
    if (signal.aborted) return;
    // One company's failure must not stop the others; nothing of it is forgotten until it is rolled up.
    await rollUpCompany({ agentTimes }, company, { until, now }, signal).catch((error: unknown) =>
      observer.problem('what agents did could not be rolled up', error, { company_id: company.companyId }),
    );
  }
}

async function rollUpCompany(
  { agentTimes }: Pick<Needs, 'agentTimes'>,
  company: ToRollUp,
  { until, now }: { until: Date; now: number },
  signal: AbortSignal,
): Promise<void> {
  const { companyId } = company;
  const knownSince = new Date(now - keepLiveMs);
  let from = company.from ?? (await beginningOf({ agentTimes }, companyId, until));
  while (from < until && !signal.aborted) {
    const end = new Date(Math.min(from.getTime() + atOnceMs, until.getTime()));
    if (!(await agentTimes.rollUp(companyId, { from, until: end }, knownSince))) return;
    from = end;
  }
}

/** Where rolling up begins for a company of which nothing is rolled up yet. */
async function beginningOf(
  { agentTimes }: Pick<Needs, 'agentTimes'>,
  companyId: ToRollUp['companyId'],
  until: Date,
): Promise<Date> {
  const first = await agentTimes.beginning(companyId);
  return first === null || first >= until ? new Date(until.getTime() - quarterMs) : beginningOfQuarter(first.getTime());
}
