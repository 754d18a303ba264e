import type { Clock } from '../../ports/clock.ts';
import { oneAtATime } from './oneAtATime.ts';

export interface BackgroundLooks {
  isRunning(): boolean;
  start(): void;
  /** There may be something to do: looks at once. */
  wake(): void;
  /** Begins nothing more, and waits for the look that is under way. May be called twice. */
  stop(): Promise<void>;
}

type Parts = {
  clock: Clock;
  /** Looks for work; resolves with when to look again, in milliseconds, or with nothing: after `everyMs`. */
  look: () => Promise<number | void>;
  everyMs: number;
  /** Told of the first of several failures in a row; the next look tries again. */
  failed: (error: unknown) => void;
};

/** Looks for work at the start, whenever it is woken, and again after a while; never twice at once. */
export function backgroundLooks({ clock, look, everyMs, failed }: Parts): BackgroundLooks {
  let running = false;
  let latestFailed = false;
  let cancelNext = () => {};
  const looks = oneAtATime(lookNow, () => !running);

  async function lookNow(): Promise<void> {
    let nextMs = everyMs;
    try {
      nextMs = (await look()) ?? everyMs;
      latestFailed = false;
    } catch (error) {
      if (!latestFailed) failed(error);
      latestFailed = true;
    }
    cancelNext();
    if (running) cancelNext = clock.after(nextMs, looks.ask);
  }

  return {
    isRunning: () => running,
    start() {
      running = true;
      looks.ask();
    },
    wake: looks.ask,
    async stop() {
      running = false;
      cancelNext();
      await looks.idle();
    },
  };
}
