import { LRUCache } from 'lru-cache';
import type { CompanyId, DeliveryId } from '../../domain/ids.ts';
import type { DeliveryKey, LeaseRequest } from '../../ports/outbox.ts';
import { oneGroup, type Pace, type QueueGroup, type QueueGroups, type QueueLimits } from './queueGroup.ts';

/** An endpoint that takes an event within this time is fast. Milliseconds. */
const fastWithinMs = 1_000;
/** For a fast endpoint, so many times its in-flight limit may wait here; for a slow one, no more than its limit. */
const fastFactor = 16;
const mostPerQueue = 256;
/** How many endpoints are remembered as fast while none of their deliveries are here. */
const mostRemembered = 5_000;

/** What a queue needs to know of a delivery. */
export type QueuedDelivery = DeliveryKey & {
  /** Later events of its call wait for it. */
  callGoesOn: boolean;
  /**
   * The endpoint's, as it was when the delivery was read.
   * `group`: those that stop answering together, if there are any.
   */
  endpoint: { maxInFlight: number; consecutiveFailures: number; group?: string };
};

export type CreateQueueGroups = <Q>(limits: QueueLimits) => QueueGroups<Q>;

type Held<D> = {
  delivery: D;
  /** How often others had told of new deliveries when it was read: later events of its call may have come since. */
  notificationCount: number;
};

/** One endpoint's deliveries in this process. */
type EndpointQueue<D> = {
  companyId: CompanyId;
  group: QueueGroup<EndpointQueue<D>>;
  waiting: D[];
  /** Under way, each with when it began, the oldest first. */
  sending: Map<D, number>;
  /** Read and not done with: waiting here, being sent, being settled. */
  held: number;
  /** Until when nobody else serves the endpoint. */
  leaseUntil: number;
  limit: number;
  fast: boolean;
  failing: boolean;
  /** There may be more to read: the latest look into the outbox took all it could, or passed over this queue. */
  more: boolean;
  /** Where `next` finds it. */
  place: Set<EndpointQueue<D>> | null;
};

export type EndpointQueues<D extends QueuedDelivery> = ReturnType<typeof createEndpointQueues<D>>;

/**
 * Deliveries of the endpoints that this process has leased, a queue for each. Endpoints take turns, and none sends more
 * at once than it may. A slow endpoint must not delay the others: endpoints not known to be fast share half of the
 * places, and while half of all places are taken, only endpoints with nothing under way get another.
 * @param createGroups of endpoints that stop answering together; missing: none have to do with each other
 */
export function createEndpointQueues<D extends QueuedDelivery>(
  limits: QueueLimits,
  createGroups: CreateQueueGroups = oneGroup,
) {
  const { maxSending, maxHeld } = limits;
  const queues = new Map<CompanyId, EndpointQueue<D>>();
  const held = new Map<DeliveryId, Held<D>>();
  const remembered = new LRUCache<CompanyId, EndpointQueue<D>['group']>({ max: mostRemembered });
  const groups = createGroups<EndpointQueue<D>>(limits);
  const sending = { fast: 0, slow: 0 };
  let slowFirst = false;
  /** How many the look under way may read: for each queue it was told of, and for any other endpoint. */
  let asked = { ofQueues: new Map<CompanyId, number>(), ofNewcomers: mostPerQueue };
  /**
   * Taken back since that look began: what it reads of them may be for an address that is not theirs any more,
   * or for one that is paused.
   */
  const takenBack = new Set<CompanyId>();

  const paceOf = (queue: EndpointQueue<D>): Pace => (queue.fast ? 'fast' : 'slow');

  /** Puts the queue where `next` finds it, at the end; or takes it away. */
  function place(queue: EndpointQueue<D>): void {
    queue.place?.delete(queue);
    const isReady = queue.waiting.length > 0 && queue.sending.size < queue.limit;
    queue.place = isReady ? queue.group.ready[paceOf(queue)][queue.sending.size === 0 ? 'first' : 'more'] : null;
    queue.place?.add(queue);
  }

  function queueOf({ companyId, endpoint }: D): EndpointQueue<D> {
    const failing = endpoint.consecutiveFailures > 0;
    const queue = queues.get(companyId) ?? {
      companyId,
      group: groups.of(endpoint.group),
      waiting: [],
      sending: new Map(),
      held: 0,
      leaseUntil: 0,
      limit: 0,
      fast: !failing && remembered.has(companyId),
      failing,
      more: false,
      place: null,
    };
    queues.set(companyId, queue);
    queue.limit = endpoint.maxInFlight;
    return queue;
  }

  /** Counts so many more, or fewer, attempts under way. */
  function countSending(queue: EndpointQueue<D>, by: number): void {
    for (const count of [sending, queue.group.sending]) count[paceOf(queue)] += by;
  }

  /** Counts so many more, or fewer, deliveries that are held. */
  function countHeld(queue: EndpointQueue<D>, by: number): void {
    queue.held += by;
    queue.group.held[paceOf(queue)] += by;
  }

  function setFast(queue: EndpointQueue<D>, fast: boolean): void {
    if (fast) remembered.set(queue.companyId, queue.group);
    else remembered.delete(queue.companyId);
    // What it has here counts as of the other pace from now on.
    const [underWay, count] = [queue.sending.size, queue.held];
    countSending(queue, -underWay);
    countHeld(queue, -count);
    queue.fast = fast;
    countSending(queue, underWay);
    countHeld(queue, count);
  }

  function forgetIfEmpty(queue: EndpointQueue<D>): void {
    if (queue.held === 0 && queue.sending.size === 0) queues.delete(queue.companyId);
  }

  const mostOf = ({ fast, limit }: Pick<EndpointQueue<D>, 'fast' | 'limit'>) =>
    fast ? Math.min(limit * fastFactor, mostPerQueue) : limit;

  /** A fast queue is filled up when half of it is used, a slow one as soon as a place is free. */
  function isFull(queue: EndpointQueue<D>): boolean {
    const most = mostOf(queue);
    return queue.held > (most > queue.limit ? most / 2 : most - 1);
  }

  function firstFrom(pace: Pace): EndpointQueue<D> | undefined {
    if (pace === 'slow' && sending.slow >= maxSending / 2) return undefined;
    return (
      groups.first(pace, 'first') ??
      (sending.fast + sending.slow < maxSending / 2 ? groups.first(pace, 'more') : undefined)
    );
  }

  return {
    /**
     * Takes in what was read, none of which is here yet,
     * but for what was taken back meanwhile: the next look reads that again.
     * @param notificationCount how often others had told of new deliveries before these were read
     */
    add(leased: D[], leaseUntil: number, notificationCount: number): void {
      const taken = new Set<EndpointQueue<D>>();
      for (const delivery of leased) {
        if (takenBack.has(delivery.companyId)) continue;
        const queue = queueOf(delivery);
        queue.leaseUntil = leaseUntil;
        held.set(delivery.id, { delivery, notificationCount });
        queue.waiting.push(delivery);
        countHeld(queue, 1);
        taken.add(queue);
        place(queue);
      }
      for (const queue of taken) {
        queue.more = queue.held >= (asked.ofQueues.get(queue.companyId) ?? Math.min(queue.limit, asked.ofNewcomers));
      }
    },

    /** The next delivery to send at this time; null: none, or there is no place for it. Say `sent` when it was. */
    next(now: number): D | null {
      if (sending.fast + sending.slow >= maxSending) return null;
      slowFirst = !slowFirst;
      const queue = slowFirst ? (firstFrom('slow') ?? firstFrom('fast')) : (firstFrom('fast') ?? firstFrom('slow'));
      const delivery = queue?.waiting.shift();
      if (queue === undefined || delivery === undefined) return null;
      countSending(queue, 1);
      queue.sending.set(delivery, now);
      place(queue);
      groups.hadTurn(queue.group);
      return delivery;
    },

    /** Marks queues slow that have waited too long for an answer. */
    markSlow(now: number): void {
      for (const queue of queues.values()) {
        const [startedAt] = queue.sending.values();
        if (!queue.fast || startedAt === undefined || now - startedAt < fastWithinMs) continue;
        setFast(queue, false);
        place(queue);
      }
    },

    /** Its place is free, and the queue is judged by it. True: it was failing until now. */
    sent(delivery: D, { failed, latencyMs }: { failed: boolean; latencyMs: number }): boolean {
      const queue = queues.get(delivery.companyId);
      if (queue === undefined) throw new Error('a queue lasts until its last delivery is sent');
      const wasFailing = queue.failing;
      countSending(queue, -1);
      queue.sending.delete(delivery);
      queue.failing = failed;
      setFast(queue, !failed && latencyMs < fastWithinMs);
      place(queue);
      forgetIfEmpty(queue);
      return wasFailing;
    },

    /**
     * A delivery is settled, or could not be. True: it is worth looking for more of its endpoint.
     * @param notificationCount how often others have told of new deliveries by now
     */
    done(delivery: D, notificationCount: number): boolean {
      const queue = queues.get(delivery.companyId);
      if (queue === undefined) throw new Error('a queue lasts until its last delivery is done');
      const isToldOfMore = (held.get(delivery.id)?.notificationCount ?? 0) < notificationCount;
      held.delete(delivery.id);
      countHeld(queue, -1);
      forgetIfEmpty(queue);
      if (groups.reopens(queue.group)) return true;
      return !isFull(queue) && !groups.isFull(queue.group) && (queue.more || delivery.callGoesOn || isToldOfMore);
    },

    /** Drops what waits here of one endpoint and was not sent. */
    takeBack(companyId: CompanyId): void {
      takenBack.add(companyId);
      const queue = queues.get(companyId);
      if (queue === undefined) return;
      for (const { id } of queue.waiting) held.delete(id);
      countHeld(queue, -queue.waiting.length);
      queue.waiting = [];
      place(queue);
      forgetIfEmpty(queue);
    },

    /**
     * What the next look into the outbox may read: nothing for queues that are full. Slow endpoints may
     * fill half of what is held here: when that is near, a new one gets one delivery, and at last none; nor
     * does one of a closed group.
     */
    wants(): Pick<LeaseRequest, 'holdings' | 'atHand' | 'newcomersAtMost'> & { closedGroups: string[] } {
      let slowHeld = 0;
      takenBack.clear();
      const closedGroups = groups.close();
      const holdings: LeaseRequest['holdings'] = [...queues.values()].map((queue) => {
        const full = isFull(queue) || groups.isFull(queue.group);
        if (full) queue.more = true;
        if (!queue.fast) slowHeld += queue.held;
        return { companyId: queue.companyId, held: queue.held, atMost: full ? queue.held : mostOf(queue) };
      });
      const isCrowded = slowHeld >= maxHeld / 4;
      for (const [companyId, group] of isCrowded || closedGroups.length > 0 ? remembered : []) {
        if (queues.has(companyId) || groups.isFull(group) || !(isCrowded || group.isClosed)) continue;
        holdings.push({ companyId, held: 0, atMost: mostPerQueue / fastFactor });
      }
      const crowdedAtMost = slowHeld < maxHeld / 2 ? 1 : 0;
      const newcomersAtMost = isCrowded ? crowdedAtMost : mostPerQueue;
      asked = {
        ofQueues: new Map(holdings.map(({ companyId, atMost }) => [companyId, atMost])),
        ofNewcomers: newcomersAtMost,
      };
      return { holdings, atHand: [...held.keys()], newcomersAtMost, closedGroups };
    },

    count: () => held.size,
    /** Endpoints to which something is being sent, or of which an attempt is being written down. */
    sending: (): CompanyId[] =>
      [...queues.values()]
        .filter(({ held: count, waiting }) => count > waiting.length)
        .map(({ companyId }) => companyId),
    /** Endpoints whose lease ends before then. */
    endingBefore: (time: number): CompanyId[] =>
      [...queues.values()].filter(({ leaseUntil }) => leaseUntil < time).map(({ companyId }) => companyId),
    renewed(companyIds: readonly CompanyId[], leaseUntil: number): void {
      for (const companyId of companyIds) {
        const queue = queues.get(companyId);
        if (queue !== undefined) queue.leaseUntil = leaseUntil;
      }
    },
  };
}
