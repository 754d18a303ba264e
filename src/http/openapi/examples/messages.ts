import { ada } from './story.ts';

const written = {
  id: '01aa0a52-91c4-7b3e-8f0a-2d6c1b7e9a10',
  from: { id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f72', name: 'Margaret Hamilton' },
  to: { kind: 'team', id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f70', name: 'Sales' },
  text: 'The new price list counts from noon on.',
  created_at: '2026-11-21T10:30:00.000Z',
  expires_at: '2026-11-21T18:30:00.000Z',
  taken_back_at: null,
  readers: 12,
  read: 0,
};

/** What supervisors write to agents. */
export const messageExamples = {
  writeMessage: { body: { text: written.text, to: { team_id: written.to.id }, valid_minutes: 480 }, answer: written },
  listMessages: { answer: { messages: [{ ...written, read: 9 }], next_cursor: null } },
  listMessageReaders: {
    answer: {
      readers: [{ id: ada.id, name: ada.name, agent_code: ada.agent_code, read_at: '2026-11-21T10:31:12.440Z' }],
      next_cursor: null,
    },
  },
};
