import type { CompanyId, DeliveryId } from '../../domain/ids.ts';
import type { ClaimedDelivery, Holding } from '../../ports/outbox.ts';

/** An endpoint that answers well within this time may have many deliveries waiting in this process. Milliseconds. */
const briskMs = 1_000;
/** So many times its limit in flight; an endpoint that is slow or fails gets no more than its limit. */
const briskFactor = 16;
const mostPerLane = 256;

type Held = {
  delivery: ClaimedDelivery;
  leaseUntil: number;
  /** Its attempt is over, and being written down. */
  answered: boolean;
};

/** One endpoint's deliveries in this process. */
type Lane = {
  companyId: CompanyId;
  queue: ClaimedDelivery[];
  sending: number;
  /** Claimed and not done with: waiting here, being sent, being settled. */
  held: number;
  limit: number;
  brisk: boolean;
  failing: boolean;
  /** The latest claim took all that it could, or did not look: there is probably more. */
  more: boolean;
};

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Deliveries that this process has claimed, a lane for each endpoint: endpoints take turns, none sends more at once
 * than it may, and those that fail share half of the places, so that the others always find one.
 */
export function createLanes({ maxSending }: { maxSending: number }) {
  const lanes = new Map<CompanyId, Lane>();
  const held = new Map<DeliveryId, Held>();
  const ready = { well: new Set<Lane>(), failing: new Set<Lane>() };
  const sending = { well: 0, failing: 0 };
  let failingFirst = false;

  const kindOf = (lane: Lane) => (lane.failing ? 'failing' : 'well');

  /** Puts the lane where `next` finds it, at the end; or takes it away. */
  function place(lane: Lane): void {
    ready.well.delete(lane);
    ready.failing.delete(lane);
    if (lane.queue.length > 0 && lane.sending < lane.limit) ready[kindOf(lane)].add(lane);
  }

  function laneOf({ companyId, endpoint }: ClaimedDelivery): Lane {
    const failing = endpoint.consecutiveFailures > 0;
    const lane = lanes.get(companyId) ?? {
      companyId, queue: [], sending: 0, held: 0, limit: 0, brisk: false, failing, more: false,
    };
    lanes.set(companyId, lane);
    lane.limit = endpoint.maxInFlight;
    return lane;
  }

  function forgetIfEmpty(lane: Lane): void {
    if (lane.held === 0 && lane.sending === 0) lanes.delete(lane.companyId);
  }

  function mostOf(lane: Lane): number {
    return lane.brisk && !lane.failing ? Math.min(lane.limit * briskFactor, mostPerLane) : lane.limit;
  }

  /** A lane that is brisk is filled up when half of it is used, another as soon as a place is free. */
  function isFull(lane: Lane): boolean {
    const most = mostOf(lane);
    return lane.held > (most > lane.limit ? most / 2 : most - 1);
  }

  function firstFrom(kind: 'well' | 'failing'): Lane | undefined {
    if (kind === 'failing' && sending.failing >= maxSending / 2) return undefined;
    const [lane] = ready[kind];
    return lane;
  }

  return {
    /** Takes in what was claimed; what it has already is only held for longer. */
    add(claimed: ClaimedDelivery[], leaseUntil: number): void {
      const taken = new Set<Lane>();
      for (const delivery of claimed) {
        const known = held.get(delivery.id);
        // One that is written down may have fallen due again before that was heard of.
        if (known !== undefined && !known.answered) {
          known.leaseUntil = leaseUntil;
          continue;
        }
        const lane = laneOf(delivery);
        held.set(delivery.id, { delivery, leaseUntil, answered: false });
        lane.queue.push(delivery);
        lane.held += 1;
        taken.add(lane);
        place(lane);
      }
      for (const lane of taken) lane.more = lane.held >= mostOf(lane);
    },

    /** The next delivery to send; null: none, or all places are taken. Say `sent` when it was. */
    next(): ClaimedDelivery | null {
      if (sending.well + sending.failing >= maxSending) return null;
      failingFirst = !failingFirst;
      const lane = failingFirst ? (firstFrom('failing') ?? firstFrom('well')) : (firstFrom('well') ?? firstFrom('failing'));
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      sending[kindOf(lane)] += 1;
      lane.sending += 1;
      place(lane);
      return delivery;
    },

    /** The attempt is over, and about to be written down. */
    answered({ id }: ClaimedDelivery): void {
      const found = held.get(id);
      if (found !== undefined) found.answered = true;
    },

    /** Its place is free, and the lane is judged by it. True: it was failing until now. */
    sent({ companyId }: ClaimedDelivery, { failed, latencyMs }: { failed: boolean; latencyMs: number }): boolean {
      const lane = lanes.get(companyId);
      if (lane === undefined) throw new Error('a lane lasts until its last delivery is sent');
      const wasFailing = lane.failing;
      sending[kindOf(lane)] -= 1;
      lane.sending -= 1;
      if (lane.failing !== failed) {
        // The places that its other attempts hold change hands with it.
        sending[kindOf(lane)] -= lane.sending;
        lane.failing = failed;
        sending[kindOf(lane)] += lane.sending;
      }
      lane.brisk = !failed && latencyMs < briskMs;
      place(lane);
      forgetIfEmpty(lane);
      return wasFailing;
    },

    /** A delivery is settled, or lost to somebody else. True: it is worth looking for more of its endpoint. */
    done(delivery: ClaimedDelivery): boolean {
      const lane = lanes.get(delivery.companyId);
      if (lane === undefined) throw new Error('a lane lasts until its last delivery is done');
      if (held.get(delivery.id)?.delivery === delivery) held.delete(delivery.id);
      lane.held -= 1;
      forgetIfEmpty(lane);
      return lane.held === 0 || (lane.more && !isFull(lane));
    },

    /** Takes back what waits here and was not sent: of one endpoint, of those deliveries, or all. */
    takeBack(which: { companyId: CompanyId } | { ids: ReadonlySet<DeliveryId> } | 'all'): DeliveryId[] {
      const taken: DeliveryId[] = [];
      for (const lane of lanes.values()) {
        if (which !== 'all' && 'companyId' in which && which.companyId !== lane.companyId) continue;
        const fits = (id: DeliveryId) => which === 'all' || 'companyId' in which || which.ids.has(id);
        const gone = lane.queue.filter(({ id }) => fits(id));
        lane.queue = lane.queue.filter(({ id }) => !fits(id));
        for (const { id } of gone) held.delete(id);
        lane.held -= gone.length;
        forgetIfEmpty(lane);
        place(lane);
        taken.push(...gone.map(({ id }) => id));
      }
      return taken;
    },

    /** What a claim must know, which is about to be made: it passes over lanes that are full. */
    holdings(): Holding[] {
      return [...lanes.values()].map((lane) => {
        const full = isFull(lane);
        lane.more ||= full;
        return { companyId: lane.companyId, held: lane.held, atMost: full ? lane.held : mostOf(lane) };
      });
    },

    count: () => held.size,
    /** When its lease ends; 0 where it is no longer held. */
    leaseOf(delivery: ClaimedDelivery): number {
      const found = held.get(delivery.id);
      return found?.delivery === delivery ? found.leaseUntil : 0;
    },
    /** Deliveries whose lease ends before then. */
    endingBefore: (time: number) => [...held].filter(([, { leaseUntil }]) => leaseUntil < time).map(([id]) => id),
    renewed(ids: readonly DeliveryId[], leaseUntil: number): void {
      for (const id of ids) {
        const found = held.get(id);
        if (found !== undefined) found.leaseUntil = leaseUntil;
      }
    },
  };
}
