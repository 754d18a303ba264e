import {
  popLink,
  popLinkRequest,
  popQuery,
  popSession,
  popSessionHeaders,
  popSessionQuery,
  popSessionRequest,
  popView,
} from '../../contract/pop.ts';
import { anyToken, keyOrToken, open } from '../../domain/access.ts';
import { refuse } from '../../domain/outcome.ts';
import { makePopLink, openPopLink, readPopToken } from '../../usecases/cti/popLinks.ts';
import { readPop } from '../../usecases/cti/readPop.ts';
import { readPhone } from '../../usecases/screenPops/lookUp.ts';
import { replyWith, route } from '../route.ts';

const tag = 'Telephony platforms';

/** What the pop page reads, and the links to it. */
export const popRoutes = [
  route({
    method: 'post',
    path: '/api/integrations/cti/pop-links',
    id: 'makePopLink',
    summary: 'A link that shows one customer',
    description:
      'For a platform that can open an address and sign nobody in. It may be opened once, within five minutes; ' +
      'whoever opens it reads that customer for at most an hour, with the rights of whoever made it, ' +
      'and no longer than these last: until the key is rotated, ' +
      'or the agent is deactivated or logged out everywhere.',
    tag,
    access: keyOrToken,
    body: popLinkRequest,
    answers: { 201: popLink },
    refusals: ['invalid_phone'],
    handler: async ({ services, platform, principal, body }) =>
      replyWith(201, await makePopLink(services, principal, body, platform.publicUrl)),
  }),
  route({
    method: 'post',
    path: '/api/integrations/cti/pop-sessions',
    id: 'openPopLink',
    summary: 'Open such a link, once',
    description:
      'For the pop page: the link is the credential. ' +
      'The token reads this one pop, at `GET /api/integrations/cti/pop-sessions`, and is good for nothing else.',
    tag,
    access: open,
    body: popSessionRequest,
    answers: { 201: popSession },
    refusals: ['invalid_token'],
    handler: async ({ services, body }) => replyWith(201, await openPopLink(services, body.link)),
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/pop-sessions',
    id: 'readLinkedPop',
    summary: 'What the pop page shows of the customer of a link',
    tag,
    access: open,
    headers: popSessionHeaders,
    query: popSessionQuery,
    answers: { 200: popView },
    refusals: ['unauthenticated', 'invalid_token'],
    handler: async ({ services, headers, query }) => {
      const token = headers['x-pop-token'];
      if (token === undefined || token === '')
        return refuse('unauthenticated', 'Send the token of an opened link as X-Pop-Token.');
      const grant = await readPopToken(services, token);
      if (grant.kind === 'refused') return grant;
      const { principal, phone, call } = grant.value;
      return replyWith(
        200,
        await readPop(services, principal, {
          phone,
          call,
          isAgain: query.again === 'true',
          layout: query.layout ?? null,
        }),
      );
    },
  }),
  route({
    method: 'get',
    path: '/api/integrations/cti/pop',
    id: 'readPop',
    summary: 'What the pop page shows of a customer',
    description:
      'The customer as for a lookup, what is to be known of the contact, and how far the call is. ' +
      'Unknown numbers are no 404 here.',
    tag,
    access: anyToken,
    query: popQuery,
    answers: { 200: popView },
    refusals: ['invalid_phone'],
    handler: async ({ services, principal, query }) => {
      // A company's pages hold this one in a frame: they must not show what another's agent,
      // who is signed in here, may see.
      if (query.company !== undefined && query.company !== principal.companyId)
        return refuse('wrong_company', 'Whoever is signed in is of another company than the page is for.');
      const phone = await readPhone(services, principal.companyId, query.phone);
      if (phone.kind === 'refused') return phone;
      return replyWith(
        200,
        await readPop(services, principal, {
          phone: phone.value,
          call: query.call ?? null,
          isAgain: query.again === 'true',
          layout: query.layout ?? null,
        }),
      );
    },
  }),
];
