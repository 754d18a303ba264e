import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { CrmAccount } from '../../ports/crm.ts';
import type { Rate } from '../../providers/provider.ts';

/** What requests without anybody waiting for them leave to the others. */
const backgroundShare = 0.5;
/** Requests need unequally long to arrive where they are counted: a window is taken for longer by this. Milliseconds. */
const arrivalSlackMs = 200;

/** Keeps a company's requests within its provider's limits, over all gateways: never more than the rate's count in any of its windows. */
export function createRateBudget({ clock, counters }: { clock: Clock; counters: Counters }) {
  return {
    /** Waits for its turn. Null: it has come; else in how many milliseconds it might, which is later than `until`. */
    async take(
      { companyId, provider }: CrmAccount,
      { isLive, isSearch, until }: { isLive: boolean; isSearch: boolean; until: number },
    ): Promise<number | null> {
      const rates: [key: string, rate: Rate][] = [[`crm ${companyId} ${provider.id}`, provider.limits.all]];
      if (isSearch && provider.limits.searches !== null) rates.push([`crm searches ${companyId} ${provider.id}`, provider.limits.searches]);
      for (const [key, { count, perMs }] of rates) {
        const below = isLive ? count : Math.max(1, Math.floor(count * backgroundShare));
        for (;;) {
          const waitMs = await counters.takePlace(key, { count, perMs: perMs + arrivalSlackMs, below });
          if (waitMs === 0) break;
          if (clock.now() + waitMs >= until) return waitMs;
          await new Promise<void>((resolve) => clock.after(waitMs, resolve));
        }
      }
      return null;
    },
  };
}
