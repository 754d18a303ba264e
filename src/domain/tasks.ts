import type { TaskKind, TaskState } from '../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId, ContactId, TaskId } from './ids.ts';
import type { PhoneNumber } from './phones/phoneNumbers.ts';

/**
 * Somebody looked at the call and did not make it. `at`: ISO 8601. `by` with the name that they had;
 * null: the company's own system.
 */
export type Skip = {
  at: string;
  by: { id: AgentId; name: string } | null;
  code: string;
  label: string;
  notes: string | null;
};

/** So many are kept of a task. */
const skipsKept = 20;

/** The skips of a task with one more. */
export function withSkip(skips: readonly Skip[], one: Skip): Skip[] {
  return [...skips, one].slice(-skipsKept);
}

/** Something that somebody is to do at a time. */
export type Task = {
  companyId: CompanyId;
  id: TaskId;
  kind: TaskKind;
  title: string | null;
  notes: string | null;
  contactId: ContactId | null;
  phone: PhoneNumber | null;
  dueAt: Date;
  /** IANA: where the time was chosen by the clock on the wall. */
  timeZone: string;
  /** Null: whoever takes it first. */
  assigneeId: AgentId | null;
  state: TaskState;
  /** The call in whose wrap-up it was set. */
  callId: CallId | null;
  /** When it was announced that it is due; null: not yet, for the time that it has now. */
  firedAt: Date | null;
  /** Who set it; null: the company's own system, by its key. */
  createdBy: AgentId | null;
  /** The latest last. */
  skips: Skip[];
  /** Rises by one per change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A task with what is shown of those whom it is about. */
export type ShownTask = Task & {
  /** Of whoever has the number where the task names nobody. Null also where it is not seen. */
  contact: {
    id: ContactId;
    name: string | null;
    ownerId: AgentId | null;
    timeZone: string | null;
    doNotCall: boolean;
  } | null;
  assigneeName: string | null;
};

/** A callback that is set in wrap-up, as far as the call itself does not tell. */
export type NewCallback = {
  id: TaskId;
  title: string | null;
  /** Null: that of the contact, else UTC. */
  timeZone: string | null;
  assigneeId: AgentId | null;
  createdBy: AgentId | null;
};

/** The task as changed. Another time, or open again, is announced anew. */
export function changedTask(
  task: Task,
  change: Partial<Pick<Task, 'title' | 'notes' | 'dueAt' | 'timeZone' | 'assigneeId' | 'state' | 'skips'>>,
  now: Date,
): Task {
  const next = { ...task, ...change, version: task.version + 1, updatedAt: now };
  const isAnnouncedAnew =
    next.dueAt.getTime() !== task.dueAt.getTime() || (next.state === 'open' && task.state !== 'open');
  return isAnnouncedAnew ? { ...next, firedAt: null } : next;
}
