import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { basic, bearer, compare, detailsOf, failureOf, get, idNumber, isStale, type Json, type JsonObject, numberIn, objectIn, objectsIn, readObject, sendForm, sendJson, textIn, textsIn, tokenIn, tryJson, unreadable, urlOf } from './exchange.ts';
import { callBody, callTitle } from './callText.ts';
import { credential, text, vendorHost } from './fields.ts';
import type { CrmFailure, CrmRecord, CrmResponse, FinishedCall, Inbound, Provider, Site } from './provider.ts';

/** Zendesk knows an `Idempotency-Key` again for two hours; ten minutes of them are left to clocks. */
const keyLastsMs = 110 * 60_000;
/** Zendesk's longest comment is 65,536 characters. */
const maxBody = 60_000;

const subdomain = vendorHost('Subdomain', 'What stands before .zendesk.com when you work there', ['.zendesk.com']);
const client = z.strictObject({
  subdomain,
  client_id: text('Identifier', 'Of the OAuth client; Zendesk calls it the unique identifier'),
  client_secret: credential('Secret', 'Of the OAuth client, which must be of the kind “confidential”'),
});
const typed = z.strictObject({
  subdomain,
  email: text('E-mail address', 'Of the agent whom the gateway works as'),
  api_token: credential('API token', 'One that you have; Zendesk makes no new ones, and ends all on 2027-04-30'),
});
type Credentials = z.infer<typeof client> | z.infer<typeof typed>;

const api = ({ addresses }: Site<Credentials>, path: string, query?: Record<string, string | undefined>) =>
  urlOf(addresses.api, `/api/v2/${path}`, query);
const ticketPath = (id: string) => `tickets/${encodeURIComponent(id)}`;

export const zendesk: Provider<Credentials> = {
  id: 'zendesk',
  name: 'Zendesk',
  credentials: z.union([client, typed]),
  options: z.strictObject({}),
  addresses: ({ subdomain: host }) => ({ api: `https://${host}`, login: `https://${host}`, app: `https://${host}` }),
  authentication: ({ credentials, addresses }) =>
    'api_token' in credentials
      ? { kind: 'fixed', headers: basic(`${credentials.email}/token`, credentials.api_token) }
      : {
          kind: 'token',
          // Not refreshed: a new one by the same credentials leaves nothing that could be used twice.
          tokenRequest: () =>
            sendForm(`${addresses.login}/oauth/tokens`, {
              grant_type: 'client_credentials',
              client_id: credentials.client_id,
              client_secret: credentials.client_secret,
              scope: 'read write',
            }),
          parseToken: (response) => ({ ...tokenIn(response), refreshToken: null }),
          headers: ({ accessToken }) => bearer(accessToken),
        },
  authorization: null,
  // The smallest of the plans: 200 a minute.
  limits: { all: { count: 180, perMs: 60_000 }, searches: null },

  checkRequest: (site) => get(api(site, 'users/me')),
  parseCheck: (response) => {
    const { id, name, email, role } = objectIn(readObject(response.body).user) ?? unreadable('Expected a user.');
    // Who is not logged in is a user without an id here, not an error.
    const user = textIn(id) ?? unreadable('Zendesk knows nobody by these credentials.');
    return { account: textsIn(name, email, role).join(', '), facts: { user } };
  },
  probes: (site) => [
    { ability: 'pull', request: get(api(site, 'users/search', { query: 'role:end-user', per_page: '1' })), needs: 'users:read' },
    // There is no such ticket: Zendesk says so to those who might change it.
    { ability: 'write_back', request: sendJson('PUT', api(site, ticketPath('0')), { ticket: {} }), needs: 'tickets:write' },
  ],

  // With a star Zendesk compares digits alone, however the number is written.
  searchRequests: ({ national }, site) => [[get(api(site, 'users/search', { query: `role:end-user phone:*${national}`, per_page: '10' }))]],
  parseSearch: (response) => objectsIn(readObject(response.body).users).map(recordOf),
  readRequest: ({ id }, site) => get(api(site, `users/${encodeURIComponent(id)}`)),
  parseRecord: (response) => {
    const user = objectIn(readObject(response.body).user) ?? unreadable('Expected a user.');
    // Those who were deleted can still be read.
    return user.active === false ? null : recordOf(user);
  },
  ticketsRequest: ({ id }, site) => get(api(site, 'search/count', { query: `type:ticket requester:${id.replace(/\D/g, '')} status<solved` })),
  parseTickets: (response) => numberIn(readObject(response.body).count),
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/agent/users/${encodeURIComponent(id)}`,

  logRequests: {
    object: 'ticket',
    once: 'native',
    nativeForMs: keyLastsMs,
    find: (call, _record, site) => get(api(site, 'tickets', { external_id: call.id, per_page: '10' })),
    // The list is of that external id; it is looked at again, so that a filter that was ignored does no harm.
    parseFound: (response, call) => textIn(objectsIn(readObject(response.body).tickets).find(({ external_id }) => external_id === call.id)?.id),
    create: (call, record, site) =>
      record === null ? null : sendJson('POST', api(site, 'tickets'), { ticket: ticketOf(call, record, site) }, { 'idempotency-key': call.id }),
    parseCreated: (response) => textIn(objectIn(readObject(response.body).ticket)?.id) ?? unreadable('Expected the id of the ticket.'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PUT', api(site, ticketPath(id)), { ticket: { subject: callTitle(call), comment: { body: callBody(call, maxBody), public: false } } }),
  },
  ownerRequest: (email, site) => get(api(site, 'users/search', { query: `email:"${email.replace(/["\\\s]/g, '')}"`, per_page: '10' })),
  parseOwner: (response, email) =>
    textIn(objectsIn(readObject(response.body).users).find((user) => isColleague(user) && textIn(user.email)?.toLowerCase() === email.toLowerCase())?.id),

  signs: true,
  verify: ({ headers, body, receivedAt }, secret) => {
    const at = headers['x-zendesk-webhook-signature-timestamp'];
    if (at === undefined || secret === null) return 'missing';
    if (isStale(Date.parse(at), receivedAt)) return 'stale';
    return compare(headers['x-zendesk-webhook-signature'], createHmac('sha256', secret).update(at).update(body).digest('base64'));
  },
  parseInbound: ({ body }) => {
    const notice = readObject(body.toString('utf8'));
    const { id } = objectIn(notice.user) ?? {};
    if (textIn(notice.type) === null && textIn(id) === null) return unreadable('Expected an event or a user.');
    return [textIn(notice.type) === null ? templateOf(notice) : noticeOf(notice)];
  },
  inboundAnswer: null,

  classify,
};

function recordOf(user: JsonObject): CrmRecord {
  return {
    object: 'user',
    id: textIn(user.id) ?? unreadable('Expected the id of a user.'),
    name: textIn(user.name),
    email: textIn(user.email),
    phones: textsIn(user.phone),
    accountNumber: textIn(user.external_id),
    tier: null,
    details: detailsOf({ organization_id: user.organization_id, tags: tagsOf(user.tags), details: user.details, notes: user.notes }),
    // Zendesk's own `url` is the address of its interface, not of a page.
    url: null,
  };
}

function tagsOf(tags: Json | undefined): string | undefined {
  return Array.isArray(tags) ? textsIn(...tags).join(', ') : undefined;
}

function isColleague({ role }: JsonObject): boolean {
  return role === 'agent' || role === 'admin';
}

function ticketOf(call: FinishedCall, record: CrmRecord, { facts }: Site<Credentials>) {
  const assignee = call.agent.ownerId ?? facts.user;
  return {
    subject: callTitle(call),
    requester_id: idNumber(record.id),
    // A solved ticket must be somebody's.
    ...(assignee === undefined ? {} : { assignee_id: idNumber(assignee), status: 'solved' }),
    tags: ['readyline_call', `readyline_${call.direction}`],
    external_id: call.id,
    comment: { body: callBody(call, maxBody), public: false },
  };
}

/** An event of Zendesk's own: it names the user and tells neither name nor number. */
function noticeOf(notice: JsonObject): Inbound {
  const type = textIn(notice.type) ?? '';
  const id = /^zen:user:(\d{1,30})$/.exec(textIn(notice.subject) ?? '')?.[1];
  if (!type.startsWith('zen:event-type:user.') || id === undefined) return { kind: 'ignored' };
  const reference = { object: 'user', id };
  const kind = type === 'zen:event-type:user.deleted' ? 'deleted' : 'reference';
  return { kind, reference, key: textIn(notice.id) };
}

/** What an admin's trigger sends, by the template of the guide. */
function templateOf(notice: JsonObject): Inbound {
  return { kind: 'record', record: recordOf(objectIn(notice.user) ?? {}), key: null };
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const error = objectIn(body?.error);
  const code = textIn(error?.title) ?? textIn(body?.error);
  const details = objectIn(body?.details);
  const [field = null] = Object.keys(details ?? {});
  const words = textsIn(textIn(body?.description) ?? textIn(error?.message) ?? textIn(body?.error_description) ?? code, detailOf(details)).join(' ');
  const failure = failureOf(response, words);
  if (failure === null) return null;
  const { message } = failure;
  if (code === 'IdempotentRequestError') return { kind: 'exists', message };
  if (code === 'invalid_client' || code === 'invalid_grant' || code === 'invalid_token') return { kind: 'unauthorized', message };
  if (failure.kind === 'invalid') return { ...failure, field };
  // Somebody else changed the ticket in the same moment.
  if (response.status === 409) return { kind: 'unavailable', message };
  return failure;
}

/** The first of what is wrong, field by field. */
function detailOf(details: JsonObject | null): string | null {
  const [first] = Object.values(details ?? {}).flatMap(objectsIn);
  return textIn(first?.description);
}
