import { useState } from 'react';
import { unsavedChanges, useLeaveGuard } from '../shell/leaveGuard.ts';

/** A form over something saved: what is shown, and which of it differs from what is saved. */
export type Draft<T> = {
  values: T;
  changes: Partial<T>;
  isChanged: boolean;
  set: (change: Partial<T>) => void;
  /** Back to what is saved. */
  reset: () => void;
};

/** Keeps what was typed apart from what is saved, and asks before it is left unsaved. */
export function useDraft<T extends object>(saved: T): Draft<T> {
  const [typed, setTyped] = useState<Partial<T>>({});
  const changes = differences(typed, saved);
  const isChanged = Object.keys(changes).length > 0;
  useLeaveGuard(isChanged ? unsavedChanges : null);
  return {
    values: { ...saved, ...changes },
    changes,
    isChanged,
    set: (change) => setTyped((before) => ({ ...before, ...change })),
    reset: () => setTyped({}),
  };
}

function differences<T extends object>(typed: Partial<T>, saved: T): Partial<T> {
  const changes: Partial<T> = {};
  for (const name of Object.keys(typed) as (keyof T)[]) {
    if (JSON.stringify(typed[name]) !== JSON.stringify(saved[name])) changes[name] = typed[name] as T[keyof T];
  }
  return changes;
}
