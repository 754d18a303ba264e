import { grace, phone } from './story.ts';

const connection = {
  provider: 'hubspot',
  name: 'HubSpot',
  state: 'connected',
  detail: null,
  paused_until: null,
  paused_because: null,
  can_log_in: false,
  account: 'HubSpot 12345678',
  options: {},
  keep_seconds: 600,
  log_calls: 'all',
  dispositions: {},
  once: 'native',
  connected_at: '2026-11-21T09:42:30.118Z',
};

const token = 'Jm3PZ0sV9b2uX5kq7cH1tYdWn8rLoEaGf4iQxM6zT0A';
const address = 'https://readyline.example.com/api/integrations/inbound/freshdesk';
const inbound = [
  {
    provider: 'freshdesk',
    url: `${address}/…`,
    issued_at: '2026-11-21T09:50:02.441Z',
    last_received_at: '2026-11-21T10:12:40.870Z',
    signing_secret_set: false,
    reads_records: true,
  },
];

/** The connection to a CRM of the catalog, and where its own webhooks go. */
export const crmExamples = {
  readCrmConnection: { answer: { connection, inbound } },
  connectCrmProvider: {
    body: {
      provider: 'hubspot',
      credentials: { access_token: 'pat-eu1-…' },
      log_calls: 'answered',
      dispositions: { resolved: 'Connected' },
    },
    answer: { connection: { ...connection, log_calls: 'answered', dispositions: { resolved: 'Connected' } }, inbound },
  },
  beginCrmLogin: { answer: { url: 'https://app.hubspot.com/oauth/authorize?client_id=…&state=…' } },
  issueCrmInbound: {
    body: { provider: 'freshdesk' },
    answer: {
      provider: 'freshdesk',
      url: `${address}/${token}`,
      token,
      secret: 'b7Rk0yTqVd3mXw9sE5uJpZ2fLh8aNcG4iQoK6xW1tUY',
    },
  },
  saveCrmSigningSecret: { body: { signing_secret: 'the client secret of your HubSpot app' } },
  takeCrmNotices: { answer: {} },
  tryCrmAddress: { answer: {} },
  checkCrm: {
    answer: {
      account: 'HubSpot 12345678',
      abilities: [
        { ability: 'push', works: null, needs: null, detail: null },
        { ability: 'pull', works: true, needs: null, detail: null },
        {
          ability: 'write_back',
          works: false,
          needs: 'crm.objects.contacts.write',
          detail: 'This app hasn’t been granted all required scopes.',
        },
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
      requests: [
        {
          purpose: 'search',
          method: 'POST',
          url: 'https://api.hubapi.com/crm/objects/2026-09/contacts/search',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body:
            '{"filterGroups":[{"filters":[{"propertyName":"phone","operator":"EQ","value":"+15551230001"}]}],' +
            '"limit":10}',
        },
      ],
    },
  },
};
