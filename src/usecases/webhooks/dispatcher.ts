import type { CompanyId } from '../../domain/ids.ts';
import type { ClaimedDelivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { sendDelivery, type SendNeeds, type SentDelivery } from './attemptDelivery.ts';
import { createLanes } from './lanes.ts';
import { createSettling } from './settling.ts';

/** Attempts under way at once in this process. */
const maxSending = 256;
/** Deliveries that this process holds, and that one claim takes. */
const maxHeld = 2_048;
const claimAtMost = 512;
/** A process that died gives its deliveries back after this, unless others notice sooner. */
const leaseMs = 45_000;
/** Leases that end sooner are renewed: an attempt lasts at most 15 s. */
const renewBeforeMs = 30_000;
/** How often to look for due deliveries without being told of any. */
const pollMs = 1_000;
/** Between two beats: this process stood still, and others may have taken it for dead. Less than a gateway's lease. */
const stalledMs = 3_500;

export interface Dispatcher {
  start(): void;
  /** Deliveries wait: look now. */
  wake(): void;
  /** Others may have taken this gateway for dead: asks for its deliveries before it sends any more of them. */
  doubt(): void;
  /** A company's settings changed: what waits here is claimed anew, with the URL and secret that it has now. */
  forget(companyId: CompanyId): void;
  /** Whether the latest look into the outbox succeeded. */
  works(): boolean;
  /** Claims nothing more, gives back what it did not send, and waits for the attempts under way. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Sends what is in the outbox: claims what is due, fairly, into lanes; sends from the lanes; settles; and looks for
 * more whenever there may be more for a lane that has room.
 */
export function createDispatcher(services: SendNeeds & Pick<Services, 'nodeId' | 'outbox'>): Dispatcher {
  const { clock, observer, outbox, nodeId } = services;
  const lanes = createLanes({ maxSending, maxHeld });
  const settling = createSettling(services, { giveBack: (companyId) => giveBack({ companyId }) });
  const underWay = new Set<Promise<void>>();
  let running = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let latestLookFailed = false;
  /** How often others have told of new deliveries. */
  let news = 0;
  /** Doubts, and how many of them were over when the leases were last asked for. */
  let doubts = 0;
  let settledDoubts = 0;
  let beatAt = 0;
  let cancelPoll = () => {};

  function look(): void {
    if (!running) return;
    if (looking !== null) {
      lookAgain = true;
      return;
    }
    looking = lookNow().finally(() => {
      looking = null;
      if (!lookAgain) return;
      lookAgain = false;
      look();
    });
  }

  async function lookNow(): Promise<void> {
    try {
      await renewLeases();
      await claim();
      latestLookFailed = false;
    } catch (error) {
      // Told once; the poll looks again.
      if (!latestLookFailed) observer.problem('webhook deliveries could not be claimed', error);
      latestLookFailed = true;
    }
    sendAll();
  }

  /** In doubt all of them: somebody else may have given them back, and a stranger may be sending them. */
  async function renewLeases(): Promise<void> {
    const doubted = doubts;
    const now = clock.now();
    const held = lanes.endingBefore(settledDoubts < doubted ? Infinity : now + renewBeforeMs);
    if (held.length > 0) {
      const leaseUntil = now + leaseMs;
      const renewed = await outbox.renew(nodeId, held, new Date(leaseUntil));
      lanes.renewed(renewed, leaseUntil);
      const kept = new Set(renewed);
      lanes.takeBack({ ids: new Set(held.map(({ id }) => id).filter((id) => !kept.has(id))) });
    }
    settledDoubts = doubted;
  }

  async function claim(): Promise<void> {
    const limit = Math.min(claimAtMost, maxHeld - lanes.count());
    if (limit <= 0) return;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    const newsBefore = news;
    const claimed = await outbox.claim({
      claimId: nodeId, limit, now: new Date(now), leaseUntil: new Date(leaseUntil), ...lanes.wants(),
    });
    lanes.add(claimed, leaseUntil, newsBefore);
    if (claimed.length === limit) lookAgain = true;
  }

  function sendAll(): void {
    if (!running) return;
    if (clock.now() - beatAt > stalledMs) beat();
    if (settledDoubts < doubts) {
      if (!latestLookFailed) look();
      return;
    }
    for (let next = lanes.next(clock.now()); next !== null; next = lanes.next(clock.now())) track(send(next));
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const sent = await attempt(delivery);
    lanes.answered(delivery);
    if (sent?.verdict === 'delivered') {
      const wasFailing = lanes.sent(delivery, { failed: false, latencyMs: sent.result.latencyMs });
      sendAll();
      await settling.settle(delivery, sent);
      const worthALook = lanes.done(delivery, news);
      // First: a claim passes over an endpoint that is being judged.
      if (wasFailing) await settling.judge(delivery, sent);
      if (worthALook) look();
      return;
    }
    // The endpoint is judged first, and the place kept until then: the breaker opens before more is sent.
    if (sent !== null) {
      await settling.judge(delivery, sent);
      await settling.settle(delivery, sent);
    }
    const worthALook = lanes.done(delivery, news);
    lanes.sent(delivery, { failed: true, latencyMs: 0 });
    if (worthALook) look();
  }

  /** Null: it could not be sent. The lease lapses and the delivery falls due again. */
  async function attempt(delivery: ClaimedDelivery): Promise<SentDelivery | null> {
    try {
      const body = delivery.body ?? (await outbox.bodyOf(delivery.companyId, delivery.id));
      return body === null ? null : await sendDelivery(services, { ...delivery, body });
    } catch (error) {
      observer.problem('a webhook delivery could not be sent', error, { delivery_id: delivery.id });
      return null;
    }
  }

  function track(sending: Promise<void>): void {
    underWay.add(sending);
    void sending.finally(() => {
      underWay.delete(sending);
      sendAll();
    });
  }

  /** Notices when this process stood still: a query that takes long is no reason for doubt. */
  function beat(): void {
    const now = clock.now();
    if (now - beatAt > stalledMs) doubts += 1;
    beatAt = now;
  }

  function poll(): void {
    cancelPoll = clock.after(pollMs, () => {
      beat();
      lanes.notice(clock.now());
      look();
      poll();
    });
  }

  async function giveBack(which: { companyId: CompanyId } | 'all'): Promise<void> {
    const taken = lanes.takeBack(which);
    if (taken.length > 0) await outbox.release(nodeId, taken, new Date(clock.now()));
  }

  function reportLost(error: unknown): void {
    // Their leases lapse.
    observer.problem('webhook deliveries could not be given back', error);
  }

  return {
    start() {
      running = true;
      beatAt = clock.now();
      look();
      poll();
    },
    wake() {
      news += 1;
      look();
    },
    doubt: () => void (doubts += 1),
    forget(companyId) {
      void giveBack({ companyId }).then(look, reportLost);
    },
    works: () => running && !latestLookFailed,
    async stop() {
      running = false;
      cancelPoll();
      settling.stop();
      await looking;
      await giveBack('all').catch(reportLost);
      await Promise.all(underWay);
    },
  };
}
