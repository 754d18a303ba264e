import {
  changeCtiConnection,
  connectorInPath,
  ctiConnectionList,
  ctiEventPath,
  ctiEventsTaken,
  accountCheck,
  issueCtiConnection,
  issuedCtiConnection,
  listPlatformAgents,
  mapPlatformAgent,
  platformAgent,
  platformAgentInPath,
  platformAgentList,
  setAgentAccount,
} from '../../contract/ctiConnections.ts';
import { adminToken, open } from '../../domain/access.ts';
import {
  issueCtiConnection as issue,
  listCtiConnections,
  removeCtiConnection,
} from '../../usecases/cti/connections.ts';
import { changeCtiConnection as change, checkPlatformAccount } from '../../usecases/cti/companyAccount.ts';
import { setAgentAccount as setAccount } from '../../usecases/cti/agentAccount.ts';
import { listPlatformAgents as listAgents, mapPlatformAgent as mapAgent } from '../../usecases/cti/platformAgents.ts';
import { findCtiAddress, takePlatformRequest } from '../../usecases/cti/takeEvents.ts';
import { readBytesBody } from '../bytesBody.ts';
import { asPlainForm } from '../multipartForm.ts';
import { rateLimitKey } from '../rateLimitKey.ts';
import { reply, replyWith, route } from '../route.ts';

const tag = 'Telephony platforms';

/** Where telephony platforms tell of their calls and agents, and how a company connects with them. */
export const ctiEventRoutes = [
  route({
    method: 'post',
    path: '/api/integrations/cti/events/{connector}/{token}',
    id: 'takePlatformEvents',
    summary: 'What a telephony platform tells of its calls and agents',
    description:
      'For the platform itself: the address is its only credential, together with the signature where it signs. ' +
      'Takes the platform’s own forms, and the gateway’s (`event`, `call_id`, `agent_id`, ' +
      '`customer_number` …), ' +
      'as JSON, XML or a form (plain or multipart, without its files), up to 256 KiB, not compressed. ' +
      'At most 6,000 events a minute, where a request counts as one for each 5 KiB at least. ' +
      'Events may come twice, late and in any order. ' +
      'Calls of agents whom the company knows become calls with `source`; ' +
      'of others is kept that there is such an agent, and for an hour who calls. ' +
      'What is told of an agent for whom the platform is just dialing a click is kept, ' +
      'and counts once that is decided, within seconds.',
    tag,
    access: open,
    params: ctiEventPath,
    takes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/xml'],
    answers: { 200: ctiEventsTaken },
    refusals: ['not_found', 'invalid_signature', 'rate_limited'],
    handler: async ({ services, params, request }) => {
      const address = await findCtiAddress(services, params, rateLimitKey(request.ip));
      if (address.kind === 'refused') return address;
      const body = await readBytesBody(request);
      if (body.kind === 'refused') return body;
      const sent = await asPlainForm({ type: request.headers['content-type'], body: body.value });
      if (sent.kind === 'refused') return sent;
      const told = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const headers = sent.value.type === undefined ? told : { ...told, 'content-type': sent.value.type };
      const query = new URL(request.originalUrl, 'http://gateway').searchParams;
      const taken = await takePlatformRequest(services, address.value, { headers, query, body: sent.value.body });
      return taken.kind === 'refused' ? taken : reply(200, {});
    },
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/connections',
    id: 'listCtiConnections',
    summary: 'The telephony platforms that tell of their calls',
    tag,
    access: adminToken,
    answers: { 200: ctiConnectionList },
    handler: async ({ services, platform, principal }) =>
      reply(200, await listCtiConnections(services, principal.companyId, platform.publicUrl)),
  }),
  route({
    method: 'post',
    path: '/api/integrations/cti/connections',
    id: 'issueCtiConnection',
    summary: 'Make the address at which a telephony platform tells',
    description:
      'One per platform. `token`, and with it `url`, and `secret` are shown this once; ' +
      'the address and the secret that were issued before are void at once, the platform’s agents stay known.',
    tag,
    access: adminToken,
    body: issueCtiConnection,
    answers: { 201: issuedCtiConnection },
    handler: async ({ services, platform, principal, body }) =>
      replyWith(201, await issue(services, principal.companyId, body.connector, platform.publicUrl)),
  }),
  route({
    method: 'patch',
    path: '/api/integrations/cti/connections/{connector}',
    id: 'changeCtiConnection',
    summary: 'Say who dials for the platform’s agents, whether the gateway listens there, and by which account',
    description:
      'Who dials holds for all agents at once. `platform` only where the gateway can dial through the platform, ' +
      'and `account` is set; `listens` too.',
    tag,
    access: adminToken,
    params: connectorInPath,
    body: changeCtiConnection,
    answers: { 204: null },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(204, await change(services, principal.companyId, params.connector, body)),
  }),
  route({
    method: 'post',
    path: '/api/integrations/cti/connections/{connector}/account/check',
    id: 'checkPlatformAccount',
    summary: 'Find out whether the platform takes the account',
    description: 'Logs in at the platform, or asks it for its name; nothing is dialed.',
    tag,
    access: adminToken,
    params: connectorInPath,
    answers: { 200: accountCheck },
    refusals: ['not_found', 'conflict', 'rate_limited'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await checkPlatformAccount(services, principal.companyId, params.connector)),
  }),
  route({
    method: 'delete',
    path: '/api/integrations/cti/connections/{connector}',
    id: 'removeCtiConnection',
    summary: 'Take nothing more from a telephony platform',
    description:
      'Its address and its agents are forgotten, and its calls are over; ' +
      'agents whose state it set are Not Ready (`platform_offline`) where they have a softphone, else offline. ' +
      'The record of calls stays.',
    tag,
    access: adminToken,
    params: connectorInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeCtiConnection(services, principal.companyId, params.connector)),
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/connections/{connector}/agents',
    id: 'listPlatformAgents',
    summary: 'The agents of a telephony platform, and who of the company they are',
    description:
      'Those of whom the platform has told, or an admin has. They are found by e-mail address or agent code; ' +
      'an admin may say otherwise.',
    tag,
    access: adminToken,
    share: 'lists',
    params: connectorInPath,
    query: listPlatformAgents,
    answers: { 200: platformAgentList },
    refusals: ['not_found'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(
        200,
        await listAgents(services, principal.companyId, params.connector, {
          cursor: query.cursor ?? null,
          limit: query.limit,
        }),
      ),
  }),
  route({
    method: 'put',
    path: '/api/integrations/cti/connections/{connector}/agents/{platform_id}',
    id: 'mapPlatformAgent',
    summary: 'Say who of the company an agent of the platform is',
    description:
      'Also before the platform has told of that agent. `agent_id` null: found by e-mail address or agent code again.',
    tag,
    access: adminToken,
    params: platformAgentInPath,
    body: mapPlatformAgent,
    answers: { 200: platformAgent },
    refusals: ['not_found', 'unknown_agent', 'wrong_company'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await mapAgent(services, principal.companyId, params, body.agent_id)),
  }),
  route({
    method: 'put',
    path: '/api/integrations/cti/connections/{connector}/agents/{platform_id}/account',
    id: 'setPlatformAgentAccount',
    summary: 'Set what an agent logs in with at the platform, and try it',
    description:
      'For platforms that dial only for who is signed in (`agent_fields` of the connection’s account is not ' +
      'empty). It is kept sealed, and never told again; ' +
      'the answer says whether the platform takes it, and nothing is dialed. ' +
      'It is kept whatever the platform says.',
    tag,
    access: adminToken,
    params: platformAgentInPath,
    body: setAgentAccount,
    answers: { 200: accountCheck },
    refusals: ['not_found', 'conflict', 'rate_limited'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await setAccount(services, principal.companyId, params, body.account)),
  }),
];
