import { useEffect, useState, useSyncExternalStore } from 'react';

/** Why somebody is asked before they leave what they are at. */
export type LeaveReason = { title: string; text: string; stay: string; leave: string };

/** What most forms say. */
export const unsavedChanges: LeaveReason = {
  title: 'Leave without saving?',
  text: 'What you changed here has not been saved.',
  stay: 'Stay',
  leave: 'Leave without saving',
};

type Asked = { reason: LeaveReason; leave: () => void };

const reasons = new Map<object, LeaveReason>();
const listeners = new Set<() => void>();
let asked: Asked | null = null;

function setAsked(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

function stayOnUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Whether leaving has to be asked for. */
export function isGuarded(): boolean {
  return reasons.size > 0;
}

/** Leaves at once where nothing would be lost; otherwise asks, and leaves if the answer is yes. */
export function askToLeave(leave: () => void): void {
  const reason = [...reasons.values()].at(-1);
  if (reason === undefined) leave();
  else setAsked({ reason, leave });
}

/** The answer to the question that is on the page. */
export function answerLeave(isLeaving: boolean): void {
  const question = asked;
  setAsked(null);
  if (isLeaving) question?.leave();
}

/** The question that is on the page; null: none. */
export function useAskedToLeave(): Asked | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}

/** Asks before the page, the window or a dialog is left, as long as there is a reason to. */
export function useLeaveGuard(reason: LeaveReason | null): void {
  const [owner] = useState(() => ({}));
  useEffect(() => {
    if (reason === null) return undefined;
    reasons.set(owner, reason);
    // A question that is on the page tells what would be lost by now.
    if (asked !== null && ![...reasons.values()].includes(asked.reason)) setAsked({ ...asked, reason });
    window.addEventListener('beforeunload', stayOnUnload);
    return () => {
      reasons.delete(owner);
      if (reasons.size === 0) window.removeEventListener('beforeunload', stayOnUnload);
    };
  }, [owner, reason]);
}
