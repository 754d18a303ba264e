import type { Principal } from '../../domain/access.ts';
import type { Company } from '../../domain/company.ts';
import type { AgentId } from '../../domain/ids.ts';
import type { ShownTask } from '../../domain/tasks.ts';
import type { TaskView } from '../../contract/tasks.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { LeasedReminder, TaskScope } from '../../ports/tasks.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';
import { eventOnRequest } from '../webhooks/envelope.ts';
import { taskView } from './taskViews.ts';

type Needs = Pick<Services, 'companyOf' | 'softphones'>;

/** For what the gateway does of itself. */
export const everyTask: TaskScope = { agentIds: null, contacts: 'all' };

/** Tasks that a softphone is told when it connects, at most. */
const tellAtMost = 100;

/**
 * Whose softphones show it: its agent's, or everybody's;
 * where agents see their own contacts alone, those of the contact's. Null: everybody's.
 */
function audienceOf(task: ShownTask, { settings }: Company): AgentId | null {
  return task.assigneeId ?? (settings.contact_scope === 'own' ? (task.contact?.ownerId ?? null) : null);
}

/** Shows a task that is due. Rejects where it is not known whether anybody was reached. */
export async function tellDue({ companyOf, softphones }: Needs, task: ShownTask): Promise<void> {
  const audience = audienceOf(task, await companyOf(task.companyId));
  await softphones.task(task.companyId, audience, { event: 'task_due', task: taskView(task) });
}

/**
 * What a webhook tells of a task that falls due, for those who ask for it; nothing is read where the company does not.
 */
export async function dueEvents(
  services: Pick<Services, 'agentCard' | 'newId' | 'companyOf' | 'tasks'>,
  { companyId, id }: LeasedReminder,
  at: Date,
): Promise<OutboxEvent[]> {
  if (!(await services.companyOf(companyId)).webhookEvents.includes('task_due')) return [];
  const task = await services.tasks.find(companyId, everyTask, id);
  if (task === null) return [];
  return eventOnRequest(services, companyId, 'task_due', { at, by: null }, () => ({
    event: 'task_due',
    data: { task_id: id, task: taskView({ ...task, firedAt: at }) },
  }));
}

/** A task was changed: takes it off the screens where it is not due any more, and shows it where it is now. */
export async function tellChanged(
  services: Needs & Pick<Services, 'observer'>,
  before: ShownTask,
  after: ShownTask,
): Promise<void> {
  const { companyOf, observer, softphones } = services;
  if (before.firedAt === null) return;
  try {
    const company = await companyOf(after.companyId);
    const isDue = after.firedAt !== null && after.state === 'open';
    const former = audienceOf(before, company);
    if (!isDue || former !== audienceOf(after, company)) {
      await softphones.task(after.companyId, former, {
        event: 'task_closed',
        closed: { id: after.id, version: after.version },
      });
    }
    if (isDue) await tellDue(services, after);
  } catch (error) {
    observer.problem('a changed task could not be told', error, { company_id: after.companyId });
  }
}

/**
 * What is due of an agent's own tasks and of nobody's, for a softphone that connects.
 * A company without tasks is not looked at.
 */
export async function listDue(
  services: Pick<Services, 'clock' | 'companyOf' | 'tasks'>,
  principal: Extract<Principal, { kind: 'agent' }>,
): Promise<TaskView[]> {
  const { companyId, agentId } = principal;
  if (!(await services.companyOf(companyId)).hasTasks) return [];
  const scope = { agentIds: [agentId], contacts: await scopeOf(services, principal) };
  const due = { state: 'open', dueUntil: new Date(services.clock.now()) } as const;
  const { items } = await services.tasks.list(companyId, scope, due, 'due', { cursor: null, limit: tellAtMost });
  return items.map(taskView);
}
