import { z } from 'zod';
import { callBody, callMark, callTitle } from './callText.ts';
import { basic, bearer, codeGrant, compare, detailsOf, escapeHtml, failureOf, get, isPage, type Json, type JsonObject, loginQuery, numberIn, objectIn, objectsIn, readObject, refreshTokenIn, sendForm, sendJson, textIn, textsIn, tokenIn, tryJson, unreadable, urlOf } from './exchange.ts';
import { credential, setting, text } from './fields.ts';
import type { CrmFailure, CrmRecord, CrmRequest, CrmResponse, FinishedCall, Inbound, Provider, Site } from './provider.ts';

const apiAddress = 'https://api.pipedrive.com';
const appAddress = 'https://app.pipedrive.com';
/** How many of the newest activities are read when an entry is looked for. */
const newest = 50;

const typed = z.strictObject({ api_token: credential('API token', 'From your personal preferences in Pipedrive, under API') });
const granted = z.strictObject({
  client_id: text('Client id', 'Of your app in Pipedrive’s Developer Hub'),
  client_secret: credential('Client secret', 'Of the same app'),
  refresh_token: credential('Refresh token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof typed> | z.infer<typeof granted>;

const api = ({ addresses }: Site<Credentials>, path: string, query?: Record<string, string | undefined>) => urlOf(addresses.api, path, query);

export const pipedrive: Provider<Credentials> = {
  id: 'pipedrive',
  name: 'Pipedrive',
  credentials: z.union([typed, granted]),
  options: z.strictObject({
    account_number_field: setting('Field of the account number', 'The 40-character key of a custom field of persons; empty: none'),
    tier_field: setting('Field of the tier', 'The 40-character key of a custom field of persons; empty: none'),
  }),
  addresses: () => ({ api: apiAddress, login: 'https://oauth.pipedrive.com', app: appAddress }),
  authentication: ({ credentials, addresses }) =>
    'api_token' in credentials
      ? { kind: 'fixed', headers: { 'x-api-token': credentials.api_token } }
      : {
          kind: 'token',
          tokenRequest: (refreshToken) =>
            tokenRequest(addresses.login, credentials, { grant_type: 'refresh_token', refresh_token: refreshToken ?? credentials.refresh_token ?? '' }),
          parseToken: (response) => parseToken(response, addresses.api),
          headers: ({ accessToken }) => bearer(accessToken),
        },
  authorization: {
    needsLogin: (credentials) => 'client_id' in credentials && credentials.refresh_token === undefined,
    // What the app may do is chosen in the Developer Hub: there is no scope to ask for here.
    authorizeUrl: ({ credentials, addresses }, ask) =>
      urlOf(addresses.login, '/oauth/authorize', {
        client_id: clientOf(credentials).client_id,
        ...loginQuery(ask),
      }),
    codeRequest: ({ credentials, addresses }, answer) => tokenRequest(addresses.login, clientOf(credentials), codeGrant(answer)),
    parseCode: (response, credentials) => ({ ...clientOf(credentials), refresh_token: refreshTokenIn(response) }),
  },
  // The smallest plan: 20 in 2 s for a token; searches 10 in 2 s whatever the plan.
  limits: { all: { count: 18, perMs: 2_000 }, searches: { count: 9, perMs: 2_000 } },

  checkRequest: (site) => get(api(site, '/v1/users/me')),
  parseCheck: (response) => {
    const user = dataOf(response);
    const company = textIn(user.company_domain) ?? unreadable('Expected the domain of the company.');
    const mayLogForOthers = isYes(user.is_admin) || objectsIn(user.access).some(({ app }) => app === 'account_settings');
    return {
      account: `${textIn(user.company_name) ?? company} as ${textIn(user.email) ?? textIn(user.name) ?? 'a user'}`,
      facts: { company, user: textIn(user.id) ?? '', logs_for_others: mayLogForOthers ? 'yes' : 'no' },
    };
  },
  probes: (site) => [
    { ability: 'pull', request: searchRequest('00', site), needs: 'contacts:read or search:read' },
    { ability: 'write_back', request: get(api(site, '/v1/callLogs', { limit: '1' })), needs: 'phone-integration', fact: 'call_logs' },
    { ability: 'write_back', request: get(api(site, '/api/v2/activities', { limit: '1' })), needs: 'activities:full' },
  ],

  // A part of the number suffices; the country code is what people leave out. Then as people write it, with its signs.
  searchRequests: ({ national, written }, site) => {
    const withSigns = written.find((form) => /[^+\d]/.test(form));
    return [[searchRequest(national, site)], ...(withSigns === undefined ? [] : [[searchRequest(withSigns, site)]])];
  },
  parseSearch: (response, site) =>
    objectsIn(dataOf(response).items).map(({ item }) => recordOf(objectIn(item) ?? unreadable('Expected a person.'), site)),
  readRequest: ({ id }, site) => (isId(id) ? get(api(site, `/api/v2/persons/${id}`)) : null),
  parseRecord: (response, _reference, site) => {
    const person = objectIn(readObject(response.body).data);
    return person === null || isYes(person.is_deleted) ? null : recordOf(person, site);
  },
  // Pipedrive has deals, and no tickets.
  ticketsRequest: () => null,
  parseTickets: () => null,
  recordUrl: ({ id }, { facts, addresses }) => {
    const isHost = addresses.app === appAddress && /^[a-z0-9-]+$/.test(facts.company ?? '');
    return `${isHost ? `https://${facts.company}.pipedrive.com` : addresses.app}/person/${encodeURIComponent(id)}`;
  },

  logRequests: {
    object: 'call',
    once: 'looked_up',
    // Call logs are activities, too. Those of the person, or of everybody for a caller whom nobody knows: newest first.
    find: (_call, record, site) =>
      get(
        api(site, '/api/v2/activities', {
          person_id: numberOf(record?.id)?.toString(),
          sort_by: 'add_time',
          sort_direction: 'desc',
          limit: String(newest),
        }),
      ),
    parseFound: (response, call) =>
      textIn(objectsIn(readObject(response.body).data).find(({ note }) => textIn(note)?.includes(callMark(call)))?.id),
    create: (call, record, site) => (site.facts.call_logs === 'no' ? activityRequest(call, record, site) : callLogRequest(call, record, site)),
    parseCreated: (response) => {
      const entry = dataOf(response);
      return textIn(entry.activity_id) ?? textIn(entry.id) ?? unreadable('Expected the id of the call.');
    },
    finish: null,
    // Call logs cannot be changed, the activities that they are can.
    update: (id, call, _record, site) =>
      isId(id) ? sendJson('PATCH', api(site, `/api/v2/activities/${id}`), { subject: callTitle(call), note: noteOf(call) }) : null,
  },
  ownerRequest: (email, site) => get(api(site, '/v1/users/find', { term: email, search_by_email: '1' })),
  parseOwner: (response, email) =>
    textIn(objectsIn(readObject(response.body).data).find((user) => textIn(user.email)?.toLowerCase() === email.toLowerCase())?.id),

  signs: false,
  // HTTP Basic: the password is the secret, the user whatever the admin typed.
  verify: ({ headers }, secret) => {
    if (secret === null) return 'ok';
    const given = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1];
    if (given === undefined) return 'missing';
    return compare(Buffer.from(given, 'base64').toString('utf8').replace(/^[^:]*:/, ''), secret);
  },
  parseInbound: ({ body }, site) => [noticeOf(readObject(body.toString('utf8')), site)],
  inboundAnswer: null,

  classify,
};

function clientOf(credentials: Credentials): z.infer<typeof granted> {
  return 'client_id' in credentials ? credentials : unreadable('Logging in needs the id and secret of an app.');
}

function tokenRequest(login: string, { client_id, client_secret }: z.infer<typeof granted>, fields: Record<string, string>) {
  return sendForm(`${login}/oauth/token`, fields, basic(client_id, client_secret));
}

/** @param configured where requests go; only Pipedrive's own address is replaced by the host of the company */
function parseToken(response: CrmResponse, configured: string) {
  const token = tokenIn(response);
  const host = textIn(readObject(response.body).api_domain);
  const isOurs = configured === apiAddress && host !== null && /^https:\/\/[a-z0-9-]+\.pipedrive\.com$/.test(host);
  return isOurs ? { ...token, api: host } : token;
}

function searchRequest(term: string, site: Site<Credentials>): CrmRequest {
  return { ...get(api(site, '/api/v2/persons/search', { term, fields: 'phone', limit: '10' })), isSearch: true };
}

function dataOf(response: CrmResponse): JsonObject {
  return objectIn(readObject(response.body).data) ?? unreadable('Expected data.');
}

/** A person of a search, of the record itself or of a notice: numbers are texts in the one, objects in the others. */
function recordOf(person: JsonObject, { options }: Site<Credentials>): CrmRecord {
  const fields = objectIn(person.custom_fields) ?? {};
  return {
    object: 'person',
    id: textIn(person.id) ?? unreadable('Expected the id of a person.'),
    name: textIn(person.name),
    email: valuesOf(person.emails)[0] ?? null,
    phones: valuesOf(person.phones),
    accountNumber: textIn(fields[options.account_number_field ?? '']),
    tier: textIn(fields[options.tier_field ?? '']),
    details: detailsOf({ organization: objectIn(person.organization)?.name, job_title: person.job_title }),
    url: null,
  };
}

/** The primary one first. */
function valuesOf(list: Json | undefined): string[] {
  if (!Array.isArray(list)) return [];
  const primary = objectsIn(list).filter((one) => isYes(one.primary));
  return textsIn(...[...primary, ...list].map((one) => objectIn(one)?.value ?? one));
}

/** Pipedrive writes truth as `true` and as 1. */
function isYes(value: Json | undefined): boolean {
  return value === true || value === 1;
}

function callLogRequest(call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) {
  const { ownerId } = call.agent;
  const mayName = ownerId === site.facts.user || site.facts.logs_for_others === 'yes';
  return sendJson('POST', api(site, '/v1/callLogs'), {
    subject: callTitle(call),
    outcome: outcomeOf(call),
    from_phone_number: call.from,
    to_phone_number: call.to,
    start_time: timeOf(call.startedAt),
    end_time: timeOf(call.endedAt),
    duration: String(call.durationSeconds),
    person_id: numberOf(record?.id),
    user_id: mayName ? numberOf(ownerId) : undefined,
    note: noteOf(call),
  });
}

function activityRequest(call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) {
  const person = numberOf(record?.id);
  const [date, time = ''] = timeOf(call.startedAt).split(' ');
  return sendJson('POST', api(site, '/api/v2/activities'), {
    type: 'call',
    subject: callTitle(call),
    done: true,
    due_date: date,
    due_time: time.slice(0, 5),
    duration: timeOf(new Date(Math.round(call.durationSeconds / 60) * 60_000)).slice(11, 16),
    owner_id: numberOf(call.agent.ownerId),
    participants: person === undefined ? undefined : [{ person_id: person, primary: true }],
    note: noteOf(call),
  });
}

/** Notes are HTML. */
function noteOf(call: FinishedCall): string {
  return escapeHtml(callBody(call)).replaceAll('\n', '<br>');
}

/** `2026-11-21 10:15:00`, in UTC. */
function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

/** Whether it can be an id of Pipedrive: a whole number. */
function isId(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}

/** An id as Pipedrive's requests take it; undefined where it is none. */
function numberOf(id: string | null | undefined): number | undefined {
  return id !== null && id !== undefined && isId(id) ? Number(id) : undefined;
}

const outcomes = ['connected', 'no_answer', 'left_message', 'left_voicemail', 'wrong_number', 'busy'];

function outcomeOf({ disposition, answeredAt, endReason }: FinishedCall): string {
  const chosen = disposition?.externalValue ?? '';
  if (outcomes.includes(chosen)) return chosen;
  if (answeredAt !== null) return 'connected';
  return endReason === 'busy' ? 'busy' : 'no_answer';
}

function noticeOf(notice: JsonObject, site: Site<Credentials>): Inbound {
  const meta = objectIn(notice.meta) ?? unreadable('Expected a notice of Pipedrive.');
  // Version 1 says `object`, `id`, `deleted`; version 2 `entity`, `entity_id`, `delete`.
  const isFirst = meta.entity === undefined;
  const id = textIn(isFirst ? meta.id : meta.entity_id);
  if ((meta.entity ?? meta.object) !== 'person' || id === null) return { kind: 'ignored' };
  const key = isFirst ? null : textIn(meta.id);
  const reference = { object: 'person', id };
  if (meta.action === 'delete' || meta.action === 'deleted') return { kind: 'deleted', reference, key };
  const data = objectIn(notice.data);
  return data !== null && Array.isArray(data.phones) ? { kind: 'record', record: recordOf({ ...data, id }, site), key } : { kind: 'reference', reference, key };
}

function classify(response: CrmResponse): CrmFailure | null {
  const { status, headers } = response;
  const body = objectIn(tryJson(response.body));
  const words = [textIn(body?.error) ?? textIn(objectIn(body?.error)?.message) ?? textIn(body?.message), textIn(body?.error_info)];
  const failure = failureOf(response, words.filter((part) => part !== null).join('. '));
  if (status === 403 && isPage(response)) {
    // Who goes on asking after 429 gets a page of the network in front of Pipedrive.
    return { kind: 'rate_limited', message: 'A page instead of an answer: too many requests.', retryAfterMs: null };
  }
  if (failure === null) {
    if (body === null) return { kind: 'unavailable', message: `HTTP ${status} without JSON.` };
    return body.success === false ? { kind: 'invalid', message: words[0] ?? 'It did not succeed.', field: null } : null;
  }
  const { message } = failure;
  if (body?.error === 'invalid_grant' || body?.error === 'invalid_client') {
    return { kind: 'unauthorized', message: textIn(body.message) ?? message };
  }
  // 402: the company's plan has ended.
  if (status === 402) return { kind: 'forbidden', message, permission: null };
  if (failure.kind === 'rate_limited') {
    const resetSeconds = numberIn(headers['x-ratelimit-reset']);
    // The budget of a day is used up; midnight, when it comes back, is tried for every hour.
    const waitMs = headers['x-daily-ratelimit-token-remaining'] === '0' ? 3_600_000 : (resetSeconds ?? 2) * 1_000;
    return { ...failure, retryAfterMs: failure.retryAfterMs ?? waitMs };
  }
  if (failure.kind === 'invalid') return { ...failure, field: /Validation failed: (\w+)/.exec(message)?.[1] ?? null };
  return failure;
}
