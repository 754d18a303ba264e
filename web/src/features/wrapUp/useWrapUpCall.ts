import { useCallback, useEffect, useState } from 'react';
import { asksForWrapUp } from '../../../../src/contract/callRules.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { courseOf } from '../calls/callWords.ts';
import { dropDraft, hasDraft } from './keptDrafts.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

export type WrapUpCall = {
  /** The call to wrap up, if there is one. */
  call: CallSummary | null;
  /** Its time is over: the agent may be called again meanwhile. */
  isLate: boolean;
  pick: (call: CallSummary) => void;
  /** Leaves the call as it is. */
  leave: (callId: string) => void;
};

/**
 * Which call to wrap up: the one whose time runs, else one that was picked, else the last one while it is not wrapped
 * up, else one for which something was typed before a reload.
 */
export function useWrapUpCall(recent: readonly CallSummary[] | undefined): WrapUpCall {
  const { agent, call } = useWorkplace().view;
  const [picked, setPicked] = useState<CallSummary | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const pick = useCallback((wanted: CallSummary) => setPicked(wanted), []);
  const leave = useCallback((callId: string) => {
    dropDraft(callId);
    setPicked(null);
    setLeft((before) => new Set(before).add(callId));
  }, []);
  // Submitted, though the answer that said so may have been lost: what was typed about the customer need not stay here.
  useEffect(() => {
    for (const one of [call, ...(recent ?? [])]) if (one !== null && one.disposition !== null) dropDraft(one.id);
  }, [call, recent]);
  const last = call !== null && isOpen(call) ? call : null;
  // An agent who is on the call still is so until the gateway has learned of its end. Of several calls that are wrapped
  // up one after the other the page may have forgotten one over a reload.
  const running = [last, ...(recent ?? [])].find((one) => one !== null && one.id === agent?.call_id && isOpen(one));
  if (running != null) return { call: running, isLate: false, pick, leave };
  const unsubmitted = recent?.find((one) => isOpen(one) && !left.has(one.id) && hasDraft(one.id));
  const late = picked ?? (last !== null && !left.has(last.id) ? last : (unsubmitted ?? null));
  return { call: late, isLate: true, pick, leave };
}

function isOpen(call: CallSummary): boolean {
  return call.state === 'ended' && call.disposition === null && asksForWrapUp(courseOf(call));
}
