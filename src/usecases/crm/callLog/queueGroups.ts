import { emptyGroup, type QueueGroup, type QueueGroups, type QueueLimits } from '../../deliveries/queueGroup.ts';

/**
 * Groups of endpoints, the companies of one CRM provider each, which take turns. When a whole group stops answering,
 * others must not feel it, not even right after a start, when nobody is known to be fast: a group sends a quarter of
 * what may be under way, an eighth to endpoints not known to be fast, and is leased no more when it has a quarter of
 * what may be held, or a sixteenth for such endpoints.
 */
export function createQueueGroups<Q>({ maxSending, maxHeld }: QueueLimits): QueueGroups<Q> {
  /** The one whose turn it is first. */
  const groups = new Map<string, QueueGroup<Q>>();

  const all = ({ fast, slow }: Record<'fast' | 'slow', number>) => fast + slow;
  /** Whether it holds so many parts of what it may. */
  const holds = ({ held }: QueueGroup<Q>, part: number) =>
    held.slow >= (maxHeld / 16) * part || all(held) >= (maxHeld / 4) * part;

  return {
    of(name = '') {
      const group = groups.get(name) ?? emptyGroup<Q>(name);
      groups.set(name, group);
      return group;
    },

    first(pace, which) {
      for (const { sending, ready } of groups.values()) {
        if (all(sending) >= maxSending / 4 || (pace === 'slow' && sending.slow >= maxSending / 8)) continue;
        for (const queue of ready[pace][which]) return queue;
      }
      return undefined;
    },

    hadTurn(group) {
      groups.delete(group.name);
      groups.set(group.name, group);
    },

    isFull: ({ held }) => all(held) >= maxHeld / 4,

    close() {
      for (const group of groups.values()) group.isClosed = holds(group, 1);
      return [...groups.values()].flatMap(({ name, isClosed }) => (isClosed ? [name] : []));
    },

    reopens(group) {
      if (!group.isClosed || holds(group, 0.5)) return false;
      group.isClosed = false;
      return true;
    },
  };
}
