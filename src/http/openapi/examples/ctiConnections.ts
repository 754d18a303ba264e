import { ada } from './story.ts';

const token = 'q3vR8sKx0mTzWc5nYbLh7dJf2gPa9eUi4oQkX6wE1tU';
const address = 'https://readyline.example.com/api/integrations/cti/events/webexcc';

const agent = {
  platform_id: '11110000-0000-4000-8000-000000000004',
  email: 'ada@example.com',
  name: ada.name,
  agent_id: ada.id,
  matched_by: 'email' as const,
  state: 'ready' as const,
  reason: null,
  state_at: '2026-11-21T10:12:40.870Z',
  account: null,
  seen_at: '2026-11-21T10:12:40.912Z',
};

/** The telephony platforms that tell of their calls. */
export const ctiConnectionExamples = {
  takePlatformEvents: { answer: {} },
  listCtiConnections: {
    answer: {
      connections: [
        {
          connector: 'webexcc',
          url: `${address}/…`,
          signs: true,
          dial_via: 'nobody' as const,
          account: null,
          listens: false,
          listening_error: null,
          issued_at: '2026-11-21T09:50:02.441Z',
          last_received_at: '2026-11-21T10:12:40.870Z',
          agents: { mapped: 12, unmapped: 1 },
        },
        {
          connector: 'genesys',
          url: `${address.replace('webexcc', 'genesys')}/…`,
          signs: false,
          dial_via: 'platform' as const,
          listens: true,
          listening_error: null,
          account: {
            fields: [
              {
                name: 'region',
                is_secret: false,
                is_optional: false,
                choices: ['mypurecloud.com', 'mypurecloud.de'],
                example: 'mypurecloud.de',
              },
              {
                name: 'client_id',
                is_secret: false,
                is_optional: false,
                choices: null,
                example: '6c1f9c36-2f4e-4f0a-9b1a-1d9a3c7e5b20',
              },
              { name: 'client_secret', is_secret: true, is_optional: false, choices: null, example: '' },
            ],
            settings: { region: 'mypurecloud.de', client_id: '6c1f9c36-2f4e-4f0a-9b1a-1d9a3c7e5b20' },
            agent_fields: [],
            can_listen: true,
          },
          issued_at: '2026-11-21T09:52:40.118Z',
          last_received_at: '2026-11-21T10:12:41.204Z',
          agents: { mapped: 20, unmapped: 0 },
        },
      ],
    },
  },
  issueCtiConnection: {
    body: { connector: 'webexcc' },
    answer: {
      connector: 'webexcc',
      url: `${address}/${token}`,
      token,
      secret: 'b7Rk0yTqVd3mXw9sE5uJpZ2fLh8aNcG4iQoK6xW1tUY',
    },
  },
  changeCtiConnection: {
    body: {
      dial_via: 'platform',
      listens: true,
      account: {
        region: 'mypurecloud.de',
        client_id: '6c1f9c36-2f4e-4f0a-9b1a-1d9a3c7e5b20',
        client_secret: 'r2P0u7mFJm9r1cT4wqLxkVb3Zy8sHn5D',
      },
    },
  },
  checkPlatformAccount: {
    answer: {
      outcome: 'unavailable' as const,
      detail: 'The credentials were refused: 401 client not found: application',
    },
  },
  listPlatformAgents: { answer: { agents: [agent], next_cursor: null } },
  setPlatformAgentAccount: {
    body: { account: { extension: '1001001', password: 'r2P0u7mFJm9r1cT4' } },
    answer: { outcome: 'ok' as const, detail: null },
  },
  mapPlatformAgent: { body: { agent_id: ada.id }, answer: { ...agent, matched_by: 'table' as const } },
};
