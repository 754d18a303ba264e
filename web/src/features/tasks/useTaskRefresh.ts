import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/**
 * Lists of tasks are read again when one falls due, or was dealt with at the softphone, and when a call was wrapped up.
 * @returns reads them at once
 */
export function useTaskRefresh(): () => void {
  const { agentId, view } = useWorkplace();
  const queries = useQueryClient();
  const due = view.dueTasks.map(({ id, version }) => `${id} ${String(version)}`).join();
  const wrappedUp = view.call?.disposition?.submitted_at;
  const refresh = () => void queries.invalidateQueries({ queryKey: ['tasks', agentId] });
  useEffect(() => void queries.invalidateQueries({ queryKey: ['tasks', agentId] }), [queries, agentId, due, wrappedUp]);
  return refresh;
}
