import { z } from 'zod';
import {
  boardQuery,
  createDealRequest,
  dealBoard,
  dealList,
  dealMoveList,
  dealView,
  listDealsQuery,
  updateDealRequest,
} from '../../contract/deals.ts';
import { createPipelineRequest, pipelineList, pipelineView, updatePipelineRequest } from '../../contract/pipelines.ts';
import { cursorQuery } from '../../contract/values.ts';
import { adminToken, anyToken } from '../../domain/access.ts';
import { changeDeal } from '../../usecases/deals/changeDeal.ts';
import { createDeal } from '../../usecases/deals/createDeal.ts';
import {
  createPipeline,
  listPipelines,
  readPipeline,
  removePipeline,
  updatePipeline,
} from '../../usecases/deals/managePipelines.ts';
import { listDeals, listMoves, readBoard, readDeal } from '../../usecases/deals/readDeals.ts';
import { changing, creating, expectedVersion, replayHeaders, replyCreated } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Deals';

export const dealRoutes = [
  route({
    method: 'get',
    path: '/api/crm/pipelines',
    id: 'listPipelines',
    summary: 'Pipelines of the company',
    description: 'In their order, each with its stages.',
    tag,
    access: anyToken,
    answers: { 200: pipelineList },
    handler: async ({ services, principal }) => reply(200, await listPipelines(services, principal.companyId)),
  }),
  route({
    method: 'post',
    path: '/api/crm/pipelines',
    id: 'createPipeline',
    summary: 'Define a pipeline',
    tag,
    access: adminToken,
    headers: creating,
    body: createPipelineRequest,
    answers: { 201: pipelineView },
    answerHeaders: replayHeaders,
    refusals: ['conflict', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await createPipeline(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/pipelines/{id}',
    id: 'readPipeline',
    summary: 'One pipeline',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: pipelineView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readPipeline(services, principal.companyId, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/pipelines/{id}',
    id: 'updatePipeline',
    summary: 'Change a pipeline and its stages',
    description:
      'A stage that is left out of `stages` is removed. ' +
      'While deals are in it, nothing is changed (409, `stage_has_deals`): they are moved first.',
    tag,
    access: adminToken,
    params: idInPath,
    headers: changing,
    body: updatePipelineRequest,
    answers: { 200: pipelineView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(
        200,
        await updatePipeline(services, principal.companyId, params.id, body, expectedVersion(headers, body)),
      ),
  }),
  route({
    method: 'delete',
    path: '/api/crm/pipelines/{id}',
    id: 'removePipeline',
    summary: 'Remove a pipeline',
    description: 'While it has deals, it stays (409, `pipeline_has_deals`).',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removePipeline(services, principal.companyId, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/crm/pipelines/{id}/board',
    id: 'readDealBoard',
    summary: 'A pipeline as a board',
    description:
      'Each stage with how many deals it has, their sums by currency, and its first deals. ' +
      'Further ones: `GET /api/crm/deals?stage=…&sort=-moved&cursor=…`.',
    tag,
    access: anyToken,
    share: 'lists',
    params: idInPath,
    query: boardQuery,
    answers: { 200: dealBoard },
    refusals: ['not_found'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(200, await readBoard(services, principal, params.id, query)),
  }),
  route({
    method: 'get',
    path: '/api/crm/deals',
    id: 'listDeals',
    summary: 'Deals of the company',
    description: 'An agent sees all, or only its own and those of nobody, as the company chooses (`contact_scope`).',
    tag,
    access: anyToken,
    share: 'lists',
    query: listDealsQuery,
    answers: { 200: dealList },
    handler: async ({ services, principal, query }) => replyWith(200, await listDeals(services, principal, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/deals',
    id: 'createDeal',
    summary: 'Create a deal',
    tag,
    access: anyToken,
    headers: creating,
    body: createDealRequest,
    answers: { 201: dealView },
    answerHeaders: replayHeaders,
    refusals: ['conflict', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await createDeal(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/deals/{id}',
    id: 'readDeal',
    summary: 'One deal',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: dealView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) => replyWith(200, await readDeal(services, principal, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/deals/{id}',
    id: 'updateDeal',
    summary: 'Change or move a deal',
    description:
      'With `version` or `If-Match` a deal that somebody has changed meanwhile stays as it is: 409, ' +
      '`deal_changed_meanwhile`, with its version and stage now in `params`, and all of it in `deal`.',
    tag,
    access: anyToken,
    params: idInPath,
    headers: changing,
    body: updateDealRequest,
    answers: { 200: dealView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(200, await changeDeal(services, principal, params.id, body, expectedVersion(headers, body))),
  }),
  route({
    method: 'get',
    path: '/api/crm/deals/{id}/moves',
    id: 'listDealMoves',
    summary: 'Where a deal has been',
    description: 'Who moved it when, the latest first; the first of all is how it was made.',
    tag,
    access: anyToken,
    share: 'lists',
    params: idInPath,
    query: z.strictObject(cursorQuery),
    answers: { 200: dealMoveList },
    refusals: ['not_found'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(200, await listMoves(services, principal, params.id, query)),
  }),
];
