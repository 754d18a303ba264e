import { nextRun } from '../../domain/reportViews.ts';
import type { LeasedRun } from '../../ports/reportViews.ts';
import { backgroundLooks } from '../concurrency/backgroundLooks.ts';
import type { Services } from '../services.ts';
import { reportEvent, type SendNeeds } from './sendReport.ts';

/** Taken by a gateway in one look, and counted one after the other: a report may take the database a second. */
const atOnce = 8;
/** A gateway that died while it counted gives its runs back after this; so does one that failed. Milliseconds. */
const leaseMs = 120_000;
/** How often to look for what other gateways have set. Milliseconds. */
const pollMs = 30_000;
/** What is due is being taken by another gateway at this moment. Milliseconds. */
const lookAgainMs = 1_000;
/**
 * Runs that were missed while no gateway was there are made up for, each with its own time, so far back. Milliseconds.
 */
const makeUpMs = 7 * 24 * 3_600_000;

export interface ReportScheduler {
  start(): void;
  /** A schedule was set: look when it is due. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way. May be called twice. */
  stop(): Promise<void>;
}

type Needs = SendNeeds & Pick<Services, 'observer' | 'reportSchedules' | 'wakeDispatcher'>;

/**
 * Sends reports when they are due, whichever gateway comes first. A run is ended together with its webhook,
 * in one statement: it is sent once, over restarts too. @param publicUrl where callers reach the service;
 * null: only paths are known
 */
export function createReportScheduler(services: Needs, publicUrl: string | null): ReportScheduler {
  const { clock, observer, reportSchedules } = services;
  let isStopping = false;
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: pollMs,
    failed: (error) => observer.problem('reports that are due could not be taken', error),
  });

  async function look(): Promise<number> {
    const now = clock.now();
    const leased = await reportSchedules.lease(new Date(now), new Date(now + leaseMs), atOnce);
    // What is left at a shutdown falls due again for another gateway, once its lease ends.
    for (const run of leased) if (!isStopping) await send(run);
    const next = await reportSchedules.nextDue();
    return next === null
      ? pollMs
      : Math.min(Math.max(next.getTime() - clock.now(), leased.length === atOnce ? 0 : lookAgainMs), pollMs);
  }

  /** Where that fails the lease ends by itself, and it is sent again. */
  async function send(run: LeasedRun): Promise<void> {
    const { nextAt, rhythm, view } = run;
    try {
      const made = await reportEvent(services, view, {
        timeZone: rhythm.timeZone,
        scheduledFor: nextAt,
        by: null,
        publicUrl,
      });
      if (made.kind === 'refused') throw new Error(made.detail);
      const now = clock.now();
      const after = nextRun(rhythm, new Date(Math.max(nextAt.getTime(), now - makeUpMs)));
      if ((await reportSchedules.fire(run, after, new Date(now), made.value)) === 'sent')
        services.wakeDispatcher(view.companyId);
    } catch (error) {
      observer.problem('a report that is due could not be sent', error, { company_id: view.companyId });
    }
  }

  return {
    start: looks.start,
    wake: looks.wake,
    stop() {
      isStopping = true;
      return looks.stop();
    },
  };
}
