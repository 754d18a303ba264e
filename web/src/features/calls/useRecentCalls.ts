import type { CallSummary } from '../../../../src/contract/calls.ts';
import { api } from '../../lib/gateway/api.ts';
import { type Read, useRead } from '../../lib/gateway/useRead.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** So many are read at once. */
export const pageSize = 20;

/** A page of calls; `next_cursor` null: the last. */
export type CallPage = { calls: CallSummary[]; next_cursor: string | null };

/**
 * The agent's calls that are over, newest first; read again when one ends, is wrapped up, or the connection is back.
 */
export function useRecentCalls(): Read<CallPage> {
  const { view, agentId } = useWorkplace();
  return useRead({
    key: view.line === 'connected' ? agentId : null,
    version: useLastEnd(),
    read: (signal) => api.get<CallPage>('/api/calls', { agent_id: agentId, state: 'ended', limit: pageSize }, signal),
  });
}

/**
 * Changes whenever a call has ended, also one whose caller heard that the agent is busy, is wrapped up,
 * or more is known of its customer. Without a time the gateway is yet to learn of the end.
 */
export function useLastEnd(): string | null {
  const { call, turnedAway } = useWorkplace().view;
  const ended =
    call?.state === 'ended' && call.ended_at !== null
      ? [call.id, call.disposition?.submitted_at, call.customer_name, call.record_url].join(' ')
      : null;
  return turnedAway === null ? ended : `${ended ?? ''} ${turnedAway}`;
}
