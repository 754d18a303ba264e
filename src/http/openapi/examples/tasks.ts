import { ada, callBackAt, callId, contactId, endedAt, grace, phone } from './story.ts';

const task = {
  id: '01a1fe00-2b10-7a31-9c4d-1e2f3a4b5c60',
  kind: 'callback',
  title: grace.name,
  notes: 'Asked for Monday',
  contact: { id: contactId, name: grace.name, time_zone: 'America/New_York', do_not_call: false },
  phone_number: phone,
  due_at: callBackAt,
  due_local: new Date(Date.parse(callBackAt) - 5 * 3_600_000).toISOString().slice(0, 19),
  time_zone: 'America/New_York',
  assignee: { id: ada.id, name: ada.name },
  state: 'open',
  call_id: callId,
  fired_at: null,
  skips: [],
  version: 1,
  created_at: endedAt,
  updated_at: endedAt,
};

/** Tasks and callbacks. */
export const taskExamples = {
  listTasks: { answer: { tasks: [task], next_cursor: null, total: 1 } },
  createTask: {
    body: { contact_id: contactId, due_at: task.due_local.slice(0, 16), time_zone: task.time_zone, notes: task.notes },
    answer: { ...task, title: null, call_id: null },
  },
  readTask: { answer: task },
  updateTask: { body: { snooze_minutes: 15, version: 1 }, answer: { ...task, version: 2 } },
  takeTask: { answer: task },
  skipTask: {
    body: { reason: 'not_now', notes: 'Their office is closed today', version: 1 },
    answer: {
      ...task,
      version: 2,
      skips: [
        {
          at: endedAt,
          by: { id: ada.id, name: ada.name },
          code: 'not_now',
          label: 'Not now',
          notes: 'Their office is closed today',
        },
      ],
    },
  },
};
