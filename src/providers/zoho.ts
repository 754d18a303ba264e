import { z } from 'zod';
import { callBody, callMark, callTitle } from './callText.ts';
import { checkSecret, codeGrant, compare, detailsOf, failureOf, get, type JsonObject, loginQuery, objectIn, objectsIn, readObject, refreshTokenIn, secretHeader, sendForm, sendJson, textIn, textsIn, tokenIn, tryJson, unreadable, urlOf } from './exchange.ts';
import { choice, credential, setting, text } from './fields.ts';
import type { CrmFailure, CrmRecord, CrmRequest, CrmResponse, FinishedCall, Inbound, Provider, RecordRef, Site } from './provider.ts';

const version = 'v8';
/** How many of the newest calls are read when an entry is looked for. */
const newest = 100;
/** How many records one notice may name; Zoho names at most as many. */
const maxIds = 100;

/** Where each of Zoho's regions is. Accounts are in one, and in no other. */
const regions = {
  us: { api: 'https://www.zohoapis.com', login: 'https://accounts.zoho.com', app: 'https://crm.zoho.com' },
  eu: { api: 'https://www.zohoapis.eu', login: 'https://accounts.zoho.eu', app: 'https://crm.zoho.eu' },
  uk: { api: 'https://www.zohoapis.uk', login: 'https://accounts.zoho.uk', app: 'https://crm.zoho.uk' },
  in: { api: 'https://www.zohoapis.in', login: 'https://accounts.zoho.in', app: 'https://crm.zoho.in' },
  au: { api: 'https://www.zohoapis.com.au', login: 'https://accounts.zoho.com.au', app: 'https://crm.zoho.com.au' },
  jp: { api: 'https://www.zohoapis.jp', login: 'https://accounts.zoho.jp', app: 'https://crm.zoho.jp' },
  ca: { api: 'https://www.zohoapis.ca', login: 'https://accounts.zohocloud.ca', app: 'https://crm.zohocloud.ca' },
  sa: { api: 'https://www.zohoapis.sa', login: 'https://accounts.zoho.sa', app: 'https://crm.zoho.sa' },
  cn: { api: 'https://www.zohoapis.com.cn', login: 'https://accounts.zoho.com.cn', app: 'https://crm.zoho.com.cn' },
} as const;
const apiAddresses: readonly string[] = Object.values(regions).map(({ api }) => api);

/** What the gateway asks for, as a comma-separated list. */
const scopes = [
  'ZohoCRM.modules.contacts.READ',
  'ZohoCRM.modules.leads.READ',
  'ZohoCRM.modules.calls.ALL',
  'ZohoSearch.securesearch.READ',
  'ZohoCRM.org.READ',
  'ZohoCRM.users.READ',
  'ZohoCRM.modules.cases.READ',
  'ZohoCRM.coql.READ',
];

const credentials = z.strictObject({
  region: choice('Region', 'Where your account is: what stands behind crm.zoho. in the browser, such as eu', Object.keys(regions) as ['us', ...(keyof typeof regions)[]]),
  client_id: text('Client id', 'Of your client in Zoho’s API console'),
  client_secret: credential('Client secret', 'Of the same client'),
  refresh_token: credential('Refresh token', 'Of a Self Client; left out where you log in instead').optional(),
});
type Credentials = z.infer<typeof credentials>;

/** The modules in which callers are looked for. */
const modules = ['Contacts', 'Leads'] as const;
const shownFields = ['Full_Name', 'Email', 'Phone', 'Mobile', 'Other_Phone', 'Home_Phone', 'Asst_Phone'];
const ownFields = { Contacts: ['Account_Name', 'Title'], Leads: ['Company', 'Lead_Status', 'Rating'] };

const api = ({ addresses }: Site<Credentials>, path: string, query?: Record<string, string | undefined>) =>
  urlOf(addresses.api, `/crm/${version}${path}`, query);

export const zoho: Provider<Credentials> = {
  id: 'zoho',
  name: 'Zoho CRM',
  credentials,
  options: z.strictObject({
    account_number_field: setting('Field of the account number', 'The API name of a field of contacts and leads; empty: none'),
    tier_field: setting('Field of the tier', 'The API name of a field of contacts and leads; empty: none'),
  }),
  addresses: ({ region }) => regions[region],
  authentication: ({ credentials: { client_id, client_secret, refresh_token }, addresses }) => ({
    kind: 'token',
    tokenRequest: (refreshToken) =>
      tokenRequest(addresses.login, { grant_type: 'refresh_token', refresh_token: refreshToken ?? refresh_token ?? '', client_id, client_secret }),
    parseToken: (response) => parseToken(response, addresses.api),
    headers: ({ accessToken }) => ({ authorization: `Zoho-oauthtoken ${accessToken}` }),
  }),
  authorization: {
    needsLogin: ({ refresh_token }) => refresh_token === undefined,
    // Whoever logs in may have an account elsewhere than the admin thought.
    returned: (known, { location }) => (typeof location === 'string' && Object.hasOwn(regions, location) ? { ...known, region: location as keyof typeof regions } : known),
    authorizeUrl: ({ credentials: { client_id }, addresses }, ask) =>
      urlOf(addresses.login, '/oauth/v2/auth', {
        response_type: 'code',
        client_id,
        ...loginQuery(ask),
        scope: scopes.join(','),
        // Without these two there is no refresh token, or only the first time.
        access_type: 'offline',
        prompt: 'consent',
      }),
    codeRequest: ({ credentials: { client_id, client_secret }, addresses }, answer) => tokenRequest(addresses.login, { ...codeGrant(answer), client_id, client_secret }),
    parseCode: (response, known) => ({ ...known, refresh_token: refreshTokenIn(response) }),
  },
  // Zoho counts those under way at once, 10 in its smaller editions.
  limits: { all: { count: 10, perMs: 1_000 }, searches: null },

  checkRequest: (site) => get(api(site, '/org')),
  parseCheck: (response) => {
    const [organization] = objectsIn(readObject(response.body).org);
    const number = textIn(organization?.zgid) ?? unreadable('Expected the number of the organization.');
    return { account: `${textIn(organization?.company_name) ?? 'Zoho CRM'} (${number})`, facts: { organization: number } };
  },
  probes: (site) => [
    ...modules.map((module) => ({
      ability: 'pull' as const,
      request: searchRequest(module, '+12025550100', site),
      needs: `ZohoCRM.modules.${module.toLowerCase()}.READ and ZohoSearch.securesearch.READ`,
    })),
    { ability: 'write_back', request: get(api(site, '/Calls', { fields: 'id', per_page: '1' })), needs: 'ZohoCRM.modules.calls.ALL' },
  ],

  // Whether Zoho looks past signs and country codes is not known: both are asked for.
  searchRequests: ({ e164, national }, site) =>
    [e164, national].map((number) => modules.map((module) => searchRequest(module, number, site))),
  parseSearch: (response, site, { url }) => recordsIn(response, new URL(url).pathname.includes('/Leads/') ? 'Leads' : 'Contacts', site),
  readRequest: ({ object, id }, site) =>
    isId(id) ? get(api(site, `/${moduleOf(object)}/${id}`, { fields: fieldsOf(moduleOf(object), site) })) : null,
  parseRecord: (response, { object }, site) => recordsIn(response, moduleOf(object), site)[0] ?? null,
  // Cases belong to contacts.
  ticketsRequest: ({ object, id }, site) =>
    object === 'Contacts' && isId(id)
      ? sendJson('POST', api(site, '/coql'), { select_query: `select id from Cases where Related_To = '${id}' and Status != 'Closed' limit 200` })
      : null,
  parseTickets: (response) => (response.body === '' ? 0 : objectsIn(readObject(response.body).data).length),
  recordUrl: ({ object, id }, { facts, addresses }) => {
    const organization = /^\d+$/.test(facts.organization ?? '') ? `/org${facts.organization}` : '';
    return `${addresses.app}/crm${organization}/tab/${encodeURIComponent(object)}/${encodeURIComponent(id)}`;
  },

  logRequests: {
    object: 'Calls',
    once: 'looked_up',
    // The newest ones of the list itself; what is searched for appears there minutes later.
    find: (_call, _record, site) =>
      get(api(site, '/Calls', { fields: 'Description', sort_by: 'Created_Time', sort_order: 'desc', per_page: String(newest) })),
    parseFound: (response, call) =>
      textIn(rowsIn(response).find(({ Description }) => textIn(Description)?.includes(callMark(call)))?.id),
    create: (call, record, site) => sendJson('POST', api(site, '/Calls'), { data: [callFields(call, record)] }),
    parseCreated: (response) =>
      textIn(objectIn(objectsIn(readObject(response.body).data)[0]?.details)?.id) ?? unreadable('Expected the id of the call.'),
    finish: null,
    // Neither the direction nor the owner of a call that took place can be changed.
    update: (id, call, _record, site) =>
      isId(id) ? sendJson('PUT', api(site, `/Calls/${id}`), { data: [changeableFields(call)] }) : null,
  },
  ownerRequest: (_email, site) => get(api(site, '/users', { type: 'ActiveUsers', per_page: '200' })),
  parseOwner: (response, email) =>
    textIn(
      (response.body === '' ? [] : objectsIn(readObject(response.body).users)).find((user) => textIn(user.email)?.toLowerCase() === email.toLowerCase())?.id,
    ),

  signs: false,
  // Zoho repeats in the body what it was told as `token`; the webhook of a workflow may carry it there or in the header.
  verify: (request, secret) =>
    secret === null || request.headers[secretHeader] !== undefined
      ? checkSecret(request, secret)
      : compare(textIn(objectIn(tryJson(request.body.toString('utf8')))?.token) ?? undefined, secret),
  parseInbound: ({ body }) => noticesOf(readObject(body.toString('utf8'))),
  inboundAnswer: null,

  classify,
};

function tokenRequest(login: string, fields: Record<string, string>): CrmRequest {
  return sendForm(`${login}/oauth/v2/token`, fields);
}

/** @param configured where requests go; among Zoho's own addresses the answer decides */
function parseToken(response: CrmResponse, configured: string) {
  const told = textIn(readObject(response.body).api_domain);
  const isOurs = told !== null && apiAddresses.includes(configured) && apiAddresses.includes(told);
  return isOurs ? { ...tokenIn(response), api: told } : tokenIn(response);
}

/** Whether it can be an id of Zoho's, which goes into paths and queries: a whole number of any length. */
function isId(id: string): boolean {
  return /^\d{1,30}$/.test(id);
}

function moduleOf(object: string): 'Contacts' | 'Leads' {
  return object === 'Leads' ? 'Leads' : 'Contacts';
}

function fieldsOf(module: 'Contacts' | 'Leads', { options }: Site<Credentials>): string {
  return textsIn(...shownFields, ...ownFields[module], options.account_number_field, options.tier_field).join(',');
}

function searchRequest(module: 'Contacts' | 'Leads', phone: string, site: Site<Credentials>): CrmRequest {
  return get(api(site, `/${module}/search`, { phone, per_page: '10', fields: fieldsOf(module, site) }));
}

/** The rows of an answer; none where it is empty: Zoho says 204 then. */
function rowsIn(response: CrmResponse): JsonObject[] {
  return response.body === '' ? [] : objectsIn(readObject(response.body).data);
}

function recordsIn(response: CrmResponse, module: 'Contacts' | 'Leads', { options }: Site<Credentials>): CrmRecord[] {
  return rowsIn(response).map((row) => ({
    object: module,
    id: textIn(row.id) ?? unreadable('Expected the id of a record.'),
    name: textIn(row.Full_Name),
    email: textIn(row.Email),
    phones: textsIn(row.Phone, row.Mobile, row.Other_Phone, row.Home_Phone, row.Asst_Phone),
    accountNumber: textIn(row[options.account_number_field ?? '']),
    tier: textIn(row[options.tier_field ?? '']),
    details: detailsOf({ company: objectIn(row.Account_Name)?.name ?? row.Company, title: row.Title, lead_status: row.Lead_Status, rating: row.Rating }),
    url: null,
  }));
}

function callFields(call: FinishedCall, record: CrmRecord | null) {
  const isMissed = call.direction === 'inbound' && call.answeredAt === null;
  return {
    ...changeableFields(call),
    Call_Type: isMissed ? 'Missed' : call.direction === 'inbound' ? 'Inbound' : 'Outbound',
    Call_Start_Time: call.startedAt.toISOString().replace(/\.\d{3}Z$/, '+00:00'),
    Call_Duration: isMissed ? undefined : durationOf(call.durationSeconds),
    Outbound_Call_Status: call.direction === 'outbound' ? 'Completed' : undefined,
    ...(call.agent.ownerId === null ? {} : { Owner: { id: call.agent.ownerId } }),
    ...relationOf(record),
  };
}

/** Contacts are `Who_Id`; whoever is none is `What_Id`, with the module. */
function relationOf(record: RecordRef | null) {
  if (record === null) return {};
  return record.object === 'Contacts' ? { Who_Id: { id: record.id } } : { What_Id: { id: record.id }, $se_module: record.object };
}

function changeableFields(call: FinishedCall) {
  return { Subject: callTitle(call), Description: callBody(call), Call_Result: call.disposition?.externalValue ?? undefined };
}

/** `mm:ss`, as Zoho documents the same field in a sister product; the minutes of a long call go beyond 59. */
function durationOf(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function noticesOf({ ids, module, operation, channel_id, server_time }: JsonObject): Inbound[] {
  if (!Array.isArray(ids)) return unreadable('Expected a notice of Zoho CRM.');
  const object = modules.find((one) => one === module);
  if (object === undefined) return [{ kind: 'ignored' }];
  return textsIn(...ids.slice(0, maxIds)).map((id) => {
    const reference = { object, id };
    const at = textIn(server_time);
    const key = at === null ? null : [textIn(channel_id) ?? '', at, textIn(operation) ?? '', id].join(' ');
    return operation === 'delete' ? { kind: 'deleted', reference, key } : { kind: 'reference', reference, key };
  });
}

function classify(response: CrmResponse): CrmFailure | null {
  const { status } = response;
  const isEmpty = response.body.trim() === '';
  const body = objectIn(tryJson(response.body));
  // A list of records says of each one what became of it; there is one.
  const [row] = objectsIn(body?.data).filter((one) => one.status === 'error');
  const told = row ?? (body?.status === 'error' || textIn(body?.error) !== null ? body : null);
  const code = textIn(told?.code) ?? textIn(told?.error);
  const words = [code, textIn(told?.message) ?? textIn(told?.error_description)].filter((part) => part !== null).join(': ');
  const failure = failureOf(response, words);
  const message = words === '' ? (failure?.message ?? '') : words.slice(0, 500);
  const details = objectIn(told?.details);
  switch (code) {
    case null:
      // 304: nothing has changed. Zoho's own answers are JSON, or empty.
      if (failure === null && !isEmpty && body === null) return { kind: 'unavailable', message: `HTTP ${status} without JSON.` };
      return failure;
    case 'INVALID_TOKEN':
    case 'AUTHENTICATION_FAILURE':
    case 'invalid_code':
    case 'invalid_client':
    case 'invalid_client_secret':
    case 'invalid_grant':
      return { kind: 'unauthorized', message };
    case 'OAUTH_SCOPE_MISMATCH':
    case 'NO_PERMISSION':
    case 'FEATURE_NOT_SUPPORTED':
      return { kind: 'forbidden', message, permission: textsIn(...(Array.isArray(details?.permissions) ? details.permissions : [])).join(', ') || null };
    case 'TOO_MANY_REQUESTS':
    case 'LIMIT_EXCEEDED':
      return { kind: 'rate_limited', message, retryAfterMs: status === 429 ? failureWait(failure) : null };
    // Of the token's address, when it is asked more than ten times in ten minutes.
    case 'Access Denied':
    case 'access_denied':
      return { kind: 'rate_limited', message, retryAfterMs: 600_000 };
    case 'INTERNAL_ERROR':
      return { kind: 'unavailable', message };
    default:
      break;
  }
  if (failure === null || failure.kind === 'invalid') {
    // The id that is not there (any more) is called invalid, too.
    if (code === 'INVALID_DATA' && details !== null && textIn(details.api_name) === null && textIn(details.id) !== null) return { kind: 'not_found', message };
    return { kind: 'invalid', message, field: textIn(details?.api_name) };
  }
  return failure;
}

function failureWait(failure: CrmFailure | null): number | null {
  return failure?.kind === 'rate_limited' ? failure.retryAfterMs : null;
}
