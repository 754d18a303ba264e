import { telephonyView, updateTelephonyRequest } from '../../contract/telephony.ts';
import { adminToken } from '../../domain/access.ts';
import { readTelephony, updateTelephony } from '../../usecases/telephony/manageTelephony.ts';
import { reply, replyWith, route } from '../route.ts';

export const telephonyRoutes = [
  route({
    method: 'get',
    path: '/api/telephony',
    id: 'readTelephony',
    summary: 'How the company telephones',
    description:
      'Credentials and secrets are never included: `credential_set` and `secret_set` tell whether there are.',
    tag: 'Telephony',
    access: adminToken,
    answers: { 200: telephonyView },
    handler: async ({ services, principal }) => reply(200, await readTelephony(services, principal.companyId)),
  }),
  route({
    method: 'put',
    path: '/api/telephony',
    id: 'updateTelephony',
    summary: 'Change how the company telephones',
    description:
      'Every field is optional, `null` clears. `sip` needs a `sip_wss_url`, given or set before. ' +
      '`ice_servers` replaces the former list; ' +
      'a server without `credential` or `secret` keeps the one stored under the same `urls` and `username`, ' +
      'and a TURN server needs a user with its credential, or a secret. ' +
      'Softphones that are connected learn of it at once. ' +
      'Each agent’s account at the PBX is set with the agent.',
    tag: 'Telephony',
    access: adminToken,
    body: updateTelephonyRequest,
    answers: { 200: telephonyView },
    handler: async ({ services, principal, body }) =>
      replyWith(200, await updateTelephony(services, principal.companyId, body)),
  }),
];
