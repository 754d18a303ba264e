import type { CompanyId } from '../../domain/ids.ts';
import { oneAtATime } from '../concurrency/oneAtATime.ts';
import type { Services } from '../services.ts';
import { createEndpointQueues, type QueuedDelivery } from './endpointQueues.ts';
import type { Lane, Sent } from './lane.ts';
import { createSettling } from './settling.ts';

/** Deliveries that this process has at hand at most. */
const maxHeld = 2_048;
/** The endpoints of a process that died are served by others after this, unless they notice sooner. */
const leaseMs = 45_000;
/** Leases that end sooner are renewed: an attempt lasts at most 15 s. */
const renewBeforeMs = 30_000;
/** When to try again what could not be tried at all. */
const putOffMs = 45_000;
/** How often to look for due deliveries without being told of any. */
const pollMs = 1_000;
/** Between two beats: this process stood still, and others may have taken it for dead. Less than a gateway's lease. */
const stalledMs = 3_500;

export interface Dispatcher {
  start(): void;
  /** Deliveries wait: look now. */
  wake(): void;
  /** Others may have taken this gateway for dead: renews its leases before it sends anything more. */
  markLeasesUncertain(): void;
  /** A company's settings changed: what waits here is read anew, with the URL and secret that it has now. */
  forget(companyId: CompanyId): void;
  /** Whether the latest look into the outbox succeeded. */
  works(): boolean;
  /** Sends nothing more, waits for the attempts under way, and gives back the endpoints. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Sends what is in the outbox: leases endpoints, fairly, and reads what is due there into queues;
 * sends from the queues; settles; and looks for more whenever there may be more for a queue with room.
 */
export function createDispatcher<D extends QueuedDelivery, S extends Sent>(
  { clock, observer, nodeId }: Pick<Services, 'clock' | 'nodeId' | 'observer'>,
  lane: Lane<D, S>,
): Dispatcher {
  const queues = createEndpointQueues<D>({ maxSending: lane.maxSending, maxHeld }, lane.createGroups);
  const settling = createSettling({ clock, observer }, lane, { takeBack: (companyId) => queues.takeBack(companyId) });
  const underWay = new Set<Promise<void>>();
  let running = false;
  let latestLookFailed = false;
  /** How often others have told of new deliveries. */
  let notificationCount = 0;
  /** How often the leases became uncertain, and how many of those the latest renewal has resolved. */
  let uncertainties = 0;
  let resolvedUncertainties = 0;
  let beatAt = 0;
  let cancelPoll = () => {};
  const looks = oneAtATime(lookNow, () => !running);

  async function lookNow(): Promise<void> {
    try {
      await renewLeases();
      await lease();
      latestLookFailed = false;
    } catch (error) {
      // Reported once; the poll tries again.
      if (!latestLookFailed) observer.problem(`${lane.kind} deliveries could not be leased`, error);
      latestLookFailed = true;
    }
    sendAll();
  }

  /**
   * All of them where they are uncertain: another gateway may have given them away, and somebody may be sending there.
   */
  async function renewLeases(): Promise<void> {
    const uncertain = uncertainties;
    const now = clock.now();
    const ending = queues.endingBefore(resolvedUncertainties < uncertain ? Infinity : now + renewBeforeMs);
    if (ending.length > 0) {
      const leaseUntil = now + leaseMs;
      const renewed = await lane.renew(nodeId, ending, new Date(leaseUntil));
      queues.renewed(renewed, leaseUntil);
      const kept = new Set(renewed);
      for (const companyId of ending) if (!kept.has(companyId)) queues.takeBack(companyId);
    }
    resolvedUncertainties = uncertain;
  }

  async function lease(): Promise<void> {
    const limit = Math.min(lane.leaseAtMost, maxHeld - queues.count());
    if (limit <= 0) return;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    const countBefore = notificationCount;
    const leased = await lane.lease({
      holder: nodeId,
      limit,
      now: new Date(now),
      leaseUntil: new Date(leaseUntil),
      ...queues.wants(),
    });
    queues.add(leased, leaseUntil, countBefore);
    if (leased.length === limit) looks.ask();
  }

  function sendAll(): void {
    if (!running) return;
    if (clock.now() - beatAt > stalledMs) beat();
    if (resolvedUncertainties < uncertainties) {
      if (!latestLookFailed) looks.ask();
      return;
    }
    for (let next = queues.next(clock.now()); next !== null; next = queues.next(clock.now())) track(send(next));
  }

  async function send(delivery: D): Promise<void> {
    const sent = await attempt(delivery);
    if (sent?.verdict === 'delivered') {
      const wasFailing = queues.sent(delivery, { failed: false, latencyMs: sent.latencyMs });
      sendAll();
      await settling.settle(delivery, sent);
      const worthALook = queues.done(delivery, notificationCount);
      // First: nothing is leased for an endpoint whose health is being changed.
      if (wasFailing) await settling.judge(delivery, sent);
      if (worthALook) looks.ask();
      return;
    }
    // The endpoint is judged first, and the place kept until then: the breaker opens before more is sent.
    if (sent !== null) {
      await settling.judge(delivery, sent);
      await settling.settle(delivery, sent);
    }
    const worthALook = queues.done(delivery, notificationCount);
    queues.sent(delivery, { failed: true, latencyMs: 0 });
    if (worthALook) looks.ask();
  }

  /** Null: it could not be tried, and is due again later. */
  async function attempt(delivery: D): Promise<S | null> {
    const reportLost = (error: unknown) =>
      observer.problem(`a ${lane.kind} delivery could not be sent`, error, { delivery_id: delivery.id });
    const sent = await lane.send(delivery).catch((error: unknown) => {
      reportLost(error);
      return null;
    });
    if (sent === null) await lane.putOff(nodeId, delivery, new Date(clock.now() + putOffMs)).catch(reportLost);
    return sent;
  }

  function track(sending: Promise<void>): void {
    underWay.add(sending);
    void sending.finally(() => {
      underWay.delete(sending);
      sendAll();
    });
  }

  /** Notices when this process stood still. A slow query alone does not make the leases uncertain. */
  function beat(): void {
    const now = clock.now();
    if (now - beatAt > stalledMs) uncertainties += 1;
    beatAt = now;
  }

  function poll(): void {
    cancelPoll = clock.after(pollMs, () => {
      beat();
      queues.markSlow(clock.now());
      looks.ask();
      poll();
    });
  }

  /** All but those to which something is being sent. Where that fails, the leases run out. */
  async function giveBackEndpoints(): Promise<void> {
    await lane
      .release(nodeId, queues.sending())
      .catch((error: unknown) => observer.problem(`${lane.kind} endpoints could not be given back`, error));
  }

  return {
    start() {
      running = true;
      beatAt = clock.now();
      looks.ask();
      poll();
    },
    wake() {
      notificationCount += 1;
      looks.ask();
    },
    markLeasesUncertain: () => void (uncertainties += 1),
    forget(companyId) {
      queues.takeBack(companyId);
      looks.ask();
    },
    works: () => running && !latestLookFailed,
    async stop() {
      running = false;
      cancelPoll();
      settling.stop();
      await looks.idle();
      await giveBackEndpoints();
      await Promise.all(underWay);
      await giveBackEndpoints();
    },
  };
}
