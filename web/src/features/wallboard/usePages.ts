import { useCallback, useEffect, useState } from 'react';
import { pageCount } from './paging.ts';

/** So long each page of a large screen stays. Milliseconds. */
const shownForMs = 10_000;

export type Pages = {
  /** From 0. */
  page: number;
  count: number;
  isPaused: boolean;
  show: (page: number) => void;
  /** To the page before (-1) or after (1), around the ends. */
  step: (by: -1 | 1) => void;
  togglePause: () => void;
};

/**
 * Shows a long list page by page, one after the other by itself.
 * @param perPage null: it is not shown in pages @param isHeld somebody is at work on the page that is shown
 */
export function usePages(rows: number, perPage: number | null, isHeld: boolean): Pages {
  const count = perPage === null ? 1 : pageCount(rows, perPage);
  const [wanted, setWanted] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const page = Math.min(wanted, count - 1);
  const step = useCallback((by: -1 | 1) => setWanted((page + by + count) % count), [page, count]);
  const togglePause = useCallback(() => setPaused((before) => !before), []);

  useEffect(() => {
    if (count === 1 || isPaused || isHeld) return;
    const timer = setTimeout(() => step(1), shownForMs);
    return () => clearTimeout(timer);
  }, [count, isPaused, isHeld, step]);

  useEffect(() => {
    if (count === 1) return;
    function press(event: KeyboardEvent): void {
      if (event.altKey || event.ctrlKey || event.metaKey || isInField(event.target)) return;
      if (event.key === 'ArrowRight') step(1);
      else if (event.key === 'ArrowLeft') step(-1);
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [count, step]);

  return { page, count, isPaused, show: setWanted, step, togglePause };
}

/** Where arrow keys have a meaning of their own. */
function isInField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role=radiogroup], [role=dialog]') !== null;
}
