import type { TaskView, UpdateTaskRequest } from '../../contract/tasks.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { instantMeant } from '../../domain/localTime.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { changedTask, type ShownTask, type Task } from '../../domain/tasks.ts';
import type { TimelineNote } from '../../ports/tasks.ts';
import { inTurn } from '../concurrency/inTurn.ts';
import type { Services } from '../services.ts';
import { readAssignee } from './createTask.ts';
import { tellChanged } from './tellTasks.ts';
import { noSuchTask, taskScopeOf, taskView } from './taskViews.ts';

export type ChangeTaskNeeds = Pick<
  Services,
  'agents' | 'clock' | 'ledAgents' | 'observer' | 'companyOf' | 'softphones' | 'tasks' | 'turns' | 'wakeReminders'
>;

/**
 * Changes a task: another time, done, canceled, open again, or handed over.
 * Whoever sees it may do so: an agent its own and nobody's.
 * @param expected the version that the caller has read: another one now is refused, unless all is so already.
 * Null: whatever it is
 */
export async function changeTask(
  services: ChangeTaskNeeds,
  principal: Principal,
  id: string,
  body: UpdateTaskRequest,
  expected: number | null,
): Promise<Outcome<TaskView>> {
  return decideAndWrite(services, principal, id, async (before) => {
    const assignee =
      body.assignee_id === undefined
        ? ok({ id: before.assigneeId, name: before.assigneeName })
        : await readAssignee(services, principal, body.assignee_id);
    if (assignee.kind === 'refused') return assignee;
    const timeZone = body.time_zone ?? before.timeZone;
    const change = {
      title: body.title === undefined ? before.title : body.title,
      notes: body.notes === undefined ? before.notes : body.notes,
      dueAt: dueAt(body, before, timeZone, services.clock.now()),
      timeZone,
      assigneeId: assignee.value?.id ?? null,
      state: body.state ?? before.state,
    };
    if (expected !== null && expected !== before.version && !isSame(before, change)) return changedMeanwhile(before);
    return ok({ change, assigneeName: assignee.value?.name ?? null });
  });
}

/**
 * Gives the caller a task that nobody has yet: of several who take it at once one gets it,
 * and it is not shown to the other agents any more.
 */
export async function takeTask(
  services: ChangeTaskNeeds,
  principal: Extract<Principal, { kind: 'agent' }>,
  id: string,
): Promise<Outcome<TaskView>> {
  const { agentId } = principal;
  const agent = await readAssignee(services, principal, agentId);
  if (agent.kind === 'refused') return agent;
  return decideAndWrite(services, principal, id, (before) => {
    if (before.state !== 'open') return Promise.resolve(taskIsClosed(before));
    if (before.assigneeId !== null && before.assigneeId !== agentId) return Promise.resolve(taken(before));
    return Promise.resolve(ok({ change: { assigneeId: agentId }, assigneeName: agent.value?.name ?? null }));
  });
}

function taken({ assigneeName }: ShownTask) {
  const name = assigneeName ?? '';
  return refuse('conflict', `${name} has taken that task.`, { cause: { code: 'task_taken', params: { name } } });
}

export function changedMeanwhile({ version }: Pick<Task, 'version'>): Refused {
  return refuse('conflict', `The task was changed meanwhile; it is at version ${version} now.`, {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}

export function taskIsClosed({ state }: Pick<Task, 'state'>): Refused {
  return refuse('conflict', `The task is ${state}.`, { cause: { code: 'task_closed' } });
}

/** `noted`: what stands on the timeline of whoever it is about. */
type Change = { change: Parameters<typeof changedTask>[1]; assigneeName: string | null; noted?: TimelineNote };

/** Decides on what is stored, writes if it is still so, else decides anew. A change of nothing leaves it as it is. */
export async function decideAndWrite(
  services: ChangeTaskNeeds,
  principal: Principal,
  id: string,
  decide: (before: ShownTask) => Promise<Outcome<Change>>,
): Promise<Outcome<TaskView>> {
  const scope = await taskScopeOf(services, principal);
  let latest: ShownTask | null = null;
  const done = await inTurn<Outcome<TaskView>>(services.turns, `task ${principal.companyId} ${id}`, async () => {
    const before = await services.tasks.find(principal.companyId, scope, toId(id));
    if (before === null) return noSuchTask;
    latest = before;
    const decided = await decide(before);
    if (decided.kind === 'refused') return decided;
    const { change, assigneeName, noted } = decided.value;
    if (isSame(before, change)) return ok(taskView(before));
    const after: ShownTask = {
      ...before,
      ...changedTask(before, change, new Date(services.clock.now())),
      assigneeName,
    };
    const written = await services.tasks.update(after, noted);
    if (written === 'written') {
      if (after.firedAt === null) services.wakeReminders();
      await tellChanged(services, before, after);
      return ok(taskView(after));
    }
    if (written === 'unknown') {
      return refuse('invalid_request', 'A reference leads nowhere.', {
        errors: [{ path: 'assignee_id', message: 'is none of the company', code: 'not_of_company' }],
      });
    }
    return null;
  });
  return done ?? (latest === null ? noSuchTask : changedMeanwhile(latest));
}

function isSame(before: Task, change: Change['change']): boolean {
  return (Object.keys(change) as (keyof Change['change'])[]).every(
    (name) => before[name]?.valueOf() === change[name]?.valueOf(),
  );
}

function dueAt(body: UpdateTaskRequest, before: Task, timeZone: string, now: number): Date {
  if (body.due_at !== undefined) return instantMeant(body.due_at, timeZone);
  return body.snooze_minutes === undefined ? before.dueAt : new Date(now + body.snooze_minutes * 60_000);
}
