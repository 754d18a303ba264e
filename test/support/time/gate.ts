/** Holds something back until the test lets it go on. */
export interface Gate {
  /** Runs the action when the gate is open, or fails when the test says so. */
  pass<T>(action: () => Promise<T>): Promise<T>;
  shut(): void;
  open(): void;
  /** Whoever comes from now on gets this error, and the action does not run. */
  fail(error: Error): void;
  /** Resolves when somebody has come to the gate. */
  reached(): Promise<void>;
}

/** A gate that is open. */
export function gate(): Gate {
  let opened: Promise<void> | null = null;
  let openIt = () => {};
  let failure: Error | null = null;
  let comeToIt = () => {};
  const reached = new Promise<void>((resolve) => (comeToIt = resolve));
  return {
    async pass(action) {
      comeToIt();
      await opened;
      if (failure !== null) throw failure;
      return action();
    },
    shut() {
      opened = new Promise((resolve) => (openIt = resolve));
    },
    open() {
      openIt();
      opened = null;
    },
    fail: (error) => void (failure = error),
    reached: () => reached,
  };
}
