import {
  dialableNumber,
  mayDialQuery,
  missedCalls,
  replaceSpeedDialsRequest,
  seeMissedCallsRequest,
  speedDials,
} from '../../contract/dialing.ts';
import { anyToken } from '../../domain/access.ts';
import { readDialable } from '../../usecases/dialing/mayDialNumber.ts';
import { readMissedCalls, seeMissedCalls } from '../../usecases/dialing/missedCalls.ts';
import { readSpeedDials, replaceSpeedDials } from '../../usecases/dialing/speedDials.ts';
import { changing, expectedVersion } from '../changeHeaders.ts';
import { reply, replyWith, route } from '../route.ts';

const tag = 'Calls';

export const dialingRoutes = [
  route({
    method: 'get',
    path: '/api/me/may-dial',
    id: 'readDialable',
    summary: 'Whether a number may be dialed',
    description:
      'For softphones, before a call is handed on to a number: ' +
      'of a number that is dialed the gateway sees to it by itself.',
    tag,
    access: anyToken,
    query: mayDialQuery,
    answers: { 200: dialableNumber },
    refusals: ['invalid_phone', 'do_not_call'],
    handler: async ({ services, principal, query }) =>
      replyWith(200, await readDialable(services, principal, query.phone)),
  }),
  route({
    method: 'get',
    path: '/api/me/speed-dials',
    id: 'readSpeedDials',
    summary: 'Whom you dial by one press',
    description: 'Your own list, on every device, and the company’s.',
    tag,
    access: anyToken,
    answers: { 200: speedDials },
    handler: async ({ services, principal }) => reply(200, await readSpeedDials(services, principal)),
  }),
  route({
    method: 'put',
    path: '/api/me/speed-dials',
    id: 'replaceSpeedDials',
    summary: 'Replace your own speed dials',
    tag,
    access: anyToken,
    headers: changing,
    body: replaceSpeedDialsRequest,
    answers: { 200: speedDials },
    refusals: ['invalid_phone', 'conflict'],
    handler: async ({ services, principal, body, headers }) =>
      replyWith(200, await replaceSpeedDials(services, principal, body, expectedVersion(headers, body))),
  }),
  route({
    method: 'get',
    path: '/api/me/missed-calls',
    id: 'readMissedCalls',
    summary: 'How many calls you have missed since you looked',
    description: 'The calls themselves: `GET /api/calls?result=missed`.',
    tag,
    access: anyToken,
    answers: { 200: missedCalls },
    handler: async ({ services, principal }) => reply(200, await readMissedCalls(services, principal)),
  }),
  route({
    method: 'put',
    path: '/api/me/missed-calls',
    id: 'seeMissedCalls',
    summary: 'You have looked at your missed calls',
    description: 'Those that ended until then do not count any more, on any device.',
    tag,
    access: anyToken,
    body: seeMissedCallsRequest,
    answers: { 200: missedCalls },
    handler: async ({ services, principal, body }) =>
      reply(200, await seeMissedCalls(services, principal, body.seen_until)),
  }),
];
