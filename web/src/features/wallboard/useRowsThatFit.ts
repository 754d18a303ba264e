import { useLayoutEffect, useState, type RefObject } from 'react';

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
