import { createTeamRequest, teamList, teamView, updateTeamRequest } from '../../contract/teams.ts';
import { adminToken, anyToken, keyOrToken } from '../../domain/access.ts';
import { createTeam, listTeams, readTeam, removeTeam, updateTeam } from '../../usecases/agents/manageTeams.ts';
import { changing, expectedVersion } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Teams';

export const teamRoutes = [
  route({
    method: 'get',
    path: '/api/teams',
    id: 'listTeams',
    summary: 'Teams of the company',
    description: 'In order of their names, each with its agents. Their codes are the `team_code` of click-to-dial.',
    tag,
    access: keyOrToken,
    answers: { 200: teamList },
    handler: async ({ services, principal }) => reply(200, await listTeams(services, principal)),
  }),
  route({
    method: 'post',
    path: '/api/teams',
    id: 'createTeam',
    summary: 'Make a team',
    tag,
    access: adminToken,
    body: createTeamRequest,
    answers: { 201: teamView },
    refusals: ['conflict'],
    handler: async ({ services, principal, body }) =>
      replyWith(201, await createTeam(services, principal.companyId, body)),
  }),
  route({
    method: 'get',
    path: '/api/teams/{id}',
    id: 'readTeam',
    summary: 'One team',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: teamView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) => replyWith(200, await readTeam(services, principal, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/teams/{id}',
    id: 'updateTeam',
    summary: 'Change a team and who is in it',
    tag,
    access: adminToken,
    params: idInPath,
    headers: changing,
    body: updateTeamRequest,
    answers: { 200: teamView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(200, await updateTeam(services, principal.companyId, params.id, body, expectedVersion(headers, body))),
  }),
  route({
    method: 'delete',
    path: '/api/teams/{id}',
    id: 'removeTeam',
    summary: 'Remove a team',
    description: 'Its agents stay.',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeTeam(services, principal.companyId, params.id)),
  }),
];
