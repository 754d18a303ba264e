import { useEffect } from 'react';
import { handOverDrafts, saveAtOnce } from './drafts.ts';

/**
 * Sees to it that what was typed is saved before the agent turns to another window or device.
 * @param isPassive another page has the softphone
 */
export function useKeptDrafts(isPassive: boolean): void {
  useEffect(() => {
    const leave = () => saveAtOnce(true);
    const turnAway = () => saveAtOnce();
    window.addEventListener('pagehide', leave);
    window.addEventListener('blur', turnAway);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('blur', turnAway);
    };
  }, []);
  useEffect(() => {
    if (isPassive) handOverDrafts();
  }, [isPassive]);
}
