import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from '../../shared/isTyping.ts';

/** What the Enter key presses by itself, or has a meaning of its own in. */
const ownEnter = 'a, button, summary, [role=dialog], [role=menu], [role=listbox]';

/** A form that Enter sends while nothing is being typed and nothing else on the page would be pressed by it. */
export function useEnterSaves(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    function save(event: KeyboardEvent): void {
      if (event.key !== 'Enter' || event.repeat || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const { target } = event;
      if (isTyping() || !(target instanceof Element) || target.closest(ownEnter) !== null) return;
      if (target !== document.body && form.current?.contains(target) !== true) return;
      // The browser would send it once more from a field of the form.
      event.preventDefault();
      form.current?.requestSubmit();
    }
    window.addEventListener('keydown', save);
    return () => window.removeEventListener('keydown', save);
  }, []);
  return form;
}
