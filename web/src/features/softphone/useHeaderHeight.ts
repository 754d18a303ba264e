import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Tells the style sheets how high the header is (`--header-height`), so that what sticks does so below it. */
export function useHeaderHeight(): { page: RefObject<HTMLDivElement | null>; header: RefObject<HTMLElement | null> } {
  const page = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measured = header.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => page.current?.style.setProperty('--header-height', `${measured.offsetHeight}px`));
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { page, header };
}
