import { useCallback, useEffect, useState } from 'react';

/** On the root element: all sizes of the page follow its font size. */
const attribute = 'data-large-screen';

/** For a display that people read from across the room: larger type, nothing but the wall, and the whole screen. */
export function useLargeScreen(): { isLarge: boolean; toggle: () => void } {
  const [isLarge, setLarge] = useState(false);

  useEffect(() => {
    document.documentElement.toggleAttribute(attribute, isLarge);
    return () => document.documentElement.removeAttribute(attribute);
  }, [isLarge]);

  useEffect(() => {
    // Escape leaves the full screen without asking the page.
    const onChange = () => {
      if (document.fullscreenElement === null) setLarge(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);

  const toggle = useCallback(() => {
    setLarge(!isLarge);
    const change = isLarge ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => {
      // A browser that keeps its bars still has the larger type.
    });
  }, [isLarge]);

  return { isLarge, toggle };
}
