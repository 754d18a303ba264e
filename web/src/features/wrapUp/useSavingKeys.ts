import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from '../../shared/isTyping.ts';

/** What has a meaning of its own for Enter, with or without Ctrl. */
const ownKeys = '[role=dialog], [role=menu], [role=listbox]';
/** What the Enter key presses by itself. */
const pressed = 'a, button, summary';

/**
 * A form that the keyboard sends: Ctrl+Enter from anywhere but a field beside it, Enter while nothing is being typed
 * and nothing else on the page would be pressed by it. @param isSent whether it can be sent already
 */
export function useSavingKeys(isSent: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isSent) return;
    function save(event: KeyboardEvent): void {
      const { target } = event;
      if (
        event.key !== 'Enter' ||
        event.defaultPrevented ||
        event.altKey ||
        event.shiftKey ||
        !(target instanceof Element)
      )
        return;
      const isInside = form.current?.contains(target) === true;
      if (target.closest(ownKeys) !== null) return;
      if (event.ctrlKey || event.metaKey) {
        if (isTyping() && !isInside) return;
      } else if (isTyping() || target.closest(pressed) !== null || (target !== document.body && !isInside)) return;
      // The browser would send it once more from a field of the form, or press what has the focus.
      event.preventDefault();
      if (!event.repeat) form.current?.requestSubmit();
    }
    window.addEventListener('keydown', save);
    return () => window.removeEventListener('keydown', save);
  }, [isSent]);
  return form;
}
