import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

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
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [role=radiogroup], [role=dialog]') !== null
  );
}

/** How many pages there are; one at least. */
export function pageCount(rows: number, perPage: number): number {
  return Math.max(1, Math.ceil(rows / Math.max(1, perPage)));
}

/** What is on that page, from 0. */
export function onPage<T>(rows: readonly T[], page: number, perPage: number): readonly T[] {
  return rows.slice(page * perPage, (page + 1) * perPage);
}

/** In pixels; the same as in the style sheet. */
export const rowHeight = () => 2.25 * rootFontSize();
export const headHeight = () => 2 * rootFontSize();

/** How many rows a table of that height shows in full, at least one. */
export function useRowsThatFit(scroller: RefObject<HTMLElement | null>): number {
  const [rows, setRows] = useState(1);
  useLayoutEffect(() => {
    const measured = scroller.current;
    if (measured === null) return;
    const measure = () => setRows(Math.max(1, Math.floor((measured.clientHeight - headHeight()) / rowHeight())));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [scroller]);
  return rows;
}

function rootFontSize(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/**
 * Where a key leads to from a row. @param page rows that fit on the screen; @returns null: the key leads nowhere
 */
export function rowStep(key: string, from: number, count: number, page: number): number | null {
  const wanted: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const next = wanted[key];
  if (next === undefined || count === 0) return null;
  return Math.min(Math.max(next, 0), count - 1);
}
