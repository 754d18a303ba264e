import { popLayoutView, savePopLayoutRequest } from '../../contract/popLayout.ts';
import { adminToken } from '../../domain/access.ts';
import { readPopLayout, savePopLayout } from '../../usecases/screenPops/popLayout.ts';
import { changing, expectedVersion } from '../changeHeaders.ts';
import { reply, replyWith, route } from '../route.ts';

/** How screen pops show what is known of a customer. */
export const popLayoutRoutes = [
  route({
    method: 'get',
    path: '/api/integrations/pop-layout',
    id: 'readPopLayout',
    summary: 'How screen pops show their fields',
    description: 'Softphones are given the same with their settings, and the pop page with the pop.',
    tag: 'Integration',
    access: adminToken,
    answers: { 200: popLayoutView },
    handler: async ({ services, principal }) => reply(200, await readPopLayout(services, principal.companyId)),
  }),
  route({
    method: 'put',
    path: '/api/integrations/pop-layout',
    id: 'savePopLayout',
    summary: 'Arrange the fields of screen pops',
    description:
      'Order, labels, pins and formats of the fields; what is not named follows in the CRM’s order. ' +
      'Replaces what there was. Softphones that are open show it at once, ' +
      'in the pop of the call that lasts too.',
    tag: 'Integration',
    access: adminToken,
    headers: changing,
    body: savePopLayoutRequest,
    answers: { 200: popLayoutView },
    refusals: ['conflict', 'payload_too_large'],
    handler: async ({ services, principal, headers, body }) =>
      replyWith(200, await savePopLayout(services, principal.companyId, body, expectedVersion(headers, body))),
  }),
];
