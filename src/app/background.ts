import type { Config } from '../config.ts';
import { reapCalls } from '../usecases/calls/repair/reapCalls.ts';
import { sweepPresence } from '../usecases/calls/repair/sweepPresence.ts';
import { createPeriodicTask } from '../usecases/concurrency/periodicTask.ts';
import {
  pruneClicks,
  pruneDeliveries,
  pruneFigures,
  pruneHeardCalls,
  pruneImports,
  pruneLookedUp,
  pruneMessages,
  pruneNotices,
  pruneTimelines,
} from '../usecases/retention.ts';
import { rollUpCalls } from '../usecases/reports/rollUpCalls.ts';
import { rollUpTimes } from '../usecases/reports/rollUpTimes.ts';
import { endSilentCalls } from '../usecases/cti/silentCalls.ts';
import { takeLeftEvents } from '../usecases/cti/eventsLater.ts';
import { restorePlatformAgents } from '../usecases/cti/storedStates.ts';
import type { Services } from '../usecases/services.ts';
import { moveStoppedToDead } from '../usecases/webhooks/endpointHealth.ts';
import type { Cleanup } from './cleanup.ts';
import type { ShutdownStep } from './shutdownOrder.ts';

/** How late wrap-ups, claims and lost connections may end. Milliseconds. */
const sweepEveryMs = 200;
/** A quarter of a gateway's lease. Milliseconds. */
const heartbeatEveryMs = 1_000;
const reapEveryMs = 30_000;
const giveUpEveryMs = 30_000;
/** A message that no gateway was told of is shown this late. Milliseconds. */
const messagesEveryMs = 15_000;
const pruneEveryMs = 3_600_000;
const rollUpEveryMs = 600_000;
/** Early, as a gateway on a laptop may not run for an hour. Milliseconds. */
const firstPruneAfterMs = 60_000;

/**
 * Starts the periodic tasks: heartbeat, expiry of claims and wrap-ups, reaper of abandoned calls, the
 * look for messages, moving webhooks of disabled endpoints to dead, rolling up for reports, retention of
 * keys, deliveries and history.
 * @param rounds of the softphones' side
 */
export async function startBackground(
  services: Services,
  cleanup: Cleanup,
  { heartbeat, messages }: { heartbeat: () => Promise<void>; messages: () => Promise<void> },
  { keepReportsMonths }: Pick<Config, 'keepReportsMonths'>,
): Promise<void> {
  cleanup.add('the lease of this gateway', () => leave(services));
  // Before the first softphone connects: other gateways must know this one.
  await heartbeat();
  await reap(services, true);
  await restorePlatformAgents(services);
  const ending = new AbortController();
  const series: { everyMs: number; firstAfterMs?: number; name: ShutdownStep; round: () => Promise<void> }[] = [
    {
      everyMs: sweepEveryMs,
      name: 'the sweep of agents',
      round: async () => void (await sweepPresence(services)),
    },
    { everyMs: heartbeatEveryMs, name: 'the heartbeat of this gateway', round: heartbeat },
    { everyMs: messagesEveryMs, name: 'the look for messages', round: messages },
    {
      everyMs: reapEveryMs,
      name: 'the reaping of calls',
      round: () => reap(services, false),
    },
    {
      everyMs: giveUpEveryMs,
      name: 'the giving up of webhooks',
      round: () => moveToDead(services),
    },
    {
      everyMs: pruneEveryMs,
      firstAfterMs: firstPruneAfterMs,
      name: 'the pruning of Idempotency-Keys',
      round: () => pruneKeys(services, ending.signal),
    },
    {
      everyMs: pruneEveryMs,
      firstAfterMs: firstPruneAfterMs,
      name: 'the pruning of webhook deliveries',
      round: () => prune(services, ending.signal),
    },
    {
      everyMs: rollUpEveryMs,
      firstAfterMs: firstPruneAfterMs,
      name: 'the rolling up of calls',
      round: () => rollUp(services, ending.signal),
    },
    {
      everyMs: pruneEveryMs,
      firstAfterMs: firstPruneAfterMs,
      name: 'the pruning of what supervisors watch',
      round: () => pruneWatched(services, keepReportsMonths, ending.signal),
    },
  ];
  for (const one of series) {
    const task = createPeriodicTask(services, one);
    cleanup.add(one.name, () => task.stop());
    task.start();
  }
  cleanup.add('deletions under way', () => ending.abort());
}

/** One gateway at a time deletes. */
async function prune(services: Services, signal: AbortSignal): Promise<void> {
  if (await services.nodes.takeTurn('prune webhook deliveries', pruneEveryMs - 5_000))
    await pruneDeliveries(services, signal);
}

/** One gateway at a time deletes. */
async function pruneKeys(services: Services, signal: AbortSignal): Promise<void> {
  if (!(await services.nodes.takeTurn('prune Idempotency-Keys', pruneEveryMs - 5_000))) return;
  await pruneClicks(services, signal);
  await pruneLookedUp(services, signal);
  await pruneNotices(services, signal);
  await pruneHeardCalls(services, signal);
  await pruneImports(services, signal);
}

/** One gateway at a time rolls up. */
async function rollUp(services: Services, signal: AbortSignal): Promise<void> {
  if (await services.nodes.takeTurn('roll up calls', rollUpEveryMs - 5_000)) await rollUpCalls(services, signal);
}

/** One gateway at a time rolls up and deletes. */
async function pruneWatched(services: Services, months: number, signal: AbortSignal): Promise<void> {
  if (!(await services.nodes.takeTurn('prune the wallboard', pruneEveryMs - 5_000))) return;
  await rollUpTimes(services, signal);
  await pruneTimelines(services, signal);
  await pruneMessages(services, signal);
  await pruneFigures(services, months, signal);
}

/** Finds deliveries written at the moment their endpoint was disabled. */
async function moveToDead(services: Services): Promise<void> {
  if (await services.nodes.takeTurn('give up webhooks', giveUpEveryMs - 5_000))
    await moveStoppedToDead(services, 'all');
}

/** One gateway at a time checks all calls under way. */
async function reap(services: Services, everything: boolean): Promise<void> {
  if (!(await services.nodes.takeTurn('reap calls', reapEveryMs - 5_000))) return;
  await reapCalls(services, everything);
  await takeLeftEvents(services);
  await endSilentCalls(services);
}

/** Gives up the lease at once, so that nobody waits for it to expire. */
async function leave({ nodes, observer }: Services): Promise<void> {
  await nodes.leave().catch((error: unknown) => observer.problem('the lease could not be given up', error));
}
