import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';

/** Something that is read from the gateway, in the words of React Query. */
export type Read<T> = {
  /** What was read last; undefined: nothing yet. */
  data: T | undefined;
  /** Why the latest reading failed, for `messageOf`; null: it did not. */
  error: unknown;
  isFetching: boolean;
  /** Reads again; what was read before stays until then. */
  refetch: () => void;
};

type Options<T> = {
  /**
   * What is read: nothing that was read of another key is shown. Null: nothing is read for now, what was read stays.
   */
  key: string | null;
  read: (signal: AbortSignal) => Promise<T>;
  /** Read again whenever it changes. */
  version?: string | null;
  /** For a key that may change again at once, as while somebody types. Milliseconds. */
  pauseMs?: number;
};

type Asked = { key: string | null; version: string | null; again: number };
type Answer<T> = { asked: Asked; data: T | undefined; error: unknown };

/**
 * Reads without a cache, on the softphone page, which has no room for React Query (docs/decisions/0032).
 * What nobody waits for any more is aborted, and what comes late is not shown.
 */
export function useRead<T>({ key, read, version = null, pauseMs = 0 }: Options<T>): Read<T> {
  const [again, setAgain] = useState(0);
  const [answer, setAnswer] = useState<Answer<T> | null>(null);
  const asked = useMemo((): Asked => ({ key, version, again }), [key, version, again]);
  const readNow = useEffectEvent(read);

  useEffect(() => {
    if (asked.key === null) return undefined;
    const abandon = new AbortController();
    const { signal } = abandon;
    const fail = (error: unknown) =>
      setAnswer((before) => ({ asked, data: before?.asked.key === asked.key ? before.data : undefined, error }));
    const timer = setTimeout(() => {
      readNow(signal).then(
        (data) => !signal.aborted && setAnswer({ asked, data, error: null }),
        (error: unknown) => !signal.aborted && fail(error),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abandon.abort();
    };
  }, [asked, pauseMs]);

  const isShown = answer !== null && (key === null || answer.asked.key === key);
  return {
    data: isShown ? answer.data : undefined,
    error: isShown ? answer.error : null,
    isFetching: key !== null && answer?.asked !== asked,
    refetch: useCallback(() => setAgain((times) => times + 1), []),
  };
}
