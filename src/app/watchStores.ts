import type { Wallboard } from '../ports/wallboard.ts';
import { createClickCounter } from '../usecases/live/clickCounter.ts';
import { createStateHistory, withHistory } from '../usecases/live/stateHistory.ts';
import type { Services } from '../usecases/services.ts';
import { watchedCalls } from '../usecases/live/liveViews.ts';
import type { Cleanup } from './cleanup.ts';

type Needs = Pick<Services, 'agentHistory' | 'calls' | 'clickTallies' | 'clock' | 'observer' | 'presence'>;

type Watched = Pick<Services, 'calls' | 'countClick' | 'presence'> & {
  /**
   * Nothing is written to the timelines before this: a start that fails must not change those of a gateway that serves.
   */
  beginHistory: () => Promise<void>;
};

/**
 * Wraps the stores so that calls reach the wallboard and states the agents' timelines, and counts clicks.
 * What is buffered at the end is written before the stores close.
 */
export function watchStores(
  services: Needs,
  { wallboard, isAlone, cleanup }: { wallboard: Wallboard; isAlone: boolean; cleanup: Cleanup },
): Watched {
  const { agentHistory, clock, observer } = services;
  const startedAt = clock.now();
  const history = createStateHistory(services);
  let hasBegun = false;

  /** A single gateway's presence ends with its process. */
  async function endStates(at: number): Promise<void> {
    if (!isAlone) return;
    await agentHistory
      .endAll(new Date(at))
      .catch((error: unknown) => observer.problem('the states of agents could not be ended in their timelines', error));
  }

  cleanup.add('the timelines of agents', async () => {
    await history.stop();
    if (hasBegun) await endStates(clock.now());
  });
  const counter = createClickCounter({ ...services, wallboard });
  cleanup.add('the count of clicks', () => counter.stop());
  return {
    calls: watchedCalls(services.calls, wallboard),
    countClick: (companyId, result) => counter.count(companyId, result),
    presence: withHistory(services.presence, history),
    async beginHistory() {
      hasBegun = true;
      // States left by a process that was killed. An agent found on a call at the start is on it from the start on.
      await endStates(startedAt);
      history.begin();
    },
  };
}
