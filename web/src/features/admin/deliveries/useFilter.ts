import { useSearchParams } from 'wouter';
import type { DeliveryFilter } from './deliveryQueries.ts';

const names = ['event', 'state', 'call_id', 'since', 'until'] as const;

/** What the address says: which deliveries are listed, and which one is open. A reload, or a colleague, sees the same. */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter: DeliveryFilter = { event: '', state: '', call_id: '', since: '', until: '' };
  for (const name of names) filter[name] = params.get(name) ?? '';

  function set(change: Partial<DeliveryFilter> & { delivery?: string }): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(change)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  }

  const delivery = params.get('delivery') ?? '';
  // It becomes a part of a path, where `..` would lead elsewhere.
  const opened = /^[\w-]+$/.test(delivery) ? delivery : null;
  return { filter, opened, isFiltered: names.some((name) => filter[name] !== ''), set };
}
