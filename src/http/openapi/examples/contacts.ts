import { dealExamples } from './deals.ts';
import { taskExamples } from './tasks.ts';
import { ada, answeredAt, callBackAt, callId, clickedAt, contactId, endedAt, grace, phone } from './story.ts';

const organisation = { id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f50', name: 'Navy Computing' };
const made = '2026-11-02T08:30:00.000Z';
const by = { id: ada.id, name: ada.name };

const contact = {
  id: contactId,
  name: grace.name,
  organisation,
  owner: by,
  phones: [{ phone_number: phone, label: 'mobile', primary: true }],
  emails: [{ email: grace.email, label: null, primary: false }],
  tags: ['customer'],
  tier: 'gold',
  language: 'en',
  time_zone: 'America/New_York',
  notes: null,
  do_not_call: false,
  external_id: 'C-1001',
  fields: { plan: 'pro' },
  version: 1,
  created_at: made,
  updated_at: made,
};

const organisationView = {
  ...organisation,
  website: 'https://navy.example',
  notes: null,
  version: 1,
  created_at: made,
  updated_at: made,
};
const fieldBody = { key: 'plan', label: 'Plan', kind: 'choice', choices: ['basic', 'pro'], position: 1, on_pop: true };
const field = { ...fieldBody, version: 1 };

const note = {
  id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d10',
  kind: 'note',
  at: endedAt,
  by,
  text: 'Prefers the afternoon',
  edits: [],
  call: null,
};
const call = {
  id: callId,
  kind: 'call',
  at: clickedAt,
  by,
  text: null,
  edits: [],
  call: {
    direction: 'outbound',
    state: 'ended',
    phone_number: phone,
    end_reason: 'completed',
    end_detail: null,
    answered_at: answeredAt,
    ended_at: endedAt,
    talk_seconds: 4,
    disposition: { code: 'callback', label: 'Call back', notes: 'Asked for Monday', callback_at: callBackAt },
    tags: [{ code: 'price', label: 'Price' }],
  },
};

/** The built-in CRM. */
export const contactExamples = {
  listContacts: { answer: { contacts: [contact], next_cursor: null } },
  createContact: {
    body: {
      name: grace.name,
      phones: [{ phone_number: phone, label: 'mobile', primary: true }],
      emails: [{ email: grace.email }],
      organisation_id: organisation.id,
      owner_id: ada.id,
      tags: ['customer'],
      tier: 'gold',
      language: 'en',
      time_zone: 'America/New_York',
      external_id: 'C-1001',
      fields: { plan: 'pro' },
    },
    answer: contact,
  },
  searchCrm: {
    answer: {
      contacts: [
        {
          id: contactId,
          name: grace.name,
          organisation,
          owner: by,
          phone_number: phone,
          email: grace.email,
          tier: 'gold',
          do_not_call: false,
          matched: ['name'],
          approximate: false,
        },
      ],
      organisations: [organisation],
    },
  },
  readContact: {
    answer: {
      ...contact,
      phones: contact.phones.map((each) => ({
        ...each,
        shared_with: [{ id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f99', name: 'Vincent Hopper' }],
      })),
    },
  },
  readContactSummary: {
    answer: {
      contact_id: contactId,
      recent_calls: [call],
      open_tasks: [taskExamples.readTask.answer],
      open_deals: [dealExamples.readDeal.answer],
    },
  },
  updateContact: { body: { tier: 'silver' }, answer: { ...contact, tier: 'silver', version: 2, updated_at: endedAt } },
  mergeContacts: {
    body: { contact_id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f99', version: 1, other_version: 3, take: ['tier'] },
    answer: { ...contact, version: 2, updated_at: endedAt },
  },
  listDuplicates: {
    answer: {
      duplicates: [
        {
          id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f77',
          score: 80,
          reasons: ['email', 'name'],
          contacts: [
            contact,
            {
              ...contact,
              id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f99',
              organisation: null,
              phones: [],
              tags: [],
              tier: null,
              external_id: null,
              fields: {},
              version: 3,
            },
          ],
        },
      ],
      comparing: false,
      next_cursor: null,
    },
  },
  dismissDuplicate: {},
  eraseContact: {
    body: { version: 3 },
    answer: {
      contact_id: contactId,
      phones: 2,
      emails: 1,
      external_ids: 1,
      erased: {
        calls: 4,
        webhook_deliveries: 12,
        crm_deliveries: 4,
        pushed_records: 1,
        tasks: 1,
        deals: 0,
        import_rows: 1,
        import_keys: 3,
        answers: 1,
        timeline_entries: 6,
      },
    },
  },
  listAudit: {
    answer: {
      entries: [
        {
          id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d33',
          kind: 'contact_merged',
          at: endedAt,
          by,
          contact_id: contactId,
          other_id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f99',
          call: null,
          erased: null,
        },
        {
          id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d34',
          kind: 'call_listened',
          at: endedAt,
          by,
          contact_id: null,
          other_id: null,
          call: { id: callId, agent: by, mode: 'whisper' },
          erased: null,
        },
      ],
      next_cursor: null,
    },
  },
  listActivities: { answer: { activities: [note, call], next_cursor: null } },
  addNote: { body: { contact_id: contactId, text: note.text }, answer: note },
  listOrganisations: { answer: { organisations: [organisationView], next_cursor: null } },
  createOrganisation: { body: { name: organisation.name, website: 'https://navy.example' }, answer: organisationView },
  readOrganisation: { answer: organisationView },
  updateOrganisation: {
    body: { notes: 'Closed on Fridays' },
    answer: { ...organisationView, notes: 'Closed on Fridays', version: 2, updated_at: endedAt },
  },
  listContactFields: { answer: { fields: [field] } },
  createContactField: { body: fieldBody, answer: field },
  updateContactField: {
    body: { choices: ['basic', 'pro', 'max'] },
    answer: { ...field, choices: ['basic', 'pro', 'max'], version: 2 },
  },
};
