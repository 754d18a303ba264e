import { useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { AgentTimeline } from '../../../../src/contract/live.ts';
import { api } from '../../lib/gateway/api.ts';
import { FollowedTimeline } from './followedTimeline.ts';
import type { TimelineEntry } from './timeline.ts';
import type { Wallboard } from './wallboard.ts';

export type TimelineRead = { entries: readonly TimelineEntry[]; isTruncated: boolean; problem: string | null; isReading: boolean };

/**
 * An agent's timeline since that moment: read once, then followed as the socket tells. Read again when the line was
 * down meanwhile. @param since milliseconds since the epoch; @param connects how often the line came up
 */
export function useTimeline(wallboard: Wallboard, agentId: string, since: number, connects: number): TimelineRead {
  const [followed] = useState(() => new FollowedTimeline(wallboard, agentId));
  const { data, error, isPending } = useQuery({
    queryKey: ['live', 'timeline', agentId, since, connects],
    queryFn: async () => {
      const read = await api.get<AgentTimeline>(`/api/agents/${agentId}/timeline`, { since: new Date(since).toISOString() });
      followed.begin(read.entries);
      return read;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const entries = useSyncExternalStore(followed.subscribe, followed.read);
  return { entries, isTruncated: data?.truncated === true, problem: error?.message ?? null, isReading: isPending };
}
