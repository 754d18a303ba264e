import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CrmTrouble } from '../../ports/crm.ts';

/** So many times without an answer, one after the other, and a CRM is left alone for a while. */
const failuresToOpen = 5;
const openMs = 30_000;
/** How many companies are remembered; only those whose CRM fails are. */
const maxCompanies = 10_000;

type Failing = { failures: number; until: number };

/**
 * Leaves alone, for 30 s, a CRM that has not answered five times in a row;
 * then one request tries, and the next failure pauses anew.
 */
export function createBreaker(clock: Clock) {
  const failing = new LRUCache<CompanyId, Failing>({ max: maxCompanies });

  return {
    /**
     * Whether it is left alone at the moment, for those who only want to know. Milliseconds since the epoch;
     * null: it is not.
     */
    openUntil(companyId: CompanyId): number | null {
      const known = failing.get(companyId);
      return known !== undefined && known.failures >= failuresToOpen && clock.now() < known.until ? known.until : null;
    },
    /** Of a request that is to be sent. Milliseconds since the epoch; null: it may be. */
    pausedUntil(companyId: CompanyId): number | null {
      const known = failing.get(companyId);
      if (known === undefined || known.failures < failuresToOpen) return null;
      if (clock.now() < known.until) return known.until;
      // This one tries; others wait for what comes of it, or for the next pause to end.
      known.until = clock.now() + openMs;
      return null;
    },
    /** @param trouble null: it did what it was asked to */
    note(companyId: CompanyId, trouble: CrmTrouble | null): void {
      if (trouble?.kind !== 'no_answer' && trouble?.kind !== 'unavailable') {
        failing.delete(companyId);
        return;
      }
      const failures = (failing.get(companyId)?.failures ?? 0) + 1;
      failing.set(companyId, { failures, until: clock.now() + openMs });
    },
    forget(companyId: CompanyId): void {
      failing.delete(companyId);
    },
  };
}
