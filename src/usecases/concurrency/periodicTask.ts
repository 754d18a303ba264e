import type { Services } from '../services.ts';

export interface PeriodicTask {
  start(): void;
  /** Begins no other round and waits for the one under way. May be called twice. */
  stop(): Promise<void>;
}

type Series = {
  everyMs: number;
  /** From the start to the first round; `everyMs` by default. */
  firstAfterMs?: number;
  name: string;
  round: () => Promise<void>;
};

/**
 * Does something again and again, `everyMs` after the end of the last round; a round that fails is reported and
 * does not end the series.
 */
export function createPeriodicTask(
  { clock, observer }: Pick<Services, 'clock' | 'observer'>,
  { everyMs, firstAfterMs = everyMs, name, round }: Series,
): PeriodicTask {
  let running = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = () => {};

  function schedule(afterMs: number): void {
    cancel = clock.after(afterMs, () => {
      underWay = round()
        .catch((error: unknown) => observer.problem(`${name} failed`, error))
        .then(() => {
          if (running) schedule(everyMs);
        });
    });
  }

  return {
    start() {
      running = true;
      schedule(firstAfterMs);
    },
    async stop() {
      running = false;
      cancel();
      await underWay;
    },
  };
}
