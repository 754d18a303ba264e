import type { CompanyId, DeliveryId } from '../../domain/ids.ts';
import type { ClaimedDelivery, DeliveryKey, Holding } from '../../ports/outbox.ts';

/** An endpoint that takes an event within this time is brisk. Milliseconds. */
const briskMs = 1_000;
/** Of a brisk endpoint so many times its limit in flight may wait here; of another no more than its limit. */
const briskFactor = 16;
const mostPerLane = 256;
/** Endpoints that are remembered as brisk while nothing of them is here. */
const mostRemembered = 5_000;

type Held = {
  delivery: ClaimedDelivery;
  leaseUntil: number;
  /** Its attempt is over, and being written down. */
  answered: boolean;
  /** How often others had told of new deliveries when it was claimed: later events of its call may have come since. */
  news: number;
};

/** One endpoint's deliveries in this process. */
type Lane = {
  companyId: CompanyId;
  queue: ClaimedDelivery[];
  /** Under way, each with when it began, the oldest first. */
  sending: Map<ClaimedDelivery, number>;
  /** Claimed and not done with: waiting here, being sent, being settled. */
  held: number;
  limit: number;
  brisk: boolean;
  failing: boolean;
  /** There may be more to claim: the latest claim took all that it could, or passed over this lane. */
  more: boolean;
  /** Where `next` finds it. */
  place: Set<Lane> | null;
};

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Deliveries that this process has claimed, a lane for each endpoint. Endpoints take turns, and none sends more at once
 * than it may. So that nobody waits for others that are slow: those that are not known to be brisk share half of the
 * places; and while half of all places are taken, only endpoints that have nothing under way get another.
 */
export function createLanes({ maxSending, maxHeld }: { maxSending: number; maxHeld: number }) {
  const lanes = new Map<CompanyId, Lane>();
  const held = new Map<DeliveryId, Held>();
  const remembered = new Set<CompanyId>();
  const sending = { brisk: 0, other: 0 };
  const ready = { brisk: { first: new Set<Lane>(), more: new Set<Lane>() }, other: { first: new Set<Lane>(), more: new Set<Lane>() } };
  let otherFirst = false;
  /** What the claim under way may take: of the lanes that it was told of, and of any other endpoint. */
  let asked = { ofLanes: new Map<CompanyId, number>(), ofNewcomers: mostPerLane };

  const kindOf = (lane: Lane) => (lane.brisk ? 'brisk' : 'other');

  /** Puts the lane where `next` finds it, at the end; or takes it away. */
  function place(lane: Lane): void {
    lane.place?.delete(lane);
    const isReady = lane.queue.length > 0 && lane.sending.size < lane.limit;
    lane.place = isReady ? ready[kindOf(lane)][lane.sending.size === 0 ? 'first' : 'more'] : null;
    lane.place?.add(lane);
  }

  function laneOf({ companyId, endpoint }: ClaimedDelivery): Lane {
    const failing = endpoint.consecutiveFailures > 0;
    const lane = lanes.get(companyId) ?? {
      companyId,
      queue: [],
      sending: new Map(),
      held: 0,
      limit: 0,
      brisk: !failing && remembered.has(companyId),
      failing,
      more: false,
      place: null,
    };
    lanes.set(companyId, lane);
    lane.limit = endpoint.maxInFlight;
    return lane;
  }

  function setBrisk(lane: Lane, brisk: boolean): void {
    remembered.delete(lane.companyId);
    if (brisk) remembered.add(lane.companyId);
    if (remembered.size > mostRemembered) for (const oldest of remembered) return void remembered.delete(oldest);
    // The places of its attempts change hands with it.
    sending[kindOf(lane)] -= lane.sending.size;
    lane.brisk = brisk;
    sending[kindOf(lane)] += lane.sending.size;
  }

  function forgetIfEmpty(lane: Lane): void {
    if (lane.held === 0 && lane.sending.size === 0) lanes.delete(lane.companyId);
  }

  const mostOf = ({ brisk, limit }: Pick<Lane, 'brisk' | 'limit'>) => (brisk ? Math.min(limit * briskFactor, mostPerLane) : limit);

  /** A lane that is brisk is filled up when half of it is used, another as soon as a place is free. */
  function isFull(lane: Lane): boolean {
    const most = mostOf(lane);
    return lane.held > (most > lane.limit ? most / 2 : most - 1);
  }

  function firstFrom(kind: 'brisk' | 'other'): Lane | undefined {
    if (kind === 'other' && sending.other >= maxSending / 2) return undefined;
    for (const lane of ready[kind].first) return lane;
    if (sending.brisk + sending.other >= maxSending / 2) return undefined;
    for (const lane of ready[kind].more) return lane;
    return undefined;
  }

  return {
    /**
     * Takes in what was claimed; what it has already is only held for longer.
     * @param news how often others had told of new deliveries before the claim
     */
    add(claimed: ClaimedDelivery[], leaseUntil: number, news: number): void {
      const taken = new Set<Lane>();
      for (const delivery of claimed) {
        const known = held.get(delivery.id);
        // One that is written down may have fallen due again before that was heard of.
        if (known !== undefined && !known.answered) {
          known.leaseUntil = leaseUntil;
          continue;
        }
        const lane = laneOf(delivery);
        held.set(delivery.id, { delivery, leaseUntil, answered: false, news });
        lane.queue.push(delivery);
        lane.held += 1;
        taken.add(lane);
        place(lane);
      }
      for (const lane of taken) {
        lane.more = lane.held >= (asked.ofLanes.get(lane.companyId) ?? Math.min(lane.limit, asked.ofNewcomers));
      }
    },

    /** The next delivery to send at this time; null: none, or there is no place for it. Say `sent` when it was. */
    next(now: number): ClaimedDelivery | null {
      if (sending.brisk + sending.other >= maxSending) return null;
      otherFirst = !otherFirst;
      const lane = otherFirst ? (firstFrom('other') ?? firstFrom('brisk')) : (firstFrom('brisk') ?? firstFrom('other'));
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      sending[kindOf(lane)] += 1;
      lane.sending.set(delivery, now);
      place(lane);
      return delivery;
    },

    /** Lanes that have waited too long for an answer are brisk no more. */
    notice(now: number): void {
      for (const lane of lanes.values()) {
        const [startedAt] = lane.sending.values();
        if (!lane.brisk || startedAt === undefined || now - startedAt < briskMs) continue;
        setBrisk(lane, false);
        place(lane);
      }
    },

    /** The attempt is over, and about to be written down. */
    answered({ id }: ClaimedDelivery): void {
      const found = held.get(id);
      if (found !== undefined) found.answered = true;
    },

    /** Its place is free, and the lane is judged by it. True: it was failing until now. */
    sent(delivery: ClaimedDelivery, { failed, latencyMs }: { failed: boolean; latencyMs: number }): boolean {
      const lane = lanes.get(delivery.companyId);
      if (lane === undefined) throw new Error('a lane lasts until its last delivery is sent');
      const wasFailing = lane.failing;
      sending[kindOf(lane)] -= 1;
      lane.sending.delete(delivery);
      lane.failing = failed;
      setBrisk(lane, !failed && latencyMs < briskMs);
      place(lane);
      forgetIfEmpty(lane);
      return wasFailing;
    },

    /**
     * A delivery is settled, or lost to somebody else. True: it is worth looking for more of its endpoint.
     * @param news how often others have told of new deliveries by now
     */
    done(delivery: ClaimedDelivery, news: number): boolean {
      const lane = lanes.get(delivery.companyId);
      if (lane === undefined) throw new Error('a lane lasts until its last delivery is done');
      const found = held.get(delivery.id);
      const isToldOfMore = found?.delivery !== delivery || found.news < news;
      if (found?.delivery === delivery) held.delete(delivery.id);
      lane.held -= 1;
      forgetIfEmpty(lane);
      return !isFull(lane) && (lane.more || delivery.callGoesOn || isToldOfMore);
    },

    /** Takes back what waits here and was not sent: of one endpoint, of those deliveries, or all. */
    takeBack(which: { companyId: CompanyId } | { ids: ReadonlySet<DeliveryId> } | 'all'): DeliveryKey[] {
      const taken: DeliveryKey[] = [];
      for (const lane of lanes.values()) {
        if (which !== 'all' && 'companyId' in which && which.companyId !== lane.companyId) continue;
        const fits = (id: DeliveryId) => which === 'all' || 'companyId' in which || which.ids.has(id);
        const gone = lane.queue.filter(({ id }) => fits(id));
        lane.queue = lane.queue.filter(({ id }) => !fits(id));
        for (const { id } of gone) held.delete(id);
        lane.held -= gone.length;
        place(lane);
        forgetIfEmpty(lane);
        taken.push(...gone.map(({ companyId, id }) => ({ companyId, id })));
      }
      return taken;
    },

    /**
     * What a claim must know, which is about to be made: it passes over lanes that are full. Endpoints that are not
     * brisk may fill half of what is held here: when that is near, a new one gets one delivery, and at last none.
     */
    wants(): { holdings: Holding[]; newcomersAtMost: number } {
      let slow = 0;
      const holdings = [...lanes.values()].map((lane) => {
        const full = isFull(lane);
        if (full) lane.more = true;
        if (!lane.brisk) slow += lane.held;
        return { companyId: lane.companyId, held: lane.held, atMost: full ? lane.held : mostOf(lane) };
      });
      const isCrowded = slow >= maxHeld / 4;
      for (const companyId of isCrowded ? remembered : []) {
        if (!lanes.has(companyId)) holdings.push({ companyId, held: 0, atMost: mostPerLane / briskFactor });
      }
      const newcomersAtMost = !isCrowded ? mostPerLane : slow < maxHeld / 2 ? 1 : 0;
      asked = { ofLanes: new Map(holdings.map(({ companyId, atMost }) => [companyId, atMost])), ofNewcomers: newcomersAtMost };
      return { holdings, newcomersAtMost };
    },

    count: () => held.size,
    /** Deliveries whose lease ends before then. */
    endingBefore: (time: number): DeliveryKey[] =>
      [...held.values()]
        .filter(({ leaseUntil }) => leaseUntil < time)
        .map(({ delivery: { companyId, id } }) => ({ companyId, id })),
    renewed(ids: readonly DeliveryId[], leaseUntil: number): void {
      for (const id of ids) {
        const found = held.get(id);
        if (found !== undefined) found.leaseUntil = leaseUntil;
      }
    },
  };
}
