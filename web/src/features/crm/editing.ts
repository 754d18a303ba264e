import { useEffect } from 'react';
import { isTyping } from '../../shared/isTyping.ts';

/** How many parts of the area hold something that is not saved. */
let edited = 0;

/** While it is so, the area shows nothing else by itself. @param isEdited something was entered that is not saved */
export function useEditing(isEdited: boolean): void {
  useEffect(() => {
    if (!isEdited) return undefined;
    edited += 1;
    return () => void (edited -= 1);
  }, [isEdited]);
}

/** Whether somebody would lose what they are at if the area showed another page. @param area its part of the page */
export function isBeingEdited(area: Element | null): boolean {
  if (edited > 0 || document.querySelector('[role=dialog]') !== null) return true;
  return area?.contains(document.activeElement) === true && isTyping();
}
