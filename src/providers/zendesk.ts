import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type JsonObject,
  namesIn,
  numberIn,
  objectIn,
  objectsIn,
  readObject,
  textIn,
  textOf,
  textsIn,
  tryJson,
  unreadable,
} from './answers.ts';
import { callBody, callTitle } from './callText.ts';
import { failureOf, meaningOf } from './failures.ts';
import { credential, text, vendorHost } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare, isStale } from './notices.ts';
import { appToken } from './oauth.ts';
import type { CrmFailure, CrmRecord, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, basic, get, idNumber, idempotencyKey, partOf, sendJson } from './requests.ts';

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

const api = apiBelow('/api/v2/');
const ticketPath = (id: string) => `tickets/${partOf(id)}`;

export const zendesk: Provider<Credentials> = {
  id: 'zendesk',
  name: 'Zendesk',
  credentials: z.union([client, typed]),
  options: z.strictObject({}),
  addresses: ({ subdomain: host }) => ({ api: `https://${host}`, login: `https://${host}`, app: `https://${host}` }),
  authentication: ({ credentials, addresses }) =>
    'api_token' in credentials
      ? { kind: 'fixed', headers: basic(`${credentials.email}/token`, credentials.api_token) }
      : appToken(`${addresses.login}/oauth/tokens`, credentials, { scope: 'read write' }),
  authorization: null,
  // The smallest of the plans: 200 a minute.
  limits: { all: { count: 180, perMs: 60_000 }, searches: null },

  checkRequest: (site) => get(api(site, 'users/me')),
  parseCheck: (response) => {
    const { id, name, email, role } = objectIn(readObject(response.body).user) ?? unreadable('Expected a user.');
    // Who is not logged in is a user without an id here, not an error.
    const user = textOf(id, 'somebody to be known by these credentials');
    return { account: textsIn(name, email, role).join(', '), facts: { user } };
  },
  probes: (site) => [
    {
      ability: 'pull',
      request: get(api(site, 'users/search', { query: 'role:end-user', per_page: '1' })),
      needs: 'users:read',
    },
    // There is no such ticket: Zendesk says so to those who might change it.
    {
      ability: 'write_back',
      request: sendJson('PUT', api(site, ticketPath('0')), { ticket: {} }),
      needs: 'tickets:write',
    },
  ],

  // With a star Zendesk compares digits alone, however the number is written.
  searchRequests: ({ national }, site) => [
    [get(api(site, 'users/search', { query: `role:end-user phone:*${national}`, per_page: '10' }))],
  ],
  parseSearch: (response) => objectsIn(readObject(response.body).users).map(recordOf),
  readRequest: ({ id }, site) => get(api(site, `users/${partOf(id)}`)),
  parseRecord: (response) => {
    const user = objectIn(readObject(response.body).user) ?? unreadable('Expected a user.');
    // Those who were deleted can still be read.
    return user.active === false ? null : recordOf(user);
  },
  ticketsRequest: ({ id }, site) =>
    get(api(site, 'search/count', { query: `type:ticket requester:${id.replace(/\D/g, '')} status<solved` })),
  parseTickets: (response) => numberIn(readObject(response.body).count),
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/agent/users/${partOf(id)}`,

  logRequests: {
    object: 'ticket',
    once: 'native',
    nativeForMs: keyLastsMs,
    find: (call, _record, site) => get(api(site, 'tickets', { external_id: call.id, per_page: '10' })),
    // The list is of that external id; it is looked at again, so that a filter that was ignored does no harm.
    parseFound: (response, call) =>
      textIn(objectsIn(readObject(response.body).tickets).find(({ external_id }) => external_id === call.id)?.id),
    create: (call, record, site) =>
      record === null
        ? null
        : sendJson('POST', api(site, 'tickets'), { ticket: ticketOf(call, record, site) }, idempotencyKey(call)),
    parseCreated: (response) => textOf(objectIn(readObject(response.body).ticket)?.id, 'the id of the ticket'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PUT', api(site, ticketPath(id)), {
        ticket: { subject: callTitle(call), comment: { body: callBody(call, maxBody), public: false } },
      }),
  },
  ownerRequest: (email, site) =>
    get(api(site, 'users/search', { query: `email:"${email.replace(/["\\\s]/g, '')}"`, per_page: '10' })),
  parseOwner: (response, email) =>
    textIn(userWith(email, objectsIn(readObject(response.body).users).filter(isColleague))?.id),

  signs: true,
  verify: ({ headers, body, receivedAt }, secret) => {
    const at = headers['x-zendesk-webhook-signature-timestamp'];
    if (at === undefined || secret === null) return 'missing';
    if (isStale(Date.parse(at), receivedAt)) return 'stale';
    return compare(
      headers['x-zendesk-webhook-signature'],
      createHmac('sha256', secret).update(at).update(body).digest('base64'),
    );
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
  // Zendesk's own `url` is the address of its interface, not of a page.
  return recordFrom({
    object: 'user',
    id: user.id,
    name: user.name,
    email: user.email,
    phones: [user.phone],
    accountNumber: user.external_id,
    details: {
      organization_id: user.organization_id,
      tags: namesIn(user.tags),
      details: user.details,
      notes: user.notes,
    },
  });
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

const kindOfCode = meaningOf({
  unauthorized: ['invalid_client', 'invalid_grant', 'invalid_token'],
  exists: ['IdempotentRequestError'],
});

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const error = objectIn(body?.error);
  const code = textIn(error?.title ?? body?.error);
  const details = objectIn(body?.details);
  const [field] = Object.keys(details ?? {});
  const words = textsIn(
    textIn(body?.description) ?? textIn(error?.message) ?? textIn(body?.error_description) ?? code,
    detailOf(details),
  ).join(' ');
  // 409: somebody else changed the ticket in the same moment.
  return failureOf(response, {
    words,
    kind: kindOfCode(code) ?? (response.status === 409 ? 'unavailable' : null),
    field,
  });
}

/** The first of what is wrong, field by field. */
function detailOf(details: JsonObject | null): string | null {
  const [first] = Object.values(details ?? {}).flatMap(objectsIn);
  return textIn(first?.description);
}
