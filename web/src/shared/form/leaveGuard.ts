import { useEffect, useState } from 'react';
import { createStore } from 'zustand/vanilla';

/**
 * Why somebody is asked before they leave what they are at. `beingMade`: something that will be shown once,
 * whose answer reaches this page alone; `notYetStored`: it is shown, and goes away.
 */
type LeaveReason = 'unsavedChanges' | 'beingMade' | 'notYetStored';

/** Whoever has a reason not to be left, and what waits for the answer. */
type Guard = { reasons: ReadonlyMap<object, LeaveReason>; leave: (() => void) | null };
/** For the dialog that asks. */
export const guard = createStore<Guard>(() => ({ reasons: new Map(), leave: null }));

/** Leaves at once where nothing would be lost; otherwise asks, and leaves if the answer is yes. */
export function askToLeave(leave: () => void): void {
  if (guard.getState().reasons.size === 0) leave();
  else guard.setState({ leave });
}

/** Asks before the page, the window or a dialog is left, as long as there is a reason to. */
export function useLeaveGuard(reason: LeaveReason | null): void {
  const [owner] = useState(() => ({}));
  useEffect(() => {
    if (reason === null) return undefined;
    guard.setState(({ reasons }) => ({ reasons: new Map(reasons).set(owner, reason) }));
    window.addEventListener('beforeunload', stayOnUnload);
    return () => {
      const reasons = new Map(guard.getState().reasons);
      reasons.delete(owner);
      guard.setState({ reasons });
      if (reasons.size === 0) window.removeEventListener('beforeunload', stayOnUnload);
    };
  }, [owner, reason]);
}

function stayOnUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
