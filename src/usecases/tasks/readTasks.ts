import type { ListTasksQuery, TaskView } from '../../contract/tasks.ts';
import type { Principal } from '../../domain/access.ts';
import { type AgentId, type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchTask, taskScopeOf, taskView } from './taskViews.ts';

type AgentPrincipal = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<Services, 'clock' | 'ledAgents' | 'companyOf' | 'tasks'>;

/** How far tasks are counted. */
const countAtMost = 1_000;

/** One task, as far as it is shown to the caller. */
export async function readTask(services: Needs, principal: Principal, id: string): Promise<Outcome<TaskView>> {
  const found = await services.tasks.find(principal.companyId, await taskScopeOf(services, principal), toId(id));
  return found === null ? noSuchTask : ok(taskView(found));
}

/** The company's tasks that fit and are shown to the caller, a page at a time; on the first page how many they are. */
export async function listTasks(
  services: Needs,
  principal: AgentPrincipal,
  { cursor, limit, sort, state, assignee, contact, kind, due_from, due_until, overdue }: ListTasksQuery,
): Promise<{ tasks: TaskView[]; next_cursor: string | null; total: number | null }> {
  const { companyId } = principal;
  const scope = await taskScopeOf(services, principal);
  const untils = [
    due_until === undefined ? null : Date.parse(due_until),
    overdue === undefined ? null : services.clock.now(),
  ].filter((at) => at !== null);
  const filter = {
    state,
    assigneeId: assigneeOf(principal, assignee),
    contactId: contact === undefined ? undefined : toId<ContactId>(contact),
    kind,
    dueFrom: due_from === undefined ? undefined : new Date(due_from),
    dueUntil: untils.length === 0 ? undefined : new Date(Math.min(...untils)),
  };
  const page = { cursor: cursor ?? null, limit };
  const [listed, total] = await Promise.all([
    services.tasks.list(companyId, scope, filter, sort, page),
    cursor === undefined ? services.tasks.count(companyId, scope, filter, countAtMost) : null,
  ]);
  return { tasks: listed.items.map(taskView), next_cursor: listed.nextCursor, total };
}

function assigneeOf({ agentId }: AgentPrincipal, assignee: ListTasksQuery['assignee']): AgentId | null | undefined {
  if (assignee === undefined) return undefined;
  if (assignee === 'anyone') return null;
  return assignee === 'me' ? agentId : toId<AgentId>(assignee);
}
