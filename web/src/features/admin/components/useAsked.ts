import { useState } from 'react';

/** The last one that there was: what was open stays to be seen while its dialog fades out. */
export function useLast<T>(value: T | null): T | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

type Asking<T> = {
  isOpen: boolean;
  /** What is asked about, or was last. */
  about: T;
  ask: (about: T) => void;
  close: () => void;
};

/**
 * A question before something is done, for `Confirm`.
 * @param first what it is about before anything was asked
 * @param actions what may be done then; how they ended before is no part of a new question
 */
export function useAsked<T>(first: T, ...actions: { reset: () => void }[]): Asking<T> {
  const [asked, setAsked] = useState<{ about: T } | null>(null);
  const last = useLast(asked);
  return {
    isOpen: asked !== null,
    about: last === null ? first : last.about,
    ask(about) {
      for (const { reset } of actions) reset();
      setAsked({ about });
    },
    close: () => setAsked(null),
  };
}
