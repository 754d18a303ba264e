import type { TaskView } from '../../contract/tasks.ts';
import { agentsWithin, type Principal } from '../../domain/access.ts';
import { localTimeOf } from '../../domain/localTime.ts';
import { refuse } from '../../domain/outcome.ts';
import type { ShownTask } from '../../domain/tasks.ts';
import type { TaskScope } from '../../ports/tasks.ts';
import { agentScopeOf } from '../agents/agentScope.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';

/**
 * Which tasks a caller sees: those of the agents whom it sees and those of nobody,
 * as far as it may see whom they are about.
 */
export async function taskScopeOf(
  services: Pick<Services, 'ledAgents' | 'companyOf'>,
  principal: Principal,
): Promise<TaskScope> {
  return {
    agentIds: agentsWithin(await agentScopeOf(services, principal), null),
    contacts: await scopeOf(services, principal),
  };
}

/** The same for one that does not exist, of another company, and of a colleague: nobody learns which. */
export const noSuchTask = refuse('not_found', 'The company has no such task, or it is not shown to you.');

/** A task as the interface shows it. */
export function taskView(task: ShownTask): TaskView {
  const { contact } = task;
  return {
    id: task.id,
    kind: task.kind,
    title: task.title,
    notes: task.notes,
    contact:
      contact === null
        ? null
        : { id: contact.id, name: contact.name, time_zone: contact.timeZone, do_not_call: contact.doNotCall },
    phone_number: task.phone,
    due_at: task.dueAt.toISOString(),
    due_local: localTimeOf(task.dueAt, task.timeZone),
    time_zone: task.timeZone,
    assignee: task.assigneeId === null ? null : { id: task.assigneeId, name: task.assigneeName ?? '' },
    state: task.state,
    call_id: task.callId,
    skips: task.skips,
    fired_at: task.firedAt?.toISOString() ?? null,
    version: task.version,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
