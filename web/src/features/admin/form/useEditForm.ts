import { useRef, useState } from 'react';
import { unsavedChanges, useLeaveGuard } from '../shell/leaveGuard.tsx';
import { differences, without } from './diff.ts';

/** A form over something saved: what is shown, and which of it differs from what is saved. */
export type Draft<T> = {
  values: T;
  changes: Partial<T>;
  isChanged: boolean;
  set: (change: Partial<T>) => void;
  /** Back to what is saved. */
  reset: () => void;
  /**
   * Forgets what was sent and is saved now, so that the form follows what others save; what was typed since stays.
   * @param sent the changes as they were then; @returns whether nothing is left to save
   */
  saved: (sent: Partial<T>) => boolean;
};

/** Keeps what was typed apart from what is saved, and asks before it is left unsaved. */
export function useEditForm<T extends object>(stored: T): Draft<T> {
  const [typed, setTyped] = useState<Partial<T>>({});
  /** For answers that come when the form has been drawn anew many times. */
  const latest = useRef(typed);
  const changes = differences(typed, stored);
  const isChanged = Object.keys(changes).length > 0;
  useLeaveGuard(isChanged ? unsavedChanges : null);

  function keep(next: Partial<T>): void {
    latest.current = next;
    setTyped(next);
  }

  return {
    values: { ...stored, ...changes },
    changes,
    isChanged,
    set: (change) => keep(differences({ ...latest.current, ...change }, stored)),
    reset: () => keep({}),
    saved(sent) {
      const rest = without(latest.current, sent);
      keep(rest);
      return Object.keys(rest).length === 0;
    },
  };
}
