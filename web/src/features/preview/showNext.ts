import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { endPreview, openPreview } from './previewStore.ts';

/** Shows the first of these that is still to be called, as it is now; where there is none, the list ends. */
export async function showNext(queue: readonly TaskView[]): Promise<void> {
  for (const [index, { id }] of queue.entries()) {
    const task = await api.get<TaskView>(`/api/crm/tasks/${id}`).catch(goneOf);
    if (task?.state === 'open' && task.phone_number !== null)
      return openPreview({ kind: 'task', task }, queue.slice(index + 1));
  }
  endPreview();
}

/** Done or taken by a colleague meanwhile. */
function goneOf(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null;
  throw error;
}
