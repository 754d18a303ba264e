import type { Services } from '../services.ts';

/** Writes in the background what its owner has buffered, and nobody waits for. */
export interface WriteBehind {
  /** Something waits to be written. */
  wake(): void;
  /** Writes what is left, if that is possible, and nothing after it. May be called twice. */
  stop(): Promise<void>;
}

type Work = {
  /** For the operator, when it fails. */
  problem: string;
  waits: () => boolean;
  /** Writes what waits. What could not be written waits again when this rejects. */
  write: () => Promise<void>;
};

/** Pause between two writes: at most four a second. Milliseconds. */
const restMs = 250;
const againAfterMs = 1_000;

/**
 * Writes a single change at once; changes that come within the pause are written together after it, so a busy gateway's
 * writes stay few. Retries as long as a write fails, and reports that once.
 */
export function createWriteBehind(
  { clock, observer }: Pick<Services, 'clock' | 'observer'>,
  { problem, waits, write }: Work,
): WriteBehind {
  let isFree = true;
  let isStopped = false;
  let fails = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancelRest = () => {};

  async function attempt(): Promise<void> {
    try {
      await write();
      fails = false;
    } catch (error) {
      if (!fails) observer.problem(problem, error);
      fails = true;
    }
  }

  async function round(): Promise<void> {
    await attempt();
    if (isStopped) return;
    cancelRest = clock.after(fails ? againAfterMs : restMs, () => {
      isFree = true;
      wake();
    });
  }

  function wake(): void {
    if (!isFree || isStopped || !waits()) return;
    isFree = false;
    underWay = round();
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      cancelRest();
      await underWay;
      if (waits()) await attempt();
    },
  };
}
