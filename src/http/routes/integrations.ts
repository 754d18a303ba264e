import {
  connectRequest,
  integrationOverview,
  savedIntegration,
  testWebhookAnswer,
  updateIntegrationRequest,
} from '../../contract/integrations.ts';
import { adminToken, anyToken } from '../../domain/access.ts';
import { readIntegration } from '../../usecases/integrations/readIntegration.ts';
import { connectCrm, updateIntegration } from '../../usecases/integrations/saveIntegration.ts';
import { testWebhook } from '../../usecases/integrations/testWebhook.ts';
import { reply, replyWith, route } from '../route.ts';

export const integrationRoutes = [
  route({
    method: 'post',
    path: '/api/integrations/connect',
    id: 'connectCrm',
    summary: 'Connect a CRM or CTI and get the company key',
    description:
      '`api_key` and `webhook_secret` are in the answer only when they were created by this request, ' +
      'and are shown this once. Setting `webhook_url` enables a disabled endpoint.',
    tag: 'Integration',
    access: adminToken,
    body: connectRequest,
    bodyOptional: true,
    answers: { 200: savedIntegration },
    refusals: ['rate_limited'],
    handler: async ({ services, principal, body }) => replyWith(200, await connectCrm(services, principal, body)),
  }),
  route({
    method: 'get',
    path: '/api/integrations',
    id: 'readIntegration',
    summary: 'Settings, status and catalogs',
    description:
      'Secrets are never included; path and query of the webhook URL are shown to admins alone. ' +
      '`status.crm` tells whether anything is exchanged with the chosen CRM, `status.cti` whether with a telephony ' +
      'platform, chosen or not: with what is `not_connected`, nothing is. ' +
      '`status.webhook` tells how the webhook endpoint does, ' +
      '`status.notices` what asks for attention and what to do about it.',
    tag: 'Integration',
    access: anyToken,
    answers: { 200: integrationOverview },
    handler: async ({ services, principal }) => reply(200, await readIntegration(services, principal)),
  }),
  route({
    method: 'put',
    path: '/api/integrations',
    id: 'updateIntegration',
    summary: 'Change settings, rotate the key or the webhook secret',
    description:
      'Every field is optional, `null` clears. ' +
      '`api_key` and `webhook_secret` are in the answer only when they were created by this request, ' +
      'and are shown this once. After a rotation of the webhook secret, ' +
      'deliveries carry the signatures of both secrets for 24 hours; ' +
      'a second rotation in that time keeps only the secret before it. ' +
      'A new URL keeps the secrets and takes over what waits; at most 20 in 10 minutes per company. ' +
      '`conflict` for a rotation, for `webhook_enabled` and for a `webhook_max_in_flight` while no webhook URL ' +
      'is set.',
    tag: 'Integration',
    access: adminToken,
    body: updateIntegrationRequest,
    answers: { 200: savedIntegration },
    refusals: ['conflict', 'rate_limited'],
    handler: async ({ services, principal, body }) =>
      replyWith(200, await updateIntegration(services, principal, body)),
  }),
  route({
    method: 'post',
    path: '/api/integrations/test-webhook',
    id: 'testWebhook',
    summary: 'Send a test event to the webhook',
    description:
      'Sends `integration_test` at once and once; it is in the delivery log like any other. ' +
      '`skipped` when no webhook URL is set. ' +
      'A success ends a pause of the endpoint, a failure counts for nothing, ' +
      'and a disabled endpoint is tested and stays disabled. ' +
      '`detail` says exactly what went wrong, as the log does. At most 20 tests in 10 minutes per company.',
    tag: 'Integration',
    access: adminToken,
    answers: { 200: testWebhookAnswer },
    refusals: ['conflict', 'rate_limited'],
    handler: async ({ services, principal }) => replyWith(200, await testWebhook(services, principal)),
  }),
];
