import type { TaskView } from '../../../../src/contract/tasks.ts';
import { pagedQuery } from '../../shared/list/pagedQuery.ts';

/** So many are read at once. */
const pageSize = 50;

type TaskList = { tasks: TaskView[]; next_cursor: string | null };

/**
 * Open tasks in the order in which they are due, a page after the other.
 * @param agentId who looks: each sees others
 * @param filter as `GET /api/crm/tasks` takes it
 */
export function tasksQuery(agentId: string, filter: { assignee: 'me' | 'anyone' } | { contact: string }) {
  return pagedQuery({
    queryKey: ['tasks', agentId, filter],
    path: '/api/crm/tasks',
    query: { ...filter, limit: pageSize },
    entries: (page: TaskList) => page.tasks,
  });
}
