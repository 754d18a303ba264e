/** Whether an endpoint is known to answer fast. */
export type Pace = 'fast' | 'slow';

/** Endpoints that stop answering together. */
export type QueueGroup<Q> = {
  name: string;
  /** Queues with something to send: `first`, with nothing under way; `more`, with something. */
  ready: Record<Pace, { first: Set<Q>; more: Set<Q> }>;
  sending: Record<Pace, number>;
  /** Leased and not done with. */
  held: Record<Pace, number>;
  /** The latest look into the outbox was to pass over those of its endpoints of which nothing is here. */
  isClosed: boolean;
};

/** How groups share what one process may send and hold. */
export interface QueueGroups<Q> {
  /** @param name as deliveries have it; undefined: they have none */
  of(name: string | undefined): QueueGroup<Q>;
  /** The queue whose turn it is, of groups that have a place for it. */
  first(pace: Pace, which: 'first' | 'more'): Q | undefined;
  /** Its queue was the first: it goes to the end. */
  hadTurn(group: QueueGroup<Q>): void;
  /** Whether nothing more is to be leased even of endpoints that are known to be fast. */
  isFull(group: QueueGroup<Q>): boolean;
  /** Closes those that hold enough, and opens the others: the names of the closed ones. */
  close(): string[];
  /** True, once: it is closed, and holds so little by now that it is worth looking for more. */
  reopens(group: QueueGroup<Q>): boolean;
}

/** What one process may send at once, and hold. */
export type QueueLimits = { maxSending: number; maxHeld: number };

/** One with nothing in it. */
export function emptyGroup<Q>(name: string): QueueGroup<Q> {
  const ready = () => ({ first: new Set<Q>(), more: new Set<Q>() });
  return {
    name,
    ready: { fast: ready(), slow: ready() },
    sending: { fast: 0, slow: 0 },
    held: { fast: 0, slow: 0 },
    isClosed: false,
  };
}

/** Of endpoints that have nothing to do with each other: none keeps another from anything. */
export function oneGroup<Q>(): QueueGroups<Q> {
  const all = emptyGroup<Q>('');
  return {
    of: () => all,
    first: (pace, which) => all.ready[pace][which].values().next().value,
    hadTurn: () => undefined,
    isFull: () => false,
    close: () => [],
    reopens: () => false,
  };
}
