import { reapCalls } from '../usecases/calls/reapCalls.ts';
import { sweepPresence } from '../usecases/agents/sweepPresence.ts';
import { createRepeater } from '../usecases/repeat.ts';
import type { Services } from '../usecases/services.ts';
import type { Closers } from './closers.ts';

/** Wrap-ups, claims and lost connections end at most this late. */
const sweepEveryMs = 200;
/** An agent may look Ready on screen for at most this long after the presence store lost its data. */
const watchEveryMs = 1_000;
const reapEveryMs = 30_000;
const pruneEveryMs = 3_600_000;

/** Starts what happens by itself: what time demands of agents, calls that nobody is on, keys that expired. */
export async function startBackground(
  services: Services,
  closers: Closers,
  watchPresence: () => Promise<void>,
): Promise<void> {
  // The first look is the one that later ones are compared with.
  await watchPresence();
  await reapCalls(services, true);
  const tasks = [
    createRepeater(services, {
      everyMs: sweepEveryMs,
      name: 'the sweep of agents',
      round: async () => void (await sweepPresence(services)),
    }),
    createRepeater(services, { everyMs: watchEveryMs, name: 'the watch over the presence store', round: watchPresence }),
    createRepeater(services, {
      everyMs: reapEveryMs,
      name: 'the reaping of calls',
      round: async () => void (await reapCalls(services, false)),
    }),
    createRepeater(services, {
      everyMs: pruneEveryMs,
      name: 'the pruning of Idempotency-Keys',
      round: () => services.idempotency.prune(new Date(services.clock.now())),
    }),
  ];
  for (const task of tasks) {
    closers.add(() => task.stop());
    task.start();
  }
}
