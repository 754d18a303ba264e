/** Whether an endpoint is known to answer fast. */
export type Pace = 'fast' | 'slow';

/** Endpoints that stop answering together: companies of one CRM provider. */
export type QueueGroup<Q> = {
  /** Null: of endpoints that have nothing to do with each other, and share nothing. */
  name: string | null;
  /** Queues with something to send: `first`, with nothing under way; `more`, with something. */
  ready: Record<Pace, { first: Set<Q>; more: Set<Q> }>;
  sending: Record<Pace, number>;
  /** Leased and not done with. */
  held: Record<Pace, number>;
  /** The latest look into the outbox was to pass over those of its endpoints of which nothing is here. */
  isClosed: boolean;
};

export type QueueGroups<Q> = ReturnType<typeof createQueueGroups<Q>>;

/**
 * Groups of endpoints, which take turns. When a whole group stops answering, others must not feel it, not even right
 * after a start, when nobody is known to be fast: a group sends a quarter of what may be under way, an eighth to
 * endpoints not known to be fast, and is leased no more when it has a quarter of what may be held, or a sixteenth for
 * such endpoints.
 */
export function createQueueGroups<Q>({ maxSending, maxHeld }: { maxSending: number; maxHeld: number }) {
  /** The one whose turn it is first. */
  const groups = new Map<string | null, QueueGroup<Q>>();

  const all = ({ fast, slow }: Record<Pace, number>) => fast + slow;
  /** Whether it holds so many parts of what it may. */
  const holds = ({ name, held }: QueueGroup<Q>, part: number) =>
    name !== null && (held.slow >= (maxHeld / 16) * part || all(held) >= (maxHeld / 4) * part);

  return {
    of(name: string | null): QueueGroup<Q> {
      const ready = () => ({ first: new Set<Q>(), more: new Set<Q>() });
      const group = groups.get(name) ?? {
        name,
        ready: { fast: ready(), slow: ready() },
        sending: { fast: 0, slow: 0 },
        held: { fast: 0, slow: 0 },
        isClosed: false,
      };
      groups.set(name, group);
      return group;
    },

    /** The queue whose turn it is, of groups that have a place for it. */
    first(pace: Pace, which: 'first' | 'more'): Q | undefined {
      for (const { name, sending, ready } of groups.values()) {
        if (name !== null && (all(sending) >= maxSending / 4 || (pace === 'slow' && sending.slow >= maxSending / 8)))
          continue;
        for (const queue of ready[pace][which]) return queue;
      }
      return undefined;
    },

    /** Its queue was the first: it goes to the end. */
    hadTurn(group: QueueGroup<Q>): void {
      groups.delete(group.name);
      groups.set(group.name, group);
    },

    /** Whether nothing more is to be leased even of endpoints that are known to be fast. */
    isFull: ({ name, held }: QueueGroup<Q>) => name !== null && all(held) >= maxHeld / 4,

    /** Closes those that hold enough, and opens the others: the names of the closed ones. */
    close(): string[] {
      for (const group of groups.values()) group.isClosed = holds(group, 1);
      return [...groups.values()].flatMap(({ name, isClosed }) => (isClosed && name !== null ? [name] : []));
    },

    /** True, once: it is closed, and holds so little by now that it is worth looking for more. */
    reopens(group: QueueGroup<Q>): boolean {
      if (!group.isClosed || holds(group, 0.5)) return false;
      group.isClosed = false;
      return true;
    },
  };
}
