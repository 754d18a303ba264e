import type { TaskSort } from '../contract/tasks.ts';
import type { TaskKind, TaskState } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId, ContactId, TaskId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { ShownTask, Task } from '../domain/tasks.ts';
import type { RememberedAnswer } from './calls.ts';
import type { ContactScope } from './contacts.ts';
import type { OutboxEvent } from './outbox.ts';
import type { Page, PageRequest } from './queryResults.ts';

/**
 * Whose tasks are seen: everybody's, or those of these agents and of nobody. `contacts`: whose contacts are;
 * nobody's tasks about contacts that are not seen are not seen either.
 */
export type TaskScope = { agentIds: AgentId[] | null; contacts: ContactScope };

export type TaskFilter = {
  state: TaskState;
  /** Null: nobody has it. */
  assigneeId?: AgentId | null | undefined;
  contactId?: ContactId | undefined;
  kind?: TaskKind | undefined;
  /** For that number, or for a contact who has it. */
  calls?: PhoneNumber | undefined;
  dueFrom?: Date | undefined;
  /** Before then. */
  dueUntil?: Date | undefined;
};

/** That a call was skipped, for the timeline of whoever was to be called; `contactId` null: nobody is known. */
export type TimelineNote = { contactId: ContactId | null; entryId: string; by: AgentId | null; text: string };

/** A task that is due, held by a gateway that announces it. */
export type LeasedReminder = { companyId: CompanyId; id: TaskId; leasedUntil: Date };

/** `fired_before`: by a gateway that died before it had told everybody. `changed`: it is not to be announced now. */
export type FiredReminder = 'fired' | 'fired_before' | 'changed';

export interface TaskStore {
  /** Writes a new task and the remembered answer. `unknown`: the contact or agent is gone. */
  create(task: Task, remember?: RememberedAnswer): Promise<'written' | 'not_written' | 'unknown'>;
  /**
   * Replaces the task that still has `task.version - 1`, and writes the note with it. `not_written`: it has another.
   */
  update(task: Task, noted?: TimelineNote): Promise<'written' | 'not_written' | 'unknown'>;
  /** Null: the company has none, or it is not seen. */
  find(companyId: CompanyId, scope: TaskScope, id: TaskId): Promise<ShownTask | null>;
  /** `cursor` as in `nextCursor` of the page before, of a list that is sorted so. */
  list(
    companyId: CompanyId,
    scope: TaskScope,
    filter: TaskFilter,
    sort: TaskSort,
    page: PageRequest,
  ): Promise<Page<ShownTask>>;
  /** How many there are, counted to `atMost`. */
  count(companyId: CompanyId, scope: TaskScope, filter: TaskFilter, atMost: number): Promise<number>;

  /** Takes tasks that are due, of any company, the longest overdue first; nobody else gets them until `until`. */
  lease(now: Date, until: Date, limit: number): Promise<LeasedReminder[]>;
  /**
   * Notes that the task is due, once for the time that it has, and writes with it the webhook that tells of it, if any.
   */
  fire(reminder: LeasedReminder, now: Date, events?: OutboxEvent[]): Promise<FiredReminder>;
  /** Everybody has been told: no gateway sees to it again. A task that was changed meanwhile stays as it is. */
  reminded(reminder: LeasedReminder): Promise<void>;
  /** When a gateway has to look next, over all companies. */
  nextDue(): Promise<Date | null>;
}
