import type { CreateTaskRequest } from '../../../../src/contract/tasks.ts';

/** What is typed about a callback or task; empty: nothing is there. */
export type TaskValues = {
  kind: 'callback' | 'task';
  title: string;
  contact: { id: string; name: string | null } | null;
  /** One of the contact's numbers, or as it was typed; empty: the contact's primary one. */
  phone: string;
  /** `2026-11-30T09:30`, by the agent's clock. */
  due: string;
  /** An agent's id; empty: anyone's. */
  assignee: string;
  notes: string;
};

/** A form that nothing has been typed into. */
export function emptyTask(given: Pick<TaskValues, 'assignee' | 'contact'>): TaskValues {
  return { kind: 'callback', title: '', phone: '', due: '', notes: '', ...given };
}

/** The same as the gateway takes it. */
export function bodyOf({ kind, title, contact, phone, due, assignee, notes }: TaskValues): CreateTaskRequest {
  const given = (text: string) => text.trim() !== '';
  return {
    kind,
    ...(given(title) ? { title: title.trim() } : {}),
    ...(given(notes) ? { notes: notes.trim() } : {}),
    ...(contact === null ? {} : { contact_id: contact.id }),
    ...(kind === 'callback' && given(phone) ? { phone_number: phone.trim() } : {}),
    due_at: new Date(due).toISOString(),
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    assignee_id: assignee === '' ? null : assignee,
  };
}

/** Where the gateway says something of `due_at`, the form has `due`. */
export function formPath(path: string): string {
  return path.replace(/_(?:at|id|number)$/, '');
}
