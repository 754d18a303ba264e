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
          issued_at: '2026-11-21T09:50:02.441Z',
          last_received_at: '2026-11-21T10:12:40.870Z',
          agents: { mapped: 12, unmapped: 1 },
        },
      ],
    },
  },
  issueCtiConnection: { body: { connector: 'webexcc' }, answer: { connector: 'webexcc', url: `${address}/${token}`, token, secret: 'b7Rk0yTqVd3mXw9sE5uJpZ2fLh8aNcG4iQoK6xW1tUY' } },
  changeCtiConnection: { body: { dial_via: 'softphone' } },
  listPlatformAgents: { answer: { agents: [agent], next_cursor: null } },
  mapPlatformAgent: { body: { agent_id: ada.id }, answer: { ...agent, matched_by: 'table' as const } },
};
