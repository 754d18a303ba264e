import {
  inboundPath,
  inboundProvider,
  issuedInbound,
  issueInboundRequest,
  noticeTaken,
  signingSecretRequest,
} from '../../contract/crmInbound.ts';
import { adminToken, open } from '../../domain/access.ts';
import { issueInbound, removeInbound, saveSigningSecret } from '../../usecases/crm/inbound/addresses.ts';
import { findAddress, takeNotices } from '../../usecases/crm/inbound/takeNotices.ts';
import { readBytesBody } from '../bytesBody.ts';
import { rateLimitKey } from '../rateLimitKey.ts';
import { reply, replyAs, replyWith, route } from '../route.ts';

/** The addresses at which CRM systems tell of their records by their own webhooks. */
export const crmInboundRoutes = [
  route({
    method: 'post',
    path: '/api/integrations/inbound/{provider}/{token}',
    id: 'takeCrmNotices',
    summary: 'What a CRM sends by its own webhooks',
    description:
      'For the CRM itself: the address is its only credential, ' +
      'together with the signature or secret that the provider’s guide describes. ' +
      'Takes the CRM’s own formats, up to 256 KiB, not compressed: records are kept as pushed customers, ' +
      'records of which only an id comes wait in the database and are read in the background, ' +
      'and what was deleted is forgotten. ' +
      'A notice that came before is answered like a new one and changes nothing. ' +
      '`rate_limited` where 10,000 records wait already: send it again. ' +
      'Answers what that CRM wants to hear: Salesforce gets a SOAP acknowledgement.',
    tag: 'Customer data',
    access: open,
    params: inboundPath,
    takes: ['application/json', 'text/xml'],
    gives: ['text/xml'],
    answers: { 200: noticeTaken },
    refusals: ['not_found', 'invalid_signature', 'rate_limited'],
    handler: async ({ services, platform, params, request }) => {
      const address = await findAddress(services, params, rateLimitKey(request.ip));
      if (address.kind === 'refused') return address;
      const body = await readBytesBody(request);
      if (body.kind === 'refused') return body;
      const { method, originalUrl } = request;
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      // As the CRM was told it: a Host header is whatever its sender likes.
      const taken = await takeNotices(services, address.value, {
        method,
        url: (platform.publicUrl ?? '') + originalUrl,
        headers,
        body: body.value,
      });
      return taken.kind === 'refused' ? taken : replyAs(taken.value);
    },
  }),
  route({
    method: 'get',
    path: '/api/integrations/inbound/{provider}/{token}',
    id: 'tryCrmAddress',
    summary: 'Whether an address of a CRM is good',
    description: 'For CRM systems that look at an address (by GET or HEAD) before they take it. Changes nothing.',
    tag: 'Customer data',
    access: open,
    params: inboundPath,
    answers: { 200: noticeTaken },
    refusals: ['not_found', 'rate_limited'],
    handler: async ({ services, params, request }) => {
      const address = await findAddress(services, params, rateLimitKey(request.ip));
      return address.kind === 'refused' ? address : reply(200, {});
    },
  }),
  route({
    method: 'post',
    path: '/api/integrations/crm/inbound',
    id: 'issueCrmInbound',
    summary: 'Make an address for a CRM’s own webhooks',
    description:
      'One per CRM. `token`, and with it `url`, and `secret` are shown this once; ' +
      'the address and the secret that were issued before are void at once, the CRM’s signing secret stays. ' +
      'Works with and without a connection to that CRM.',
    tag: 'Integration',
    access: adminToken,
    body: issueInboundRequest,
    answers: { 201: issuedInbound },
    handler: async ({ services, platform, principal, body }) =>
      replyWith(201, await issueInbound(services, principal.companyId, body.provider, platform.publicUrl)),
  }),
  route({
    method: 'put',
    path: '/api/integrations/crm/inbound/{provider}',
    id: 'saveCrmSigningSecret',
    summary: 'Enter the secret with which a CRM signs',
    description:
      'For a CRM whose `inbound.signs` in the catalog is `provider`: until it is entered, ' +
      'nothing of it is taken. `conflict` for others, `not_found` before an address was made.',
    tag: 'Integration',
    access: adminToken,
    params: inboundProvider,
    body: signingSecretRequest,
    answers: { 204: null },
    refusals: ['conflict', 'not_found'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(204, await saveSigningSecret(services, principal.companyId, params.provider, body.signing_secret)),
  }),
  route({
    method: 'delete',
    path: '/api/integrations/crm/inbound/{provider}',
    id: 'removeCrmInbound',
    summary: 'Take nothing more from a CRM',
    description: 'The address and both secrets are forgotten. What was kept stays.',
    tag: 'Integration',
    access: adminToken,
    params: inboundProvider,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeInbound(services, principal.companyId, params.provider)),
  }),
];
