import type { CompanyId } from '../../domain/ids.ts';
import type { ClickCounts, ClickResult, ClickTallies, QuarterOfClicks, Wallboard } from '../../ports/wallboard.ts';
import { createWriteBehind } from '../concurrency/writeBehind.ts';
import type { Services } from '../services.ts';
import { clickTally } from './liveViews.ts';

const quarterMs = 15 * 60_000;

/** Counts clicks for the wallboard; no click waits for it. */
export interface ClickCounter {
  /** The click has been answered just now. */
  count(companyId: CompanyId, result: ClickResult): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

type Needs = Pick<Services, 'clock' | 'observer'> & { clickTallies: ClickTallies; wallboard: Wallboard };

/** Collects in memory, writes in the background, and tells the supervisors the sums once they are written. */
export function createClickCounter(services: Needs): ClickCounter {
  const { clock, clickTallies, wallboard } = services;
  let waiting = new Map<string, QuarterOfClicks>();

  function collect(companyId: CompanyId, at: Date, counts: Partial<ClickCounts>): void {
    const key = `${companyId} ${String(at.getTime())}`;
    const counted = waiting.get(key)?.counts;
    waiting.set(key, { companyId, at, counts: sumOf(counted ?? {}, counts) });
  }

  async function write(): Promise<void> {
    const clicks = [...waiting.values()];
    waiting = new Map();
    const sums = await clickTallies.add(clicks).catch((error: unknown) => {
      for (const { companyId, at, counts } of clicks) collect(companyId, at, counts);
      throw error;
    });
    for (const [companyId, own] of byCompany(sums)) wallboard.clicksChanged(companyId, own.map(clickTally));
  }

  const writer = createWriteBehind(services, {
    problem: 'clicks could not be counted for the wallboard; they are kept and tried again',
    waits: () => waiting.size > 0,
    write,
  });

  return {
    count(companyId, result) {
      const now = clock.now();
      collect(companyId, new Date(now - (now % quarterMs)), { [result]: 1 });
      writer.wake();
    },
    stop: () => writer.stop(),
  };
}

function sumOf(a: Partial<ClickCounts>, b: Partial<ClickCounts>): ClickCounts {
  return {
    dialed: (a.dialed ?? 0) + (b.dialed ?? 0),
    noReadyAgent: (a.noReadyAgent ?? 0) + (b.noReadyAgent ?? 0),
    agentNotReady: (a.agentNotReady ?? 0) + (b.agentNotReady ?? 0),
    failed: (a.failed ?? 0) + (b.failed ?? 0),
  };
}

function byCompany(quarters: QuarterOfClicks[]): Map<CompanyId, QuarterOfClicks[]> {
  const companies = new Map<CompanyId, QuarterOfClicks[]>();
  for (const quarter of quarters)
    companies.set(quarter.companyId, [...(companies.get(quarter.companyId) ?? []), quarter]);
  return companies;
}
