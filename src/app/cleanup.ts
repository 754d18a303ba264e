/** A step that takes longer is reported by name, and again after each such interval. Milliseconds. */
const slowAfterMs = 5_000;

/** Whoever opens closes, last in first out. */
export interface Cleanup {
  /** @param step what is closed, for the operator when it hangs, e.g. `the webhook sender` */
  add(step: string, close: () => Promise<void> | void): void;
  /** Closes everything once; a failed step does not stop the others, and is thrown at the end with its name. */
  close(): Promise<void>;
}

/** @param onSlow called with a step that is still not closed; `seconds`: for how long */
export function createCleanup(onSlow: (step: string, seconds: number) => void): Cleanup {
  const stack: { step: string; close: () => Promise<void> | void }[] = [];
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { step, close } = top;
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
    add: (step, close) => void stack.push({ step, close }),
    close: () => (closing ??= closeAll()),
  };
}
