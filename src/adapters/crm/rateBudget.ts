import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { CrmAccount } from '../../ports/crm.ts';
import type { Rate } from '../../providers/provider.ts';

/** What requests without anybody waiting for them leave to the others. */
const backgroundShare = 0.5;

/** Keeps a company's requests within its provider's limits, over all gateways. */
export function createRateBudget({ clock, counters }: { clock: Clock; counters: Counters }) {
  /** Null: taken. Else in how many milliseconds there may be room. */
  async function tryOnce(key: string, { count, perMs }: Rate, isLive: boolean): Promise<number | null> {
    const { points, endsInMs } = await counters.add(key, 1, Math.max(1, Math.ceil(perMs / 1_000)));
    if (points <= (isLive ? count : Math.max(1, Math.floor(count * backgroundShare)))) return null;
    await counters.add(key, -1, Math.max(1, Math.ceil(perMs / 1_000)));
    return Math.max(1, endsInMs);
  }

  return {
    /** Waits for its turn. Null: it has come; else in how many milliseconds it might, which is later than `until`. */
    async take(
      { companyId, provider }: CrmAccount,
      { isLive, isSearch = false, until }: { isLive: boolean; isSearch?: boolean; until: number },
    ): Promise<number | null> {
      const rates: [key: string, rate: Rate][] = [[`crm ${companyId} ${provider.id}`, provider.limits.all]];
      if (isSearch && provider.limits.searches !== null) rates.push([`crm searches ${companyId} ${provider.id}`, provider.limits.searches]);
      for (const [key, rate] of rates) {
        for (;;) {
          const waitMs = await tryOnce(key, rate, isLive);
          if (waitMs === null) break;
          if (clock.now() + waitMs >= until) return waitMs;
          await new Promise<void>((resolve) => clock.after(waitMs, resolve));
        }
      }
      return null;
    },
  };
}
