import { callList, callView, dispositionRequest, listCallsQuery } from '../../contract/calls.ts';
import { anyToken } from '../../domain/access.ts';
import { type CallId, toId } from '../../domain/ids.ts';
import { listCalls, readCall } from '../../usecases/calls/lifecycle/readCalls.ts';
import { submitDisposition } from '../../usecases/calls/lifecycle/wrapUp.ts';
import { writtenCall } from '../../usecases/views/callView.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

export const callRoutes = [
  route({
    method: 'get',
    path: '/api/calls',
    id: 'listCalls',
    summary: 'Calls, latest first',
    description: 'An agent sees the own calls; dialers, supervisors and admins see all of the company.',
    tag: 'Calls',
    access: anyToken,
    query: listCallsQuery,
    answers: { 200: callList },
    refusals: ['invalid_phone', 'role_required'],
    handler: async ({ services, principal, query }) => replyWith(200, await listCalls(services, principal, query)),
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}',
    id: 'readCall',
    summary: 'One call',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readCall(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/disposition',
    id: 'submitDisposition',
    summary: 'Wrap up a call',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    body: dispositionRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      {
      const wrapped = await submitDisposition(services, principal, toId<CallId>(params.id), body);
      return wrapped.kind === 'refused' ? wrapped : reply(200, writtenCall(wrapped.value));
    },
  }),
];
