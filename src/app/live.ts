import type { Wall } from '../ports/wall.ts';
import { createClickCounter } from '../usecases/live/clickCounter.ts';
import { createStateHistory, withHistory } from '../usecases/live/stateHistory.ts';
import { watchedCalls } from '../usecases/live/watchedCalls.ts';
import type { Services } from '../usecases/services.ts';
import type { Closers } from './closers.ts';

type Needs = Pick<Services, 'agentHistory' | 'calls' | 'clickTallies' | 'clock' | 'observer' | 'presence'>;

/**
 * The stores, which tell the supervisors of calls and keep what the agents did, and the counting of clicks. What is left
 * in memory at the end is written before the stores close.
 */
export async function watchStores(
  services: Needs,
  { wall, isAlone, closers }: { wall: Wall; isAlone: boolean; closers: Closers },
): Promise<Pick<Services, 'calls' | 'countClick' | 'presence'>> {
  const { agentHistory, clock, observer } = services;
  // The presence of a gateway that is alone ended with the process before: nobody was there since.
  if (isAlone) {
    await agentHistory
      .endAll(new Date(clock.now()))
      .catch((error: unknown) => observer.problem('the states of before the start could not be ended', error));
  }
  const history = createStateHistory(services);
  closers.add(() => history.stop());
  const counter = createClickCounter({ ...services, wall });
  closers.add(() => counter.stop());
  return {
    calls: watchedCalls(services.calls, wall),
    countClick: (companyId, result) => counter.count(companyId, result),
    presence: withHistory(services.presence, history),
  };
}
