import type { DemoDelivery } from '../../contract/demo.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';

/** Of all companies together; the oldest go first. */
const keepAtMost = 100;
const keepCharacters = 8 * 1024 * 1024;

/** The webhooks that arrived last, in memory. */
export interface Inbox {
  /** Keeps a delivery and shows it to those who watch the company's. */
  add(companyId: CompanyId, delivery: Omit<DemoDelivery, 'sequence'>): void;
  /**
   * Shows the company's deliveries whose sequence is above `after`: first those that are kept, then each as it arrives.
   * The result ends it.
   */
  watch(companyId: CompanyId, after: number, show: (delivery: DemoDelivery) => void): () => void;
}

export function createInbox(clock: Clock): Inbox {
  let kept: { companyId: CompanyId; delivery: DemoDelivery }[] = [];
  // Above all that pages have seen of the gateway before this start.
  let sequence = clock.now();
  const watchers = new Set<{ companyId: CompanyId; show: (delivery: DemoDelivery) => void }>();

  function trim(): void {
    let characters = 0;
    let count = 0;
    for (const { delivery } of kept.toReversed()) {
      characters += delivery.body.length;
      if (count === keepAtMost || characters > keepCharacters) break;
      count += 1;
    }
    kept = kept.slice(kept.length - count);
  }

  return {
    add(companyId, arrived) {
      sequence += 1;
      const delivery = { sequence, ...arrived };
      kept.push({ companyId, delivery });
      trim();
      for (const watcher of watchers) if (watcher.companyId === companyId) watcher.show(delivery);
    },
    watch(companyId, after, show) {
      for (const one of kept) if (one.companyId === companyId && one.delivery.sequence > after) show(one.delivery);
      const watcher = { companyId, show };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}
