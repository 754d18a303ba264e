import { useEffect, useState } from 'react';
import type { PopView } from '../../../../src/contract/pop.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import type { ExactAnswer } from '../../shared/customerDetails/exactAnswer.ts';
import type { PopSource } from './popSource.ts';

/** Between two looks at what has changed. Milliseconds. */
const everyMs = 2_000;

/** What is shown of the customer, and why the latest look failed. */
export type ReadPop = { pop: ExactAnswer<PopView> | null; error: unknown };

/** Reads the pop, and again every two seconds while the page is seen. Ends where the credentials are not taken. */
export function usePop(source: PopSource): ReadPop {
  const [shown, setShown] = useState<ReadPop>({ pop: null, error: null });

  useEffect(() => {
    const abandon = new AbortController();
    const { signal } = abandon;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasRead = false;
    let layout: number | undefined;

    async function look(): Promise<void> {
      const isOver = await source({ isAgain: hasRead, layout }, signal).then(
        (pop) => {
          hasRead = true;
          layout = pop.layout?.version ?? layout;
          if (!signal.aborted) setShown(({ pop: before }) => ({ pop: latestOf(before, pop), error: null }));
          return false;
        },
        (error: unknown) => {
          if (!signal.aborted) setShown(({ pop }) => ({ pop, error }));
          return error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429;
        },
      );
      if (!isOver && !signal.aborted) timer = setTimeout(lookIfSeen, everyMs);
    }
    function lookIfSeen(): void {
      if (document.hidden) document.addEventListener('visibilitychange', lookIfSeen, { once: true, signal });
      else void look();
    }
    void look();
    return () => {
      clearTimeout(timer);
      abandon.abort();
    };
  }, [source]);
  return shown;
}

/**
 * A CRM is asked once: what it told stays where the gateway keeps nothing of it.
 * So does the layout, which is told once.
 */
function latestOf(before: ExactAnswer<PopView> | null, now: ExactAnswer<PopView>): ExactAnswer<PopView> {
  const layout = now.layout ?? before?.layout;
  const latest = layout === undefined ? now : { ...now, layout };
  if (before?.found !== true || now.found) return latest;
  const { screen_pop, exact } = before;
  return { ...latest, found: true, screen_pop, ...(exact === undefined ? {} : { exact }) };
}
