/** Whoever opens closes, last in first out. */
export interface Closers {
  add(close: () => Promise<void> | void): void;
  /** Closes everything once; a failure does not keep the others open, and is thrown at the end. */
  close(): Promise<void>;
}

export function createClosers(): Closers {
  const stack: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }

  return {
    add: (close) => void stack.push(close),
    close: () => (closing ??= closeAll()),
  };
}
