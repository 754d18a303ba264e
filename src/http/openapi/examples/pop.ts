import { contactExamples } from './contacts.ts';
import { ada, endedAt } from './story.ts';

const token = 'v1.Yk3t0oVb1zq2mWxA.u8sN4cYk1eR0pTfL6vXbQg.mR2dJ8';
const layout = {
  version: 3,
  fields: [
    { key: 'plan', label: 'Contract', pinned: true },
    { key: 'revenue', format: 'money' as const, currency_key: 'currency' },
    { key: 'internal_score', hidden: true },
  ],
  contact_fields: [{ key: 'renewal', label: 'Renewal date', kind: 'date' as const }],
  updated_at: endedAt,
};
const previous = {
  calls: contactExamples.readContactSummary.answer.recent_calls,
  last_spoken: { at: endedAt, agent: { id: ada.id, name: ada.name } },
};
const pop = {
  phone: '+15551230001',
  found: true,
  screen_pop: {
    name: 'Grace Hopper',
    phone: '+15551230001',
    email: 'grace@mail.example',
    vip_tier: 'gold',
    external_system: 'my-crm',
    external_id: 'C-1001',
  },
  call: {
    state: 'ringing' as const,
    direction: 'inbound' as const,
    queue: 'Support',
    dialed_number: '+4930123456',
    line: 'Sales Germany',
  },
  summary: contactExamples.readContactSummary.answer,
  previous,
  layout,
  has_contacts: true,
};

/** The pop page and its links, what stands on pops, and how. */
export const popExamples = {
  makePopLink: {
    body: { phone: '+15551230001', call_id: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b' },
    answer: {
      url: `https://readyline.example.com/pop?company=0190a000-0000-7000-8000-000000000001#link=${token}`,
      expires_at: '2026-11-21T10:17:40.870Z',
    },
  },
  openPopLink: { body: { link: token }, answer: { token, expires_at: '2026-11-21T11:12:40.870Z' } },
  readLinkedPop: { answer: pop },
  readPop: { answer: pop },
  readPreviousCalls: { answer: previous },
  readPopLayout: { answer: layout },
  savePopLayout: { body: { fields: layout.fields, version: 2 }, answer: layout },
};
