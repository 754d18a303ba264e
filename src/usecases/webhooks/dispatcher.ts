import type { ClaimedDelivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { attemptDelivery, type AttemptNeeds } from './attemptDelivery.ts';

/** Attempts under way at once in this process. */
const maxInFlight = 256;
const claimAtMost = 64;
/** An attempt lasts at most 15 s; a process that died gives its deliveries back after this. */
const leaseMs = 45_000;
/** How often to look for due deliveries without being told of any. */
const pollMs = 1_000;

export interface Dispatcher {
  start(): void;
  /** Deliveries wait: look now. */
  wake(): void;
  /** Whether the latest look into the outbox succeeded. */
  works(): boolean;
  /** Claims nothing more and waits for the attempts under way. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Sends what is in the outbox. Claims a few at a time, fairly, and again whenever an attempt ends, since the next
 * of that call or endpoint may have become due by it.
 */
export function createDispatcher(services: AttemptNeeds & Pick<Services, 'newId'>): Dispatcher {
  const underWay = new Set<Promise<void>>();
  let running = false;
  let claiming: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let latestClaimFailed = false;
  let cancelPoll = () => {};

  function wake(): void {
    if (!running) return;
    if (claiming !== null) {
      wokenMeanwhile = true;
      return;
    }
    claiming = claimAndSend().finally(() => {
      claiming = null;
      if (!wokenMeanwhile) return;
      wokenMeanwhile = false;
      wake();
    });
  }

  async function claimAndSend(): Promise<void> {
    const limit = Math.min(claimAtMost, maxInFlight - underWay.size);
    if (limit <= 0) return;
    const claimId = services.newId();
    const now = services.clock.now();
    try {
      const claim = { claimId, limit, now: new Date(now), leaseUntil: new Date(now + leaseMs) };
      const claimed = await services.outbox.claim(claim);
      latestClaimFailed = false;
      for (const delivery of claimed) track(send(delivery, claimId));
      if (claimed.length === limit) wokenMeanwhile = true;
    } catch (error) {
      latestClaimFailed = true;
      services.observer.problem('webhook deliveries could not be claimed', error);
    }
  }

  async function send(delivery: ClaimedDelivery, claimId: string): Promise<void> {
    try {
      await attemptDelivery(services, delivery, claimId, true);
    } catch (error) {
      // Not settled: the lease lapses and the delivery falls due again.
      services.observer.problem('a webhook attempt could not be settled', error, { delivery_id: delivery.id });
    }
  }

  function track(sending: Promise<void>): void {
    underWay.add(sending);
    void sending.finally(() => {
      underWay.delete(sending);
      wake();
    });
  }

  function poll(): void {
    cancelPoll = services.clock.after(pollMs, () => {
      wake();
      poll();
    });
  }

  return {
    start() {
      running = true;
      wake();
      poll();
    },
    wake,
    works: () => running && !latestClaimFailed,
    async stop() {
      running = false;
      cancelPoll();
      await claiming;
      await Promise.all(underWay);
    },
  };
}
