import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { CrmAccount } from '../../ports/crm.ts';
import type { CrmResponse, Limits, Rate } from '../../providers/provider.ts';

/** What requests without anybody waiting for them leave to the others. */
const backgroundShare = 0.5;
/**
 * Requests need unequally long to arrive where they are counted: a window is taken for longer by this. Milliseconds.
 */
const arrivalSlackMs = 200;
/** Of how many companies it is remembered what their accounts may. */
const maxCompanies = 10_000;

/** A request's turn has not come, and might in so many milliseconds; `rate`: by which limit. */
type NoTurn = { waitMs: number; rate: Rate };

/**
 * Keeps a company's requests within its provider's limits, over all gateways: never more than the rate's count in any
 * of its windows. Where answers tell what the account may, that counts from then on; each gateway learns it by the
 * first answer that it gets.
 */
export function createRateBudget({ clock, counters }: { clock: Clock; counters: Counters }) {
  const told = new LRUCache<CompanyId, { provider: string; limits: Limits }>({ max: maxCompanies });

  function limitsOf({ companyId, provider }: CrmAccount): Limits {
    const known = told.get(companyId);
    return known?.provider === provider.id ? known.limits : provider.limits;
  }

  return {
    /** Waits for its turn. Null: it has come; else it comes later than `until`. */
    async take(
      account: CrmAccount,
      { isLive, isSearch, until }: { isLive: boolean; isSearch: boolean; until: number },
    ): Promise<NoTurn | null> {
      const { companyId, provider } = account;
      const limits = limitsOf(account);
      const rates: [key: string, rate: Rate][] = [[`crm ${companyId} ${provider.id}`, limits.all]];
      if (isSearch && limits.searches !== null)
        rates.push([`crm searches ${companyId} ${provider.id}`, limits.searches]);
      for (const [key, rate] of rates) {
        const { count, perMs } = rate;
        const below = isLive ? count : Math.max(1, Math.floor(count * backgroundShare));
        for (;;) {
          const waitMs = await counters.takePlace(key, { count, perMs: perMs + arrivalSlackMs, below });
          if (waitMs === 0) break;
          if (clock.now() + waitMs >= until) return { waitMs, rate };
          await new Promise<void>((resolve) => clock.after(waitMs, resolve));
        }
      }
      return null;
    },
    /** Reads from an answer what the account may. */
    learn({ companyId, provider }: CrmAccount, response: CrmResponse): void {
      const limits = provider.limits.told?.(response) ?? null;
      if (limits !== null) told.set(companyId, { provider: provider.id, limits });
    },
    forget(companyId: CompanyId): void {
      told.delete(companyId);
    },
  };
}
