import { contactExamples } from './contacts.ts';

const token = 'v1.Yk3t0oVb1zq2mWxA.u8sN4cYk1eR0pTfL6vXbQg.mR2dJ8';
const pop = {
  phone: '+15551230001',
  found: true,
  screen_pop: { name: 'Grace Hopper', phone: '+15551230001', email: 'grace@mail.example', vip_tier: 'gold', external_system: 'my-crm', external_id: 'C-1001' },
  call: { state: 'ringing' as const, direction: 'inbound' as const, queue: 'Support' },
  summary: contactExamples.readContactSummary.answer,
  has_contacts: true,
};

/** The pop page and its links. */
export const popExamples = {
  makePopLink: {
    body: { phone: '+15551230001', call_id: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b' },
    answer: { url: `https://readyline.example.com/pop?company=0190a000-0000-7000-8000-000000000001#link=${token}`, expires_at: '2026-11-21T10:17:40.870Z' },
  },
  openPopLink: { body: { link: token }, answer: { token, expires_at: '2026-11-21T11:12:40.870Z' } },
  readLinkedPop: { answer: pop },
  readPop: { answer: pop },
};
