import { useCallback, useEffect, useState } from 'react';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { api } from '../../lib/gateway/api.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

export type RecentCallList = {
  /** Newest first; null: not read yet. */
  calls: CallSummary[] | null;
  /** They could not be read, or not again. */
  hasFailed: boolean;
  refresh: () => void;
};

const shown = 20;

/** The agent's calls that are over; read again when one ends, is wrapped up, or the connection is back. */
export function useRecentCalls(): RecentCallList {
  const { view, agentId } = useWorkplace();
  const [calls, setCalls] = useState<CallSummary[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [wish, setWish] = useState(0);
  const refresh = useCallback(() => setWish((count) => count + 1), []);
  const { call, line } = view;
  // Without a time the gateway is yet to learn of the end.
  const ended = call?.state === 'ended' && call.ended_at !== null ? `${call.id} ${call.disposition?.submitted_at ?? ''}` : null;
  useEffect(() => {
    if (line !== 'connected') return;
    const giveUp = new AbortController();
    api
      .get<{ calls: CallSummary[] }>('/api/calls', { agent_id: agentId, state: 'ended', limit: shown }, giveUp.signal)
      .then((answer) => {
        if (giveUp.signal.aborted) return;
        setCalls(answer.calls);
        setFailed(false);
      })
      .catch(() => {
        if (!giveUp.signal.aborted) setFailed(true);
      });
    return () => giveUp.abort();
  }, [agentId, ended, line, wish]);
  return { calls, hasFailed, refresh };
}
