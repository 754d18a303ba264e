import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';

/** The longest wait that a CRM is granted. Milliseconds. */
const longestWaitMs = 900_000;
/** How many companies are remembered here; the others are asked for. */
const maxCompanies = 10_000;

/**
 * The waits that CRM systems tell with 429 and `Retry-After`: until then no gateway asks that company's CRM anything,
 * whoever wants to know what. This gateway remembers those that it has heard of.
 */
export function createToldWaits({ clock, counters }: { clock: Clock; counters: Counters }) {
  const known = new LRUCache<CompanyId, { until: number }>({ max: maxCompanies });
  const keyOf = (companyId: CompanyId, provider: string) => `crm wait ${companyId} ${provider}`;

  function knownUntil(companyId: CompanyId): number | null {
    const until = known.get(companyId)?.until ?? 0;
    return until > clock.now() ? until : null;
  }

  return {
    /** As far as this gateway knows. Milliseconds since the epoch; null: it may be asked. */
    knownUntil,
    /** As any gateway was told. Milliseconds since the epoch; null: it may be asked. */
    async until(companyId: CompanyId, provider: string): Promise<number | null> {
      const here = knownUntil(companyId);
      if (here !== null) return here;
      const until = (await counters.putOffUntil(keyOf(companyId, provider))) ?? 0;
      if (until <= clock.now()) return null;
      known.set(companyId, { until });
      return until;
    },
    /** The CRM said that it is to be asked again after so long. Milliseconds. */
    async keep(companyId: CompanyId, provider: string, waitMs: number): Promise<void> {
      const forMs = Math.min(waitMs, longestWaitMs);
      const until = clock.now() + forMs;
      if (forMs <= 0) return;
      known.set(companyId, { until: Math.max(until, knownUntil(companyId) ?? 0) });
      await counters.putOff(keyOf(companyId, provider), until, forMs);
    },
    /** Remembers nothing here any more: what other gateways know is asked for again. */
    forget(companyId: CompanyId): void {
      known.delete(companyId);
    },
  };
}
