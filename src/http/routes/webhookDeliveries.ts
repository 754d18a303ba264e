import {
  deliveryDetail,
  deliveryList,
  deliveryView,
  listDeliveriesQuery,
  recoverAnswer,
  recoverRequest,
} from '../../contract/deliveries.ts';
import { adminToken } from '../../domain/access.ts';
import { listDeliveries, readDelivery } from '../../usecases/webhooks/readDeliveries.ts';
import { recoverDeliveries, redeliver } from '../../usecases/webhooks/redeliver.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const base = '/api/integrations/webhook-deliveries';

export const webhookDeliveryRoutes = [
  route({
    method: 'get',
    path: base,
    id: 'listWebhookDeliveries',
    summary: 'What was sent to the webhook',
    description:
      'Newest first, page by page. Every event since a URL is set is in the log: ' +
      'also what was never sent because the endpoint was disabled (`dead`). ' +
      'Finished deliveries are kept for 30 days.',
    tag: 'Webhook deliveries',
    access: adminToken,
    share: 'lists',
    query: listDeliveriesQuery,
    answers: { 200: deliveryList },
    handler: async ({ services, principal, query }) =>
      reply(200, await listDeliveries(services, principal.companyId, query)),
  }),
  route({
    method: 'post',
    path: `${base}/recover`,
    id: 'recoverWebhookDeliveries',
    summary: 'Send all that was given up since a time again',
    description:
      'Makes every `dead` delivery that was made since then due now, with a fresh schedule; ' +
      'the events of one call still go out in `sequence`. ' +
      'A disabled endpoint is enabled by it, and taken for healthy. Safe to repeat. ' +
      '`conflict` without a webhook URL.',
    tag: 'Webhook deliveries',
    access: adminToken,
    body: recoverRequest,
    answers: { 200: recoverAnswer },
    refusals: ['conflict'],
    handler: async ({ services, principal, body }) =>
      replyWith(200, await recoverDeliveries(services, principal.companyId, new Date(body.since))),
  }),
  route({
    method: 'get',
    path: `${base}/{id}`,
    id: 'readWebhookDelivery',
    summary: 'One delivery, with the request and response of each attempt',
    description:
      'Each attempt in `log` has the URL and headers that were sent, the status, ' +
      'headers and first 16 KB of the answer, how long it took, and what went wrong. ' +
      'Every attempt sends `raw_body`.',
    tag: 'Webhook deliveries',
    access: adminToken,
    params: idInPath,
    answers: { 200: deliveryDetail },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readDelivery(services, principal.companyId, params.id)),
  }),
  route({
    method: 'post',
    path: `${base}/{id}/redeliver`,
    id: 'redeliverWebhook',
    summary: 'Send one delivery again',
    description:
      'Whatever became of it: due now, with a fresh schedule, under the same id and with the same body. ' +
      'While the endpoint is paused it waits for the pause to end. ' +
      '`conflict` while it is being sent, while the endpoint is disabled, and without a webhook URL.',
    tag: 'Webhook deliveries',
    access: adminToken,
    params: idInPath,
    answers: { 200: deliveryView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await redeliver(services, principal.companyId, params.id)),
  }),
];
