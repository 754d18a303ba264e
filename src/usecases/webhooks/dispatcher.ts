import type { CompanyId } from '../../domain/ids.ts';
import type { ClaimedDelivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { sendDelivery, type AttemptNeeds, type SentDelivery } from './attemptDelivery.ts';
import { createLanes } from './lanes.ts';
import { noteHealth } from './noteHealth.ts';

/** Attempts under way at once in this process. */
const maxSending = 256;
/** Deliveries that this process holds, and that one claim takes. */
const maxHeld = 1_024;
const claimAtMost = 256;
/** A process that died gives its deliveries back after this, unless others notice sooner. */
const leaseMs = 45_000;
/** Leases that end sooner are renewed: an attempt lasts at most 15 s. */
const renewBeforeMs = 30_000;
/** How often to look for due deliveries without being told of any. */
const pollMs = 1_000;
/** Between two looks: this process stood still, and others may have taken it for dead. */
const stalledMs = 3_500;
const settleAgainAfterMs = 1_000;

export interface Dispatcher {
  start(): void;
  /** Deliveries wait: look now. */
  wake(): void;
  /** A company's settings changed: what waits here is claimed anew, with the URL and secret that it has now. */
  forget(companyId: CompanyId): void;
  /** Whether the latest look into the outbox succeeded. */
  works(): boolean;
  /** Claims nothing more, gives back what it did not send, and waits for the attempts under way. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Sends what is in the outbox: claims what is due, fairly, into lanes; sends from the lanes; settles; and looks for
 * more whenever a lane runs dry, since the next events of its calls may go out by that.
 */
export function createDispatcher(services: AttemptNeeds & Pick<Services, 'nodeId'>): Dispatcher {
  const { clock, observer, outbox, nodeId } = services;
  const lanes = createLanes({ maxSending });
  const underWay = new Set<Promise<void>>();
  let running = false;
  let stopping = () => {};
  const stopped = new Promise<void>((resolve) => (stopping = resolve));
  let looking: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let latestLookFailed = false;
  let lookedAt = 0;
  let cancelPoll = () => {};

  function wake(): void {
    if (!running) return;
    if (looking !== null) {
      wokenMeanwhile = true;
      return;
    }
    looking = look().finally(() => {
      looking = null;
      if (!wokenMeanwhile) return;
      wokenMeanwhile = false;
      wake();
    });
  }

  async function look(): Promise<void> {
    try {
      await renewLeases();
      await claim();
      latestLookFailed = false;
    } catch (error) {
      latestLookFailed = true;
      observer.problem('webhook deliveries could not be claimed', error);
    }
    sendAll();
  }

  /** After a stall all of them: somebody else may have given them back, and a stranger may be sending them. */
  async function renewLeases(): Promise<void> {
    const now = clock.now();
    const stalled = now - lookedAt > stalledMs;
    const ids = lanes.endingBefore(stalled ? Infinity : now + renewBeforeMs);
    if (ids.length > 0) {
      const leaseUntil = now + leaseMs;
      const renewed = await outbox.renew(nodeId, ids, new Date(leaseUntil));
      lanes.renewed(renewed, leaseUntil);
      const kept = new Set(renewed);
      lanes.takeBack({ ids: new Set(ids.filter((id) => !kept.has(id))) });
    }
    lookedAt = now;
  }

  async function claim(): Promise<void> {
    const limit = Math.min(claimAtMost, maxHeld - lanes.count());
    if (limit <= 0) return;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    const claimed = await outbox.claim({
      claimId: nodeId, limit, now: new Date(now), leaseUntil: new Date(leaseUntil), holdings: lanes.holdings(),
    });
    lanes.add(claimed, leaseUntil);
    if (claimed.length === limit) wokenMeanwhile = true;
  }

  function sendAll(): void {
    if (clock.now() - lookedAt > stalledMs) {
      // A look that failed is repeated by the poll.
      if (!latestLookFailed) wake();
      return;
    }
    for (let next = running ? lanes.next() : null; next !== null; next = lanes.next()) track(send(next));
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const sent = await attempt(delivery);
    lanes.answered(delivery);
    if (sent?.verdict === 'delivered') {
      const wasFailing = lanes.sent(delivery, { failed: false, latencyMs: sent.result.latencyMs });
      sendAll();
      await settle(delivery, sent);
      const lookForMore = lanes.done(delivery);
      // First: a claim passes over an endpoint that is being judged.
      if (wasFailing) await judge(delivery, sent);
      if (lookForMore) wake();
      return;
    }
    // The endpoint is judged first, and the place kept until then: the breaker opens before more is sent.
    if (sent !== null) {
      await judge(delivery, sent);
      await settle(delivery, sent);
    }
    const lookForMore = lanes.done(delivery);
    lanes.sent(delivery, { failed: true, latencyMs: 0 });
    if (lookForMore) wake();
  }

  /** Null: it could not be sent. The lease lapses and the delivery falls due again. */
  async function attempt(delivery: ClaimedDelivery): Promise<SentDelivery | null> {
    try {
      return await sendDelivery(services, delivery, true);
    } catch (error) {
      observer.problem('a webhook delivery could not be sent', error, { delivery_id: delivery.id });
      return null;
    }
  }

  /** Tried again while the delivery is held: what has arrived should not be sent once more. */
  async function settle(delivery: ClaimedDelivery, { settlement }: SentDelivery): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await outbox.settle(nodeId, settlement);
        return;
      } catch (error) {
        if (tries === 1) observer.problem('a webhook attempt could not be settled', error, { delivery_id: delivery.id });
        if (!running || clock.now() >= lanes.leaseOf(delivery)) return;
        await Promise.race([stopped, new Promise<void>((resolve) => clock.after(settleAgainAfterMs, resolve))]);
      }
    }
  }

  /** An endpoint that is paused or disabled gets nothing of what waits here. */
  async function judge(delivery: ClaimedDelivery, sent: SentDelivery): Promise<void> {
    try {
      const health = await noteHealth(services, delivery, sent);
      if (health !== null && health.pausedUntil === null && health.disabled === null) return;
      await giveBack({ companyId: delivery.companyId });
    } catch (error) {
      observer.problem('the health of a webhook endpoint could not be noted', error, { company_id: delivery.companyId });
    }
  }

  function track(sending: Promise<void>): void {
    underWay.add(sending);
    void sending.finally(() => {
      underWay.delete(sending);
      sendAll();
    });
  }

  function poll(): void {
    cancelPoll = clock.after(pollMs, () => {
      wake();
      poll();
    });
  }

  async function giveBack(which: { companyId: CompanyId } | 'all'): Promise<void> {
    const ids = lanes.takeBack(which);
    if (ids.length > 0) await outbox.release(nodeId, ids, new Date(clock.now()));
  }

  function reportLost(error: unknown): void {
    // Their leases lapse.
    observer.problem('webhook deliveries could not be given back', error);
  }

  return {
    start() {
      running = true;
      lookedAt = clock.now();
      wake();
      poll();
    },
    wake,
    forget(companyId) {
      void giveBack({ companyId }).then(wake, reportLost);
    },
    works: () => running && !latestLookFailed,
    async stop() {
      running = false;
      cancelPoll();
      stopping();
      await looking;
      await giveBack('all').catch(reportLost);
      await Promise.all(underWay);
    },
  };
}
