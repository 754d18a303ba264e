import {
  deliveryDetail,
  deliveryList,
  deliveryView,
  listDeliveriesQuery,
  recoverAnswer,
  recoverRequest,
} from '../../contract/deliveries.ts';
import { listDeliveries, readDelivery } from '../../usecases/webhooks/readDeliveries.ts';
import { recoverDeliveries, redeliver } from '../../usecases/webhooks/redeliver.ts';
import { adminToken } from '../accessRules.ts';
import { reply, replyWith, route } from '../route.ts';
import { idInPath } from './pathIds.ts';

const base = '/api/integrations/webhook-deliveries';

export const webhookDeliveryRoutes = [
  route({
    method: 'get',
    path: base,
    id: 'listWebhookDeliveries',
    summary: 'What was sent to the webhook',
    tag: 'Webhook deliveries',
    access: adminToken,
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
    tag: 'Webhook deliveries',
    access: adminToken,
    body: recoverRequest,
    answers: { 200: recoverAnswer },
    handler: async ({ services, principal, body }) =>
      reply(200, await recoverDeliveries(services, principal.companyId, new Date(body.since))),
  }),
  route({
    method: 'get',
    path: `${base}/{id}`,
    id: 'readWebhookDelivery',
    summary: 'One delivery, with the request and response of each attempt',
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
    tag: 'Webhook deliveries',
    access: adminToken,
    params: idInPath,
    answers: { 200: deliveryView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await redeliver(services, principal.companyId, params.id)),
  }),
];
