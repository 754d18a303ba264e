import { infiniteQueryOptions } from '@tanstack/react-query';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';

/** So many are read at once. */
const pageSize = 50;

type TaskList = { tasks: TaskView[]; next_cursor: string | null };

/**
 * Open tasks in the order in which they are due, a page after the other.
 * @param agentId who looks: each sees others
 * @param filter as `GET /api/crm/tasks` takes it
 */
export function tasksQuery(agentId: string, filter: { assignee: 'me' | 'anyone' } | { contact: string }) {
  return infiniteQueryOptions({
    queryKey: ['tasks', agentId, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<TaskList>('/api/crm/tasks', { ...filter, limit: pageSize, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}
