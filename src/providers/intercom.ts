import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type JsonObject,
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
import { callHtml, callTitle, escapeHtml, markedEntry, tagsText } from './callText.ts';
import { failureOf } from './failures.ts';
import { choice, credential, text } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare } from './notices.ts';
import { appOf, isApp, loginQuery, tokenIn } from './oauth.ts';
import type { CrmFailure, CrmRecord, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, asSearch, bearer, get, partOf, sendForm, sendJson, urlOf } from './requests.ts';

/** The version of Intercom's interface. */
const version = { 'intercom-version': '2.16' };
const eventName = 'finished-call';

const region = choice('Region', 'Where your workspace is hosted', ['us', 'eu', 'au']);
const typed = z.strictObject({
  region,
  access_token: credential('Access token', 'Of your own app, in Intercom’s Developer Hub'),
});
const granted = z.strictObject({
  region,
  client_id: text('Client id', 'Of your app in Intercom’s Developer Hub'),
  client_secret: credential('Client secret', 'Of the same app; it signs Intercom’s own webhooks, too'),
  access_token: credential('Access token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof granted> | z.infer<typeof typed>;

const hosts = {
  us: { api: 'https://api.intercom.io', login: 'https://api.intercom.io', app: 'https://app.intercom.com' },
  eu: { api: 'https://api.eu.intercom.io', login: 'https://api.eu.intercom.io', app: 'https://app.eu.intercom.com' },
  au: { api: 'https://api.au.intercom.io', login: 'https://api.au.intercom.io', app: 'https://app.au.intercom.com' },
};

const api = apiBelow('/');
const contactPath = (id: string, part = '') => `contacts/${partOf(id)}${part}`;

export const intercom: Provider<Credentials> = {
  id: 'intercom',
  name: 'Intercom',
  credentials: z.union([typed, granted]),
  options: z.strictObject({}),
  addresses: (credentials) => hosts[credentials.region],
  // Tokens do not end, and are not refreshed.
  authentication: ({ credentials }) => ({
    kind: 'fixed',
    headers: { ...bearer(credentials.access_token ?? ''), ...version },
  }),
  authorization: {
    isApp,
    needsLogin: (credentials) => credentials.access_token === undefined,
    // Intercom documents no PKCE: what it does not know it ignores,
    // and the state and the secret still protect the code.
    authorizeUrl: ({ credentials, addresses }, ask) =>
      urlOf(addresses.app, '/oauth', { ...loginQuery(appOf(credentials), ask), response_type: 'code' }),
    codeRequest: ({ credentials, addresses }, { code, codeVerifier }) => {
      const { client_id, client_secret } = appOf(credentials);
      return sendForm(`${addresses.login}/auth/eagle/token`, {
        code,
        client_id,
        client_secret,
        code_verifier: codeVerifier,
      });
    },
    // It is called `token` there.
    parseCode: (response, credentials) => ({
      ...appOf(credentials),
      access_token: textIn(readObject(response.body).token) ?? tokenIn(response).accessToken,
    }),
  },
  // 10,000 a minute for an app, spread over every ten seconds.
  limits: { all: { count: 1_500, perMs: 10_000 }, searches: null },

  checkRequest: (site) => get(api(site, 'me')),
  parseCheck: (response) => {
    const { id, name, email, app } = readObject(response.body);
    const { id_code: workspace, name: appName, region: hosted } = objectIn(app) ?? unreadable('Expected a workspace.');
    return {
      account: textsIn(appName, name, email).join(', '),
      facts: {
        workspace: textOf(workspace, 'the id of the workspace'),
        admin: textOf(id, 'the id of an admin'),
        region: textIn(hosted) ?? '',
      },
    };
  },
  probes: (site) => [
    {
      ability: 'pull',
      request: get(api(site, 'contacts', { per_page: '1' })),
      needs: 'Read and list users and companies',
    },
    // There is no such contact: Intercom says so to those who might write.
    {
      ability: 'write_back',
      request: sendJson('POST', api(site, contactPath('0', '/notes')), { body: '<p></p>' }),
      needs: 'Write users and companies',
    },
  ],

  // Numbers with a country code have an E.164 form there; of the others only the end is alike.
  searchRequests: ({ e164, national }, site) => [
    [search(site, { field: 'formatted_phone', operator: '=', value: e164 })],
    [search(site, { field: 'phone', operator: '$', value: national })],
  ],
  parseSearch: (response) => objectsIn(readObject(response.body).data).map(recordOf),
  readRequest: ({ id }, site) => get(api(site, contactPath(id))),
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: ({ id }, site) =>
    asSearch(
      sendJson('POST', api(site, 'tickets/search'), {
        query: {
          operator: 'AND',
          value: [
            { field: 'contact_ids', operator: '=', value: id },
            { field: 'open', operator: '=', value: true },
          ],
        },
        pagination: { per_page: 1 },
      }),
    ),
  parseTickets: (response) => numberIn(readObject(response.body).total_count),
  recordUrl: ({ id }, { facts, addresses }) =>
    `${addresses.app}/a/apps/${partOf(facts.workspace ?? '')}/users/${partOf(id)}`,

  logRequests: {
    object: 'note',
    // A second note is not refused; the event that completes it is.
    once: 'looked_up',
    find: (_call, record, site) => get(api(site, contactPath(record?.id ?? '', '/notes'), { per_page: '50' })),
    parseFound: (response, call) =>
      textIn(markedEntry(objectsIn(readObject(response.body).data), call, ({ body }) => [body])?.id),
    create: (call, record, site) =>
      record === null
        ? null
        : sendJson('POST', api(site, contactPath(record.id, '/notes')), {
            body: `<p>${escapeHtml(callTitle(call))}</p><p>${callHtml(call)}</p>`,
            admin_id: call.agent.ownerId ?? site.facts.admin,
          }),
    parseCreated: (response) => textOf(readObject(response.body).id, 'the id of the note'),
    // Intercom takes the same event of the same contact and second only once.
    finish: (_id, call, record, site) =>
      sendJson('POST', api(site, 'events'), {
        event_name: eventName,
        created_at: Math.floor(call.startedAt.getTime() / 1_000),
        id: record?.id,
        metadata: eventOf(call),
      }),
    update: null,
  },
  ownerRequest: (_email, site) => get(api(site, 'admins')),
  parseOwner: (response, email) => textIn(userWith(email, objectsIn(readObject(response.body).admins))?.id),

  signs: true,
  verify: ({ headers, body }, secret) =>
    secret === null
      ? 'missing'
      : compare(headers['x-hub-signature'], `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`),
  parseInbound: ({ body }, { facts }) => {
    const notice = readObject(body.toString('utf8'));
    if (notice.type !== 'notification_event') return unreadable('Expected a notification_event.');
    // Signed by the app, which other workspaces may have installed, too.
    if (facts.workspace !== undefined && notice.app_id !== facts.workspace) return [{ kind: 'ignored' }];
    return [noticeOf(notice)];
  },
  inboundAnswer: null,

  classify,
};

function search(site: Site<Credentials>, query: { field: string; operator: string; value: string }) {
  return asSearch(sendJson('POST', api(site, 'contacts/search'), { query, pagination: { per_page: 10 } }));
}

function recordOf(contact: JsonObject): CrmRecord {
  return recordFrom({
    object: 'contact',
    id: contact.id,
    name: contact.name,
    email: contact.email,
    phones: [contact.formatted_phone, contact.phone],
    accountNumber: contact.external_id,
    details: { role: contact.role, tags: namesOf(contact.tags), companies: namesOf(contact.companies) },
  });
}

function namesOf(list: JsonObject[string]): string {
  return textsIn(...objectsIn(objectIn(list)?.data).map(({ name }) => name)).join(', ');
}

/** At most ten, as Intercom wants it. */
function eventOf(call: FinishedCall) {
  return {
    call_id: call.id,
    direction: call.direction,
    from: call.from,
    to: call.to,
    duration_seconds: call.durationSeconds,
    result: call.endReason,
    transferred_to: call.transferredTo ?? undefined,
    transferred_from: call.transferredFrom ?? undefined,
    disposition: call.disposition?.label,
    tags: tagsText(call) ?? undefined,
    agent: call.agent.name,
  };
}

function noticeOf(notice: JsonObject): Inbound {
  const topic = textIn(notice.topic) ?? '';
  const item = objectIn(objectIn(notice.data)?.item) ?? {};
  const key = textIn(notice.id);
  if (topic === 'ping') return { kind: 'ping' };
  const contact = item.type === 'contact' ? item : objectIn(item.contact);
  if (!topic.startsWith('contact.') || contact === null || textIn(contact.id) === null) return { kind: 'ignored' };
  const record = recordOf(contact);
  if (topic === 'contact.deleted' || topic === 'contact.archived')
    return { kind: 'deleted', reference: { object: record.object, id: record.id }, key };
  // Of a tag comes little more than the contact's id.
  return item === contact
    ? { kind: 'record', record, key }
    : { kind: 'reference', reference: { object: record.object, id: record.id }, key };
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const [first] = objectsIn(body?.errors);
  const code = textIn(first?.code);
  return failureOf(response, {
    words: textIn(first?.message) ?? code ?? textIn(body?.error_description) ?? textIn(body?.error),
    kind: code === 'token_suspended' ? 'unauthorized' : null,
    field: textIn(first?.field),
  });
}
