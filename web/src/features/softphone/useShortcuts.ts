import { useEffect, useRef } from 'react';
import { shortcuts } from './shortcuts.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Listens to the shortcuts for as long as the page is the agent's softphone. */
export function useShortcuts(): void {
  const context = useWorkplace();
  const latest = useRef(context);
  useEffect(() => void (latest.current = context));
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // AltGr, which types characters, reports Ctrl too.
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
      // By the place of the key: with Alt, macOS types another character.
      const shortcut = shortcuts.find(({ key }) => event.code === `Key${key}`);
      if (shortcut === undefined || latest.current.view.line === 'replaced') return;
      event.preventDefault();
      shortcut.act(latest.current);
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
