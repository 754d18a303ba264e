import { shutdownOrder, type ShutdownStep } from './shutdownOrder.ts';

/** A step that takes longer is reported by name, and again after each such interval. Milliseconds. */
const slowAfterMs = 5_000;

/** Whoever opens tells how it is closed; `shutdownOrder` says when. */
export interface Cleanup {
  /** @param step what is closed, named to the operator when it hangs. Once each. */
  add(step: ShutdownStep, close: () => Promise<void> | void): void;
  /** Closes everything once; a failed step does not stop the others, and is thrown at the end with its name. */
  close(): Promise<void>;
}

/** @param onSlow called with a step that is still not closed; `seconds`: for how long */
export function createCleanup(onSlow: (step: ShutdownStep, seconds: number) => void): Cleanup {
  const closers = new Map<ShutdownStep, () => Promise<void> | void>();
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of shutdownOrder) {
      const close = closers.get(step);
      if (close === undefined) continue;
      const begun = performance.now();
      const timer = setInterval(() => onSlow(step, Math.round((performance.now() - begun) / 1_000)), slowAfterMs);
      try {
        await close();
      } catch (cause) {
        failures.push(new Error(`${step} could not be closed`, { cause }));
      } finally {
        clearInterval(timer);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }

  return {
    add(step, close) {
      if (closers.has(step)) throw new Error(`${step} is to be closed already`);
      closers.set(step, close);
    },
    close: () => (closing ??= closeAll()),
  };
}
