import { finishOnSignal } from '../stopSignal.ts';

/** What the story must put back, however far it comes. */
export interface CleanUp {
  add(undo: () => Promise<void> | void): void;
  /** Puts everything back, last first; once. A failure does not keep the rest, and is thrown at the end. */
  run(): Promise<void>;
}

/** Also runs when Ctrl-C ends the story. */
export function createCleanUp(): CleanUp {
  const steps: (() => Promise<void> | void)[] = [];
  let running: Promise<void> | null = null;

  async function undoAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'The story could not put everything back.');
  }

  const cleanUp: CleanUp = {
    add: (undo) => void steps.push(undo),
    run: () => (running ??= undoAll()),
  };
  finishOnSignal(() => cleanUp.run(), 130);
  return cleanUp;
}
