import type { Counters } from '../../src/ports/counters.ts';

/** Counters under which no limit is ever reached: for tests that do many times what is limited in rate. */
export const uncounted: Counters = {
  add: async () => ({ points: 0, endsInMs: 0 }),
  read: async () => null,
  clear: async () => undefined,
};
