import {
  listMessagesQuery,
  listReadersQuery,
  messageList,
  messageReaders,
  messageView,
  writeMessageRequest,
} from '../../contract/messages.ts';
import { supervisorToken } from '../../domain/access.ts';
import { listMessages, listReaders } from '../../usecases/messages/readMessages.ts';
import { takeBackMessage } from '../../usecases/messages/takeBackMessage.ts';
import { writeMessage } from '../../usecases/messages/writeMessage.ts';
import { creating, replayHeaders, replyCreated } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const shared = { tag: 'Messages', access: supervisorToken } as const;

export const messageRoutes = [
  route({
    ...shared,
    method: 'get',
    path: '/api/messages',
    id: 'listMessages',
    summary: 'Messages to softphones',
    description:
      'The latest first, each with how many have read it. Kept for 30 days. ' +
      'A supervisor of some teams sees, and takes back, only their own.',
    query: listMessagesQuery,
    share: 'lists',
    answers: { 200: messageList },
    handler: async ({ services, principal, query }) => reply(200, await listMessages(services, principal, query)),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/messages',
    id: 'writeMessage',
    summary: 'Write to an agent, a team or everybody',
    description:
      'Softphones show it until its agent has read it, or its time is over: those that are connected at once, ' +
      'others when they sign in. It is for ' +
      'whoever it is for at this moment, except who writes it; ' +
      'of a supervisor of some teams for their agents alone. ' +
      '60 a minute and company, and 500 that last at a time.',
    headers: creating,
    body: writeMessageRequest,
    answers: { 201: messageView },
    answerHeaders: replayHeaders,
    refusals: [
      'unknown_agent',
      'unknown_team',
      'wrong_company',
      'conflict',
      'rate_limited',
      'idempotency_in_progress',
      'idempotency_mismatch',
    ],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await writeMessage(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/api/messages/{id}',
    id: 'takeBackMessage',
    summary: 'Take a message back',
    description: 'It leaves the screens of those who have not read it, and stays in the list.',
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await takeBackMessage(services, principal, params.id)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/messages/{id}/readers',
    id: 'listMessageReaders',
    summary: 'Who has read a message, and who has not',
    params: idInPath,
    query: listReadersQuery,
    share: 'lists',
    answers: { 200: messageReaders },
    refusals: ['not_found'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(200, await listReaders(services, principal, params.id, query)),
  }),
];
