import { type RefObject, useLayoutEffect, useRef } from 'react';
import { isTyping } from '../../shared/isTyping.ts';

/** Where somebody was typing during a call when it ended. */
let left: { callId: string; at: number } | null = null;

/** The field for notes during a call: whoever types in it when the call ends goes on in that of the wrap-up. */
export function useCallNotesField(callId: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const notes = field.current;
    return () => {
      left = notes !== null && document.activeElement === notes ? { callId, at: notes.selectionStart } : null;
    };
  }, [callId]);
  return field;
}

/** That of the wrap-up. */
export function useWrapUpNotesField(callId: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const notes = field.current;
    if (notes !== null && left?.callId === callId && !isTyping()) {
      notes.focus();
      notes.setSelectionRange(left.at, left.at);
    }
    left = null;
  }, [callId]);
  return field;
}
