import { ada, endedAt, grace, phone } from './story.ts';

const entry = {
  id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f90',
  number: phone,
  note: 'Asked not to be called, by letter',
  added_by: { id: ada.id, name: ada.name },
  created_at: endedAt,
};
const beginning = {
  ...entry,
  id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f91',
  number: '+49900*',
  note: 'Premium rate',
  added_by: null,
};
const speedDials = {
  own: [{ name: grace.name, phone_number: phone }],
  shared: [{ name: 'Help desk', phone_number: '+15551239999' }],
  version: 3,
};
const notANumber = {
  row: 17,
  message: 'The phone number cannot be read: it has no digits.',
  code: 'phone_without_digits',
};

/** Speed dials, missed calls, and the do-not-dial list. */
export const dialingExamples = {
  readDialable: { answer: { phone_number: phone } },
  readSpeedDials: { answer: speedDials },
  replaceSpeedDials: {
    body: { entries: [{ name: grace.name, phone_number: '+1 555 123-0001' }], version: 2 },
    answer: speedDials,
  },
  readMissedCalls: { answer: { count: 2, seen_until: endedAt } },
  seeMissedCalls: { body: { seen_until: endedAt }, answer: { count: 0, seen_until: endedAt } },
  listDoNotDial: { answer: { entries: [entry, beginning], next_cursor: null } },
  addDoNotDial: { body: { number: '+1 555 123-0001', note: entry.note }, answer: entry },
  importDoNotDial: { answer: { added: 1_204, known: 3, refused: 1, errors: [notANumber] } },
  exportDoNotDial: {
    answer:
      'number,note,added_at,added_by\r\n' +
      `'${phone},"Asked not to be called, by letter",${endedAt},${ada.agent_code}\r\n`,
  },
};
