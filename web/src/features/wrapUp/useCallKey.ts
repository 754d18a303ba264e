import { useState } from 'react';
import type { CallSummary } from '../../../../src/contract/calls.ts';

/** What stands for a call that the gateway does not know, or not yet, as `WorkplaceView.call` has it. */
const unrecorded = 'unrecorded';

/** Whether the gateway knows the call, and can keep what is entered for it. */
export function isRecorded({ id }: Pick<CallSummary, 'id'>): boolean {
  return id !== unrecorded;
}

/**
 * `of`: the call followed last; `times`: how many there were that the gateway did not know;
 * `named`: the one that it has recorded meanwhile.
 */
type Followed = { of: string | null; times: number; named: { id: string; key: string } | null };

const anew = (times: number) => `${unrecorded} ${String(times)}`;

/**
 * The key of a call's fields, by its id: one that the gateway records while it goes on stays the same.
 * @param call what is going on now
 */
export function useCallKey(call: CallSummary | null): (id: string) => string {
  const id = call?.id ?? null;
  const [before, follow] = useState<Followed>({ of: id, times: 0, named: null });
  let now = before;
  if (before.of !== id) {
    const { times } = before;
    now =
      before.of === unrecorded
        ? { of: id, times: times + 1, named: id === null ? null : { id, key: anew(times) } }
        : { ...before, of: id };
    follow(now);
  }
  const { times, named } = now;
  return (wanted) => (wanted === unrecorded ? anew(times) : wanted === named?.id ? named.key : wanted);
}
