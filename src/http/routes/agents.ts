import {
  agentList,
  agentStateView,
  agentView,
  createAgentRequest,
  forceStateRequest,
  listAgentsQuery,
  updateAgentRequest,
} from '../../contract/agents.ts';
import { colleagueList, colleaguesQuery } from '../../contract/colleagues.ts';
import { agentTimeline, timelineQuery } from '../../contract/live.ts';
import { adminToken, anyToken, supervisorToken } from '../../domain/access.ts';
import { readAgentState } from '../../usecases/agents/findAgent.ts';
import { findColleagues } from '../../usecases/agents/findColleagues.ts';
import { createAgent, listAgents, readAgent, updateAgent } from '../../usecases/agents/manageAgents.ts';
import { forceState } from '../../usecases/agents/setState.ts';
import { readTimeline } from '../../usecases/live/readLive.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

export const agentRoutes = [
  route({
    method: 'post',
    path: '/api/agents',
    id: 'createAgent',
    summary: 'Create an agent',
    description:
      '`agent_code` and `email` are unique in the company, and compared without case and surrounding spaces; ' +
      '`agent_code` is shown as it was given.',
    tag: 'Agents',
    access: adminToken,
    body: createAgentRequest,
    answers: { 201: agentView },
    refusals: ['conflict'],
    handler: async ({ services, principal, body }) =>
      replyWith(201, await createAgent(services, principal.companyId, body)),
  }),
  route({
    method: 'get',
    path: '/api/agents',
    id: 'listAgents',
    summary: 'Agents of the company',
    tag: 'Agents',
    access: supervisorToken,
    share: 'lists',
    query: listAgentsQuery,
    answers: { 200: agentList },
    handler: async ({ services, principal, query }) => reply(200, await listAgents(services, principal, query)),
  }),
  route({
    method: 'get',
    path: '/api/agents/{id}',
    id: 'readAgent',
    summary: 'One agent',
    tag: 'Agents',
    access: supervisorToken,
    params: idInPath,
    answers: { 200: agentView },
    refusals: ['unknown_agent', 'wrong_company'],
    handler: async ({ services, principal, params }) => replyWith(200, await readAgent(services, principal, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/agents/{id}',
    id: 'updateAgent',
    summary: 'Change an agent',
    description: 'A new password, role or `active: false` ends the tokens of that agent.',
    tag: 'Agents',
    access: adminToken,
    params: idInPath,
    body: updateAgentRequest,
    answers: { 200: agentView },
    refusals: ['unknown_agent', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await updateAgent(services, principal, params.id, body)),
  }),
  route({
    method: 'get',
    path: '/api/agents/{id}/state',
    id: 'readAgentState',
    summary: 'What an agent is doing now',
    description: 'For admins, supervisors and the agent itself.',
    tag: 'Agents',
    access: anyToken,
    params: idInPath,
    answers: { 200: agentStateView },
    refusals: ['unknown_agent', 'wrong_company', 'role_required'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readAgentState(services, principal, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/agents/{id}/timeline',
    id: 'readAgentTimeline',
    summary: 'What an agent was doing',
    description: 'Of the last 30 days; the latest 1,000 states of the time asked for.',
    tag: 'Agents',
    access: supervisorToken,
    params: idInPath,
    query: timelineQuery,
    answers: { 200: agentTimeline },
    refusals: ['unknown_agent', 'wrong_company'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(200, await readTimeline(services, principal, params.id, query)),
  }),
  route({
    method: 'put',
    path: '/api/agents/{id}/state',
    id: 'forceAgentState',
    summary: 'Set an agent’s state as a supervisor',
    description:
      'During a call it becomes pending, unless `force` frees the agent by ending the call. ' +
      'With `call_id`, nothing is ' +
      'changed while the agent is busy with another call than the one that was seen. ' +
      'Where a telephony platform sets the ' +
      'state and can be asked, it is asked; the answer has the state as it is until the platform says so.',
    tag: 'Agents',
    access: supervisorToken,
    params: idInPath,
    body: forceStateRequest,
    answers: { 200: agentStateView },
    refusals: ['unknown_agent', 'wrong_company', 'conflict', 'rate_limited'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await forceState(services, principal, params.id, body)),
  }),
  route({
    method: 'get',
    path: '/api/colleagues',
    formerPath: '/api/crm/colleagues',
    id: 'findColleagues',
    summary: 'Colleagues, and who of them can take a call',
    description:
      'Active agents, supervisors and admins of the company, ' +
      'by parts of names and agent codes without regard to accents and case, with what ' +
      'they are doing, as of two seconds ago at most. Who is Ready comes first, the longest idle at the top; ' +
      'then by how soon they can take a ' +
      'call (wrap-up, ringing, on a call, Not Ready), and last who is offline, by name. ' +
      'A task is handed over by `PATCH /api/crm/tasks/{id}` with `assignee_id`.',
    tag: 'Agents',
    access: anyToken,
    share: 'lists',
    query: colleaguesQuery,
    answers: { 200: colleagueList },
    refusals: ['unknown_team'],
    handler: async ({ services, principal, query }) =>
      replyWith(200, await findColleagues(services, principal.companyId, query)),
  }),
];
