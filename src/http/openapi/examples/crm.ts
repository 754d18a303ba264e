import { grace, phone } from './story.ts';

const connection = {
  provider: 'hubspot',
  name: 'HubSpot',
  state: 'connected',
  detail: null,
  paused_until: null,
  account: 'HubSpot 12345678',
  options: {},
  keep_seconds: 600,
  log_calls: 'all',
  dispositions: {},
  once: 'native',
  connected_at: '2026-11-21T09:42:30.118Z',
};

/** The connection to a CRM of the catalog. */
export const crmExamples = {
  readCrmConnection: { answer: { connection } },
  connectCrmProvider: {
    body: { provider: 'hubspot', credentials: { access_token: 'pat-eu1-…' }, log_calls: 'answered', dispositions: { resolved: 'Connected' } },
    answer: { connection: { ...connection, log_calls: 'answered', dispositions: { resolved: 'Connected' } } },
  },
  checkCrm: {
    answer: {
      account: 'HubSpot 12345678',
      abilities: [
        { ability: 'push', works: null, needs: null, detail: null },
        { ability: 'pull', works: true, needs: null, detail: null },
        { ability: 'write_back', works: false, needs: 'crm.objects.contacts.write', detail: 'This app hasn’t been granted all required scopes.' },
        { ability: 'link', works: true, needs: null, detail: null },
      ],
    },
  },
  previewCrm: {
    body: { phone_number: phone },
    answer: {
      phone_number: phone,
      outcome: 'one',
      screen_pop: {
        name: grace.name,
        phone,
        email: grace.email,
        vip_tier: null,
        crm: { name: grace.name, email: grace.email, open_tickets: 2, company: 'Harbour Instruments' },
        external_system: 'hubspot',
        external_id: '90210',
        external_object: 'contact',
        record_url: 'https://app.hubspot.com/contacts/12345678/record/0-1/90210',
      },
      took_ms: 212,
    },
  },
};
