import { useEffect, useRef, useState } from 'react';

/** What happened: nothing yet, or what the latest run was asked for and how it ended. */
type Outcome<I, R> = { isPending: boolean; input: I | undefined; data: R | undefined; error: unknown };

/** Told to whoever ran it, as long as the component is shown. */
type Ending<R> = { onSuccess?: (data: R) => void; onError?: (error: unknown) => void };

/** Something that a person does. `error`: why the latest run failed; null: it did not, or is going on. */
export type Action<I, R> = Outcome<I, R> & {
  /** Does it; nothing while it is being done already, however often a button is pressed. */
  run: (input: I, ending?: Ending<R>) => void;
  /** Forgets how the latest run ended; one that is going on goes on. */
  reset: () => void;
};

const nothing = { isPending: false, input: undefined, data: undefined, error: null };

/**
 * The one way in which pages do something: whether it is being done, what came of it,
 * and why it failed (for `messageOf`).
 * @param act goes on although the component is taken away: what must not be lost with the component belongs into it
 */
export function useAction<I = void, R = unknown>(act: (input: I) => Promise<R>): Action<I, R> {
  const [outcome, setOutcome] = useState<Outcome<I, R>>(nothing);
  const running = useRef<symbol | null>(null);
  // Nobody is told any more.
  useEffect(() => () => void (running.current = null), []);

  function run(input: I, { onSuccess, onError }: Ending<R> = {}): void {
    if (running.current !== null) return;
    const turn = Symbol('run');
    running.current = turn;
    setOutcome({ ...nothing, isPending: true, input });
    const end = (how: Partial<Outcome<I, R>>, tell: () => void) => {
      if (running.current !== turn) return;
      running.current = null;
      setOutcome({ ...nothing, input, ...how });
      tell();
    };
    act(input).then(
      (data) => end({ data }, () => onSuccess?.(data)),
      (error: unknown) => end({ error }, () => onError?.(error)),
    );
  }

  function reset(): void {
    if (running.current === null) setOutcome(nothing);
  }

  return { ...outcome, run, reset };
}
