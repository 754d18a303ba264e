import type { TaskStore } from '../../../ports/tasks.ts';
import type { StoreParts } from '../pool.ts';
import { countTasks, listTasks, taskById } from './findTasks.ts';
import { fire, lease, nextReminder } from './taskReminders.ts';
import { insertTask, replaceTask } from './writeTask.ts';

/** Tasks of the built-in CRM in PostgreSQL. */
export function createTaskStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): TaskStore {
  return {
    create: (task, remember) => insertTask(pool, task, remember),
    update: (task, noted) => replaceTask(pool, task, noted),
    find: async (companyId, scope, id) => (await taskById(pool, companyId, scope, id)) ?? null,
    list: (companyId, scope, filter, sort, page) => listTasks(pool, companyId, scope, filter, sort, page),
    lease: (now, until, limit) => lease(pool, now, until, limit),
    fire: (reminder, now, events) => fire(pool, reminder, now, events),
    async reminded({ companyId, id, leasedUntil }) {
      await prisma.task.updateMany({ where: { companyId, id, remindAt: leasedUntil }, data: { remindAt: null } });
    },
    nextDue: () => nextReminder(pool),
    count: (companyId, scope, filter, atMost) => countTasks(pool, companyId, scope, filter, atMost),
  };
}
