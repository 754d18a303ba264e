import { ada, endedAt } from './story.ts';

const made = '2026-11-02T08:30:00.000Z';
const sales = {
  id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f70',
  code: 'sales',
  name: 'Sales',
  agent_ids: [ada.id, '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f71'],
  version: 1,
  created_at: made,
  updated_at: made,
};

/** Teams of agents. */
export const teamExamples = {
  listTeams: { answer: { teams: [sales] } },
  createTeam: { body: { code: sales.code, name: sales.name, agent_ids: sales.agent_ids }, answer: sales },
  readTeam: { answer: sales },
  updateTeam: {
    body: { agent_ids: [ada.id] },
    answer: { ...sales, agent_ids: [ada.id], version: 2, updated_at: endedAt },
  },
};
