import type { CompanyId } from '../../domain/ids.ts';
import { listInbound } from '../../usecases/crm/inbound/addresses.ts';
import type { Services } from '../../usecases/services.ts';
import { connectCrmRequest, crmCheck, crmConnectionAnswer, crmPreview, previewRequest } from '../../contract/crm.ts';
import { connectProvider, readCrmConnection } from '../../usecases/crm/crmConnection.ts';
import { checkCrm, previewCrm } from '../../usecases/crm/tryConnection.ts';
import { adminToken } from '../../domain/access.ts';
import { reply, replyWith, route } from '../route.ts';

export const crmRoutes = [
  route({
    method: 'get',
    path: '/api/integrations/crm',
    id: 'readCrmConnection',
    summary: 'How the gateway reaches the CRM',
    description: 'Credentials are never included. `connection` is null while the company is connected to no CRM.',
    tag: 'Integration',
    access: adminToken,
    answers: { 200: crmConnectionAnswer },
    handler: async ({ services, platform, principal }) =>
      reply(
        200,
        await withInbound(
          services,
          principal.companyId,
          platform.publicUrl,
          await readCrmConnection(services, principal.companyId),
        ),
      ),
  }),
  route({
    method: 'put',
    path: '/api/integrations/crm',
    id: 'connectCrmProvider',
    summary: 'Connect the CRM, or disconnect it',
    description:
      'Of an app (`client_id` and `client_secret` alone) nothing can be proved yet: ' +
      'the state becomes `needs_login` and the provider is chosen, where nothing is connected; ' +
      'a connection stays until an admin has logged in. ' +
      'Else one harmless request proves the credentials first; ' +
      'where the CRM refuses them nothing is changed. ' +
      'What each provider needs, the catalog of `GET /api/integrations` tells as a JSON schema. ' +
      'Connecting chooses the provider and sets `mode` to `pull`; ' +
      '`credentials: null` disconnects, sets it to `push` and forgets what was looked up.',
    tag: 'Integration',
    access: adminToken,
    body: connectCrmRequest,
    answers: { 200: crmConnectionAnswer },
    handler: async ({ services, platform, principal, body }) => {
      const connected = await connectProvider(services, principal.companyId, body);
      return connected.kind === 'refused'
        ? connected
        : reply(200, await withInbound(services, principal.companyId, platform.publicUrl, connected.value));
    },
  }),
  route({
    method: 'post',
    path: '/api/integrations/check',
    id: 'checkCrm',
    summary: 'Try what the gateway may do in the CRM',
    description:
      'One harmless request for each ability, and whatever has to be made in the CRM is made. ' +
      'What it shows is kept. `works` is null where it could not be told: the CRM did not answer as it should, ' +
      'or only use shows it. `needs` names what is not granted in the CRM; ' +
      'an ability may work without it, less well. `conflict` while the company is connected to none.',
    tag: 'Integration',
    access: adminToken,
    answers: { 200: crmCheck },
    refusals: ['conflict'],
    handler: async ({ services, principal }) => replyWith(200, await checkCrm(services, principal.companyId)),
  }),
  route({
    method: 'post',
    path: '/api/integrations/crm/preview',
    id: 'previewCrm',
    summary: 'What would pop for a number',
    description: 'Asks the CRM at this moment and keeps nothing. `conflict` while the company is connected to none.',
    tag: 'Integration',
    access: adminToken,
    body: previewRequest,
    answers: { 200: crmPreview },
    refusals: ['conflict', 'invalid_phone'],
    handler: async ({ services, principal, body }) =>
      replyWith(200, await previewCrm(services, principal.companyId, body.phone_number)),
  }),
];

async function withInbound<T>(services: Services, companyId: CompanyId, publicUrl: string | null, answer: T) {
  return { ...answer, inbound: await listInbound(services, companyId, publicUrl) };
}
