import { z } from 'zod';
import {
  bulkPushAnswer,
  flatScreenPop as flatAnswer,
  forgetQuery,
  inboundPush,
  inboundPushAnswer,
  lookupAnswer,
  lookupQuery,
} from '../../contract/screenPops.ts';
import { keyOrToken, type Principal } from '../../domain/access.ts';
import { refuse } from '../../domain/outcome.ts';
import { flatScreenPop, lookUp } from '../../usecases/screenPops/lookUp.ts';
import { forgetCustomer, pushCustomer } from '../../usecases/screenPops/pushCustomer.ts';
import { pushCustomers } from '../../usecases/screenPops/pushCustomers.ts';
import type { Services } from '../../usecases/services.ts';
import { writtenScreenPop } from '../../usecases/views/callView.ts';
import { LineRefused, ndjsonType, readLines } from '../ndjson.ts';
import { reply, replyWith, route } from '../route.ts';

const foundOrFlat = z.union([lookupAnswer, flatAnswer]);

// Also takes the empty text that a withheld number becomes; whether it is a phone number, the use case says.
const query = lookupQuery.extend({
  phone: z.string().meta({
    description: 'Phone number, as for a push; URL-encoded, the plus sign too (a raw one is understood)',
    examples: ['+15551230001'],
  }),
});

const lookupParts = {
  method: 'get',
  tag: 'Customer data',
  access: keyOrToken,
  query,
  answers: { 200: foundOrFlat },
  refusals: ['invalid_phone', 'unknown_phone'],
  description:
    'With `format=flat` the answer is 200, unless it is 429 or 503, and all strings, ' +
    'also for a number that is unknown or cannot be read. ' +
    'A contact of the built-in CRM that is not shown to an agent (`contact_scope`) is as one that there is ' +
    'not, ' +
    'unless the agent has a call with the number.',
} as const;

type LookupRequest = { services: Services; principal: Principal; query: z.infer<typeof query> };

async function answerLookup({ services, principal, query: { phone, format } }: LookupRequest) {
  const found = await lookUp(services, principal, phone);
  if (format === 'flat' && (found.kind === 'ok' || found.code === 'unknown_phone' || found.code === 'invalid_phone')) {
    return reply(200, flatScreenPop(found.kind === 'ok' ? found.value : null, phone));
  }
  return found.kind === 'ok' ? reply(200, { found: true as const, screen_pop: writtenScreenPop(found.value) }) : found;
}

export const screenPopRoutes = [
  route({
    ...lookupParts,
    path: '/api/integrations/lookup',
    id: 'lookUpCustomer',
    summary: 'What was pushed for a phone number',
    handler: answerLookup,
  }),
  route({
    method: 'post',
    path: '/api/integrations/inbound',
    id: 'pushCustomer',
    summary: 'Push one customer',
    description: 'Upserts one cache entry per phone number; durable when answered.',
    tag: 'Customer data',
    access: keyOrToken,
    body: inboundPush,
    answers: { 200: inboundPushAnswer },
    refusals: ['invalid_phone'],
    handler: async ({ services, principal, body }) => {
      const pushed = await pushCustomer(services, principal.companyId, body);
      return pushed.kind === 'ok' ? reply(200, { ok: true as const, ...pushed.value }) : pushed;
    },
  }),
  route({
    ...lookupParts,
    path: '/api/integrations/cti/screen-pop',
    id: 'readScreenPop',
    summary: 'The screen pop for a phone number',
    handler: answerLookup,
  }),
  route({
    method: 'post',
    path: '/api/integrations/inbound/bulk',
    id: 'pushCustomers',
    summary: 'Push many customers as a stream',
    description:
      'One InboundPush per line, in 128 KiB at most, and 100,000 lines a request. ' +
      'Lines that do not fit are refused by number, the others are kept.',
    tag: 'Customer data',
    access: keyOrToken,
    body: inboundPush,
    stream: ndjsonType,
    answers: { 200: bulkPushAnswer },
    refusals: ['rate_limited'],
    handler: async ({ services, principal, request }) => {
      try {
        return replyWith(200, await pushCustomers(services, principal.companyId, readLines(request)));
      } catch (error) {
        if (error instanceof LineRefused) return refuse(error.code, error.message);
        throw error;
      }
    },
  }),
  route({
    method: 'delete',
    path: '/api/integrations/inbound',
    id: 'forgetCustomer',
    summary: 'Forget one customer',
    tag: 'Customer data',
    access: keyOrToken,
    query: forgetQuery,
    answers: { 204: null },
    refusals: ['invalid_phone', 'unknown_phone'],
    handler: async ({ services, principal, query }) => {
      const forgotten = await forgetCustomer(services, principal.companyId, query.phone);
      return forgotten.kind === 'ok' ? reply(204, null) : forgotten;
    },
  }),
];
