import { z } from 'zod';
import {
  type Json,
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
import { callHtml, callTitle, markedEntry, utcTime } from './callText.ts';
import { failureOf, isPage, isSuccess } from './failures.ts';
import { credential, setting, text } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare } from './notices.ts';
import { appOf, codeGrant, isApp, isRefusedGrant, loggedIn, loginQuery, loginToken, needsLogin } from './oauth.ts';
import type { CrmFailure, CrmRecord, CrmRequest, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, asSearch, basic, get, partOf, sendForm, sendJson, urlOf } from './requests.ts';

const apiAddress = 'https://api.pipedrive.com';
const appAddress = 'https://app.pipedrive.com';
/** How many of the newest activities are read when an entry is looked for. */
const newest = 50;

const typed = z.strictObject({
  api_token: credential('API token', 'From your personal preferences in Pipedrive, under API'),
});
const granted = z.strictObject({
  client_id: text('Client id', 'Of your app in Pipedrive’s Developer Hub'),
  client_secret: credential('Client secret', 'Of the same app'),
  refresh_token: credential('Refresh token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof typed> | z.infer<typeof granted>;

const api = apiBelow('');

export const pipedrive: Provider<Credentials> = {
  id: 'pipedrive',
  name: 'Pipedrive',
  credentials: z.union([typed, granted]),
  options: z.strictObject({
    account_number_field: setting(
      'Field of the account number',
      'The 40-character key of a custom field of persons; empty: none',
    ),
    tier_field: setting('Field of the tier', 'The 40-character key of a custom field of persons; empty: none'),
  }),
  addresses: () => ({ api: apiAddress, login: 'https://oauth.pipedrive.com', app: appAddress }),
  authentication: ({ credentials, addresses }) =>
    'api_token' in credentials
      ? { kind: 'fixed', headers: { 'x-api-token': credentials.api_token } }
      : loginToken(credentials, (grant) => tokenRequest(addresses.login, credentials, grant), {
          apiOf: (answer) => companyHost(answer, addresses.api),
        }),
  authorization: {
    isApp,
    needsLogin,
    // What the app may do is chosen in the Developer Hub: there is no scope to ask for here.
    authorizeUrl: ({ credentials, addresses }, ask) =>
      urlOf(addresses.login, '/oauth/authorize', loginQuery(appOf(credentials), ask)),
    codeRequest: ({ credentials, addresses }, answer) =>
      tokenRequest(addresses.login, appOf(credentials), codeGrant(answer)),
    parseCode: loggedIn,
  },
  // The smallest plan: 20 in 2 s for a token; searches 10 in 2 s whatever the plan.
  limits: { all: { count: 18, perMs: 2_000 }, searches: { count: 9, perMs: 2_000 } },

  checkRequest: (site) => get(api(site, '/v1/users/me')),
  parseCheck: (response) => {
    const user = dataOf(response);
    const company = textOf(user.company_domain, 'the domain of the company');
    const mayLogForOthers =
      isYes(user.is_admin) || objectsIn(user.access).some(({ app }) => app === 'account_settings');
    return {
      account: `${textIn(user.company_name) ?? company} as ${textIn(user.email) ?? textIn(user.name) ?? 'a user'}`,
      facts: { company, user: textIn(user.id) ?? '', logs_for_others: mayLogForOthers ? 'yes' : 'no' },
    };
  },
  probes: (site) => [
    { ability: 'pull', request: searchRequest('00', site), needs: 'contacts:read or search:read' },
    {
      ability: 'write_back',
      request: get(api(site, '/v1/callLogs', { limit: '1' })),
      needs: 'phone-integration',
      fact: 'call_logs',
    },
    { ability: 'write_back', request: get(api(site, '/api/v2/activities', { limit: '1' })), needs: 'activities:full' },
  ],

  // A part of the number suffices; the country code is what people leave out. Then as people write it, with its signs.
  searchRequests: ({ national, written }, site) => {
    const withSigns = written.find((form) => /[^+\d]/.test(form));
    return [[searchRequest(national, site)], ...(withSigns === undefined ? [] : [[searchRequest(withSigns, site)]])];
  },
  parseSearch: (response, site) =>
    objectsIn(dataOf(response).items).map(({ item }) =>
      recordOf(objectIn(item) ?? unreadable('Expected a person.'), site),
    ),
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
    return `${isHost ? `https://${facts.company}.pipedrive.com` : addresses.app}/person/${partOf(id)}`;
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
      textIn(markedEntry(objectsIn(readObject(response.body).data), call, ({ note }) => [note])?.id),
    create: (call, record, site) =>
      site.facts.call_logs === 'no' ? activityRequest(call, record, site) : callLogRequest(call, record, site),
    parseCreated: (response) => {
      const entry = dataOf(response);
      return textIn(entry.activity_id) ?? textOf(entry.id, 'the id of the call');
    },
    finish: null,
    // Call logs cannot be changed, the activities that they are can.
    update: (id, call, _record, site) =>
      isId(id)
        ? sendJson('PATCH', api(site, `/api/v2/activities/${id}`), { subject: callTitle(call), note: callHtml(call) })
        : null,
  },
  ownerRequest: (email, site) => get(api(site, '/v1/users/find', { term: email, search_by_email: '1' })),
  parseOwner: (response, email) => textIn(userWith(email, objectsIn(readObject(response.body).data))?.id),

  signs: false,
  // HTTP Basic: the password is the secret, the user whatever the admin typed.
  verify: ({ headers }, secret) => {
    if (secret === null) return 'ok';
    const given = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1];
    if (given === undefined) return 'missing';
    return compare(
      Buffer.from(given, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, ''),
      secret,
    );
  },
  parseInbound: ({ body }, site) => [noticeOf(readObject(body.toString('utf8')), site)],
  inboundAnswer: null,

  classify,
};

function tokenRequest(
  login: string,
  { client_id, client_secret }: z.infer<typeof granted>,
  fields: Record<string, string>,
) {
  return sendForm(`${login}/oauth/token`, fields, basic(client_id, client_secret));
}

/** @param configured where requests go; only Pipedrive's own address is replaced by the host of the company */
function companyHost({ api_domain }: JsonObject, configured: string): string | null {
  const host = textIn(api_domain);
  return configured === apiAddress && host !== null && /^https:\/\/[a-z0-9-]+\.pipedrive\.com$/.test(host)
    ? host
    : null;
}

function searchRequest(term: string, site: Site<Credentials>): CrmRequest {
  return asSearch(get(api(site, '/api/v2/persons/search', { term, fields: 'phone', limit: '10' })));
}

function dataOf(response: CrmResponse): JsonObject {
  return objectIn(readObject(response.body).data) ?? unreadable('Expected data.');
}

/** A person of a search, of the record itself or of a notice: numbers are texts in the one, objects in the others. */
function recordOf(person: JsonObject, { options }: Site<Credentials>): CrmRecord {
  const fields = objectIn(person.custom_fields) ?? {};
  return recordFrom({
    object: 'person',
    id: person.id,
    name: person.name,
    email: valuesOf(person.emails)[0],
    phones: valuesOf(person.phones),
    accountNumber: fields[options.account_number_field ?? ''],
    tier: fields[options.tier_field ?? ''],
    details: { organization: objectIn(person.organization)?.name, job_title: person.job_title },
  });
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
    start_time: utcTime(call.startedAt),
    end_time: utcTime(call.endedAt),
    duration: String(call.durationSeconds),
    person_id: numberOf(record?.id),
    user_id: mayName ? numberOf(ownerId) : undefined,
    note: callHtml(call),
  });
}

function activityRequest(call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) {
  const person = numberOf(record?.id);
  const [date, time = ''] = utcTime(call.startedAt).split(' ');
  return sendJson('POST', api(site, '/api/v2/activities'), {
    type: 'call',
    subject: callTitle(call),
    done: true,
    due_date: date,
    due_time: time.slice(0, 5),
    duration: utcTime(new Date(Math.round(call.durationSeconds / 60) * 60_000)).slice(11, 16),
    owner_id: numberOf(call.agent.ownerId),
    participants: person === undefined ? undefined : [{ person_id: person, primary: true }],
    note: callHtml(call),
  });
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
  return data !== null && Array.isArray(data.phones)
    ? { kind: 'record', record: recordOf({ ...data, id }, site), key }
    : { kind: 'reference', reference, key };
}

function classify(response: CrmResponse): CrmFailure | null {
  const { status, headers } = response;
  // Who goes on asking after 429 gets a page of the network in front of Pipedrive.
  if (status === 403 && isPage(response))
    return { kind: 'rate_limited', message: 'A page instead of an answer: too many requests.', retryAfterMs: null };
  const body = objectIn(tryJson(response.body));
  if (isSuccess(response) && body === null) return { kind: 'unavailable', message: `HTTP ${status} without JSON.` };
  const isRefused = isRefusedGrant(body?.error);
  const words = isRefused ? body?.message : (textIn(body?.error) ?? objectIn(body?.error)?.message ?? body?.message);
  // The company's plan has ended.
  const unpaid = status === 402 ? 'forbidden' : null;
  return failureOf(response, {
    words: textsIn(words, isRefused ? null : body?.error_info).join('. '),
    hasFailed: body?.success === false,
    kind: isRefused ? 'unauthorized' : unpaid,
    field: /Validation failed: (\w+)/.exec(textIn(words) ?? '')?.[1],
    // The budget of a day is used up; midnight, when it comes back, is tried for every hour.
    waitMs:
      headers['x-daily-ratelimit-token-remaining'] === '0'
        ? 3_600_000
        : (numberIn(headers['x-ratelimit-reset']) ?? 2) * 1_000,
  });
}
