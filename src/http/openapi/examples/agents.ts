import { ada, answeredAt, callId, clickedAt, companyId, endedAt } from './story.ts';

const account = {
  ...ada,
  email: 'ada@acme.example',
  role: 'agent',
  active: true,
  led_team_ids: null,
  sip_user: '1001',
  sip_secret_set: true,
  created_at: '2026-11-02T08:30:00.000Z',
  updated_at: '2026-11-02T08:30:00.000Z',
};

const inWrapUp = {
  agent_id: ada.id,
  agent_code: ada.agent_code,
  name: ada.name,
  state: 'wrap_up',
  reason: null,
  since: endedAt,
  connection: 'connected',
  pending_state: null,
  pending_reason: null,
  call_id: callId,
  second_call_id: null,
  wrap_up_ends_at: '2026-11-21T10:16:34.610Z',
  platform: null,
  version: 41,
};

const signedIn = {
  ...ada,
  email: account.email,
  role: 'agent',
  company_id: companyId,
  company_slug: 'acme',
  company_language: 'en',
};
const logIn = {
  token:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMWExZmQ5YS1kZjg3LTczOTktOGY2ZC1mN2Y0NTU3OTc2MDQifQ.' +
    'vHgU0yl3bSxN7e2jYqk1m0c5oTzRw9aXfD4uQpE8sLI',
  expires_at: '2026-11-21T18:15:40.000Z',
  agent: signedIn,
};

/** Agents, what they are doing, and their log-in. */
export const agentExamples = {
  createAgent: {
    body: {
      agent_code: ada.agent_code,
      name: ada.name,
      password: 'correct-horse-battery',
      email: account.email,
      role: 'agent',
      sip_user: '1001',
      sip_secret: 'zR7w-Kd2p-Qm9x',
    },
    answer: account,
  },
  listAgents: { answer: { agents: [account], next_cursor: null } },
  readAgent: { answer: account },
  updateAgent: {
    body: { name: 'Ada Lindqvist-Berg', role: 'supervisor' },
    answer: { ...account, name: 'Ada Lindqvist-Berg', role: 'supervisor', updated_at: '2026-11-21T09:12:44.018Z' },
  },
  readAgentState: { answer: inWrapUp },
  readAgentTimeline: {
    answer: {
      agent_id: ada.id,
      entries: [
        {
          state: 'not_ready',
          reason: 'break',
          call_id: null,
          since: '2026-11-21T09:58:20.000Z',
          until: '2026-11-21T10:12:03.512Z',
        },
        { state: 'ready', reason: null, call_id: null, since: '2026-11-21T10:12:03.512Z', until: clickedAt },
        { state: 'on_call', reason: null, call_id: callId, since: answeredAt, until: endedAt },
        { state: 'wrap_up', reason: null, call_id: callId, since: endedAt, until: null },
      ],
      truncated: false,
    },
  },
  forceAgentState: {
    body: { state: 'not_ready', reason: 'meeting', force: true, call_id: callId },
    answer: {
      ...inWrapUp,
      state: 'not_ready',
      reason: 'meeting',
      since: '2026-11-21T10:16:20.007Z',
      call_id: null,
      wrap_up_ends_at: null,
      version: 42,
    },
  },
  findColleagues: {
    answer: {
      colleagues: [
        {
          id: ada.id,
          name: ada.name,
          agent_code: ada.agent_code,
          state: 'ready',
          since: '2026-11-21T10:12:03.512Z',
          extension: '1001',
        },
      ],
    },
  },
  logIn: {
    body: { agent_code: ada.agent_code, company_slug: 'acme', password: 'correct-horse-battery' },
    answer: logIn,
  },
  readMe: { answer: signedIn },
  changeOwnPassword: {
    body: { current_password: 'correct-horse-battery', new_password: 'seven-quiet-lanterns' },
    answer: logIn,
  },
};
