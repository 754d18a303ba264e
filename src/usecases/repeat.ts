import type { Services } from './services.ts';

export interface Repeater {
  start(): void;
  /** Begins no other round and waits for the one under way. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Does something again and again, `everyMs` after the end of the last round; a round that fails is reported and
 * does not end the series.
 */
export function createRepeater(
  { clock, observer }: Pick<Services, 'clock' | 'observer'>,
  { everyMs, name, round }: { everyMs: number; name: string; round: () => Promise<void> },
): Repeater {
  let running = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = () => {};

  function schedule(): void {
    cancel = clock.after(everyMs, () => {
      underWay = round()
        .catch((error: unknown) => observer.problem(`${name} failed`, error))
        .then(() => {
          if (running) schedule();
        });
    });
  }

  return {
    start() {
      running = true;
      schedule();
    },
    async stop() {
      running = false;
      cancel();
      await underWay;
    },
  };
}
