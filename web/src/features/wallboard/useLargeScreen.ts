import { useCallback, useEffect, useState } from 'react';

/** On the root element: all sizes of the page follow its font size. */
const attribute = 'data-large-screen';

/** For a display that people read from across the room: larger type, nothing but the wallboard, and the whole screen. */
export function useLargeScreen(): { isLarge: boolean; toggle: () => void } {
  const [isLarge, setLarge] = useState(false);

  const become = useCallback((large: boolean) => {
    // Before anything is drawn anew: the table measures by it.
    document.documentElement.toggleAttribute(attribute, large);
    setLarge(large);
  }, []);

  useEffect(() => {
    // Escape leaves the full screen without asking the page.
    const onChange = () => {
      if (document.fullscreenElement === null) become(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.documentElement.removeAttribute(attribute);
    };
  }, [become]);

  const toggle = useCallback(() => {
    become(!isLarge);
    const change = isLarge ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => {
      // A browser that keeps its bars still has the larger type.
    });
  }, [become, isLarge]);

  return { isLarge, toggle };
}
