import type { TaskStore } from '../../../ports/tasks.ts';
import type { StoreParts } from '../pool.ts';
import { countTasks, listTasks, taskById } from './findTasks.ts';
import { insertTask, replaceTask } from './writeTask.ts';

/** Tasks of the built-in CRM in PostgreSQL. */
export function createTaskStore({ pool }: Pick<StoreParts, 'pool'>): TaskStore {
  return {
    create: (task, remember) => insertTask(pool, task, remember),
    update: (task) => replaceTask(pool, task),
    find: async (companyId, scope, id) => (await taskById(pool, companyId, scope, id)) ?? null,
    list: (companyId, scope, filter, page) => listTasks(pool, companyId, scope, filter, page),
    count: (companyId, scope, filter, atMost) => countTasks(pool, companyId, scope, filter, atMost),
  };
}
