import { z } from 'zod';
import { notMissed } from '../contract/callRules.ts';
import {
  type JsonObject,
  namesIn,
  objectIn,
  objectsIn,
  readObject,
  textIn,
  textOf,
  textsIn,
  tryJson,
  unreadable,
} from './answers.ts';
import { callBody, callTitle, markedEntry } from './callText.ts';
import { failureOf, isSuccess, kindOf, meaningOf } from './failures.ts';
import { choice, credential, setting, text } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { checkSecret, compare, secretHeader } from './notices.ts';
import { codeGrant, grantRequest, isApp, loggedIn, loginQuery, loginToken, needsLogin } from './oauth.ts';
import type { Addresses, CrmFailure, CrmRecord, CrmRequest, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, get, partOf, sendJson, urlOf } from './requests.ts';

/** How many records one notice may name; Zoho names at most as many. */
const maxIds = 100;

const region = (ending: string, domain = `zoho.${ending}`) => ({
  api: `https://www.zohoapis.${ending}`,
  login: `https://accounts.${domain}`,
  app: `https://crm.${domain}`,
});
/** Where each of Zoho's regions is. Accounts are in one, and in no other. */
const regions = {
  us: region('com'),
  eu: region('eu'),
  uk: region('uk'),
  in: region('in'),
  au: region('com.au'),
  jp: region('jp'),
  ca: region('ca', 'zohocloud.ca'),
  sa: region('sa'),
  cn: region('com.cn'),
};
const apiAddresses: readonly string[] = Object.values(regions).map(({ api }) => api);

/** What the gateway asks for. */
const scopes =
  'ZohoCRM.modules.contacts.READ,ZohoCRM.modules.leads.READ,ZohoCRM.modules.cases.READ,ZohoCRM.modules.calls.ALL,' +
  'ZohoSearch.securesearch.READ,ZohoCRM.org.READ,ZohoCRM.users.READ,ZohoCRM.coql.READ';

const credentials = z.strictObject({
  region: choice(
    'Region',
    'Where your account is: what stands behind crm.zoho. in the browser, such as eu',
    Object.keys(regions) as ['us', ...(keyof typeof regions)[]],
  ),
  client_id: text('Client id', 'Of your client in Zoho’s API console'),
  client_secret: credential('Client secret', 'Of the same client'),
  refresh_token: credential('Refresh token', 'Of a Self Client; left out where you log in instead').optional(),
});
type Credentials = z.infer<typeof credentials>;

/** The modules in which callers are looked for. */
const modules = ['Contacts', 'Leads'] as const;
type Module = (typeof modules)[number];
const phoneFields = ['Phone', 'Mobile', 'Other_Phone', 'Home_Phone', 'Asst_Phone'];
const ownFields = { Contacts: ['Account_Name', 'Title'], Leads: ['Company', 'Lead_Status', 'Rating'] };

const api = apiBelow('/crm/v8');
const tokenUrl = ({ login }: Addresses) => `${login}/oauth/v2/token`;

export const zoho: Provider<Credentials> = {
  id: 'zoho',
  name: 'Zoho CRM',
  credentials,
  options: z.strictObject({
    account_number_field: setting(
      'Field of the account number',
      'The API name of a field of contacts and leads; empty: none',
    ),
    tier_field: setting('Field of the tier', 'The API name of a field of contacts and leads; empty: none'),
  }),
  addresses: ({ region }) => regions[region],
  authentication: ({ credentials: known, addresses }) =>
    loginToken(known, (grant) => grantRequest(tokenUrl(addresses), known, grant), {
      apiOf: (answer) => regionalApi(answer, addresses.api),
      headers: (token) => ({ authorization: `Zoho-oauthtoken ${token}` }),
    }),
  authorization: {
    isApp,
    needsLogin,
    // Whoever logs in may have an account elsewhere than the admin thought.
    returned: (known, { location }) =>
      typeof location === 'string' && Object.hasOwn(regions, location)
        ? { ...known, region: location as keyof typeof regions }
        : known,
    authorizeUrl: ({ credentials: known, addresses }, ask) =>
      urlOf(addresses.login, '/oauth/v2/auth', {
        response_type: 'code',
        ...loginQuery(known, ask),
        scope: scopes,
        // Without these two there is no refresh token, or only the first time.
        access_type: 'offline',
        prompt: 'consent',
      }),
    codeRequest: ({ credentials: known, addresses }, answer) =>
      grantRequest(tokenUrl(addresses), known, codeGrant(answer)),
    parseCode: loggedIn,
  },
  // Zoho counts those under way at once, 10 in its smaller editions.
  limits: { all: { count: 10, perMs: 1_000 }, searches: null },

  checkRequest: (site) => get(api(site, '/org')),
  parseCheck: (response) => {
    const [organization] = objectsIn(readObject(response.body).org);
    const number = textOf(organization?.zgid, 'the number of the organization');
    return {
      account: `${textIn(organization?.company_name) ?? 'Zoho CRM'} (${number})`,
      facts: { organization: number },
    };
  },
  probes: (site) => [
    ...modules.map((module) => ({
      ability: 'pull' as const,
      request: searchRequest(module, '+12025550100', site),
      needs: `ZohoCRM.modules.${module.toLowerCase()}.READ and ZohoSearch.securesearch.READ`,
    })),
    {
      ability: 'write_back',
      request: get(api(site, '/Calls', { fields: 'id', per_page: '1' })),
      needs: 'ZohoCRM.modules.calls.ALL',
    },
  ],

  // Whether Zoho looks past signs and country codes is not known: both are asked for.
  searchRequests: ({ e164, national }, site) =>
    [e164, national].map((number) => modules.map((module) => searchRequest(module, number, site))),
  parseSearch: (response, site, { url }) =>
    recordsIn(response, new URL(url).pathname.includes('/Leads/') ? 'Leads' : 'Contacts', site),
  readRequest: ({ object, id }, site) =>
    isId(id) ? get(api(site, `/${moduleOf(object)}/${id}`, { fields: fieldsOf(moduleOf(object), site) })) : null,
  parseRecord: (response, { object }, site) => recordsIn(response, moduleOf(object), site)[0] ?? null,
  // Cases belong to contacts.
  ticketsRequest: ({ object, id }, site) =>
    object === 'Contacts' && isId(id)
      ? sendJson('POST', api(site, '/coql'), {
          select_query: `select id from Cases where Related_To = '${id}' and Status != 'Closed' limit 200`,
        })
      : null,
  parseTickets: (response) => rowsIn(response).length,
  recordUrl: ({ object, id }, { facts, addresses }) => {
    const organization = /^\d+$/.test(facts.organization ?? '') ? `/org${facts.organization}` : '';
    return `${addresses.app}/crm${organization}/tab/${partOf(object)}/${partOf(id)}`;
  },

  logRequests: {
    object: 'Calls',
    once: 'looked_up',
    // The newest ones of the list itself; what is searched for appears there minutes later.
    find: (_call, _record, site) =>
      get(api(site, '/Calls', { fields: 'Description', sort_by: 'Created_Time', sort_order: 'desc', per_page: '100' })),
    parseFound: (response, call) => textIn(markedEntry(rowsIn(response), call, ({ Description }) => [Description])?.id),
    create: (call, record, site) => sendJson('POST', api(site, '/Calls'), { data: [callFields(call, record)] }),
    parseCreated: (response) => textOf(objectIn(rowsIn(response)[0]?.details)?.id, 'the id of the call'),
    finish: null,
    // Neither the direction nor the owner of a call that took place can be changed.
    update: (id, call, _record, site) =>
      isId(id) ? sendJson('PUT', api(site, `/Calls/${id}`), { data: [changeableFields(call)] }) : null,
  },
  ownerRequest: (_email, site) => get(api(site, '/users', { type: 'ActiveUsers', per_page: '200' })),
  parseOwner: (response, email) => textIn(userWith(email, rowsIn(response, 'users'))?.id),

  signs: false,
  // Zoho repeats in the body what it was told as `token`;
  // the webhook of a workflow may carry it there or in the header.
  verify: (request, secret) =>
    secret === null || request.headers[secretHeader] !== undefined
      ? checkSecret(request, secret)
      : compare(textIn(objectIn(tryJson(request.body.toString('utf8')))?.token) ?? undefined, secret),
  parseInbound: ({ body }) => noticesOf(readObject(body.toString('utf8'))),
  inboundAnswer: null,

  classify,
};

/** @param configured where requests go; among Zoho's own addresses the answer decides */
function regionalApi({ api_domain }: JsonObject, configured: string): string | null {
  const told = textIn(api_domain);
  return told !== null && apiAddresses.includes(configured) && apiAddresses.includes(told) ? told : null;
}

/** Whether it can be an id of Zoho's, which goes into paths and queries: a whole number of any length. */
function isId(id: string): boolean {
  return /^\d{1,30}$/.test(id);
}

function moduleOf(object: string): Module {
  return object === 'Leads' ? 'Leads' : 'Contacts';
}

function fieldsOf(module: Module, { options }: Site<Credentials>): string {
  return textsIn(
    'Full_Name',
    'Email',
    ...phoneFields,
    ...ownFields[module],
    options.account_number_field,
    options.tier_field,
  ).join(',');
}

function searchRequest(module: Module, phone: string, site: Site<Credentials>): CrmRequest {
  return get(api(site, `/${module}/search`, { phone, per_page: '10', fields: fieldsOf(module, site) }));
}

/** The rows of an answer; none where it is empty: Zoho says 204 then. */
function rowsIn(response: CrmResponse, name = 'data'): JsonObject[] {
  return response.body === '' ? [] : objectsIn(readObject(response.body)[name]);
}

function recordsIn(response: CrmResponse, module: Module, { options }: Site<Credentials>): CrmRecord[] {
  return rowsIn(response).map((row) =>
    recordFrom({
      object: module,
      id: row.id,
      name: row.Full_Name,
      email: row.Email,
      phones: phoneFields.map((field) => row[field]),
      accountNumber: row[options.account_number_field ?? ''],
      tier: row[options.tier_field ?? ''],
      details: {
        company: objectIn(row.Account_Name)?.name ?? row.Company,
        title: row.Title,
        lead_status: row.Lead_Status,
        rating: row.Rating,
      },
    }),
  );
}

function callFields(call: FinishedCall, record: CrmRecord | null) {
  const rangInVain = call.direction === 'inbound' && call.answeredAt === null;
  const isMissed = rangInVain && !notMissed.includes(call.endDetail ?? '');
  const direction = call.direction === 'inbound' ? 'Inbound' : 'Outbound';
  return {
    ...changeableFields(call),
    Call_Type: isMissed ? 'Missed' : direction,
    Call_Start_Time: call.startedAt.toISOString().replace(/\.\d{3}Z$/, '+00:00'),
    Call_Duration: rangInVain ? undefined : durationOf(call.durationSeconds),
    Outbound_Call_Status: call.direction === 'outbound' ? 'Completed' : undefined,
    Owner: call.agent.ownerId === null ? undefined : { id: call.agent.ownerId },
    ...(record === null ? {} : linkTo(record)),
  };
}

/** Contacts are `Who_Id`; whoever is none is `What_Id`, with the module. */
function linkTo({ object, id }: CrmRecord) {
  return object === 'Contacts' ? { Who_Id: { id } } : { What_Id: { id }, $se_module: object };
}

function changeableFields(call: FinishedCall) {
  return {
    Subject: callTitle(call),
    Description: callBody(call),
    Call_Result: call.disposition?.externalValue ?? undefined,
  };
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
    const at = textIn(server_time);
    const key = at === null ? null : [textIn(channel_id) ?? '', at, textIn(operation) ?? '', id].join(' ');
    return { kind: operation === 'delete' ? 'deleted' : 'reference', reference: { object, id }, key };
  });
}

const kindOfCode = meaningOf({
  unauthorized: [
    'INVALID_TOKEN',
    'AUTHENTICATION_FAILURE',
    'invalid_code',
    'invalid_client',
    'invalid_client_secret',
    'invalid_grant',
  ],
  forbidden: ['OAUTH_SCOPE_MISMATCH', 'NO_PERMISSION', 'FEATURE_NOT_SUPPORTED'],
  rate_limited: ['TOO_MANY_REQUESTS', 'LIMIT_EXCEEDED', 'Access Denied', 'access_denied'],
  unavailable: ['INTERNAL_ERROR'],
});

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  // Zoho's own answers are JSON, or empty.
  if (isSuccess(response) && body === null && response.body.trim() !== '')
    return { kind: 'unavailable', message: `HTTP ${response.status} without JSON.` };
  // A list of records says of each one what became of it; there is one.
  const [row] = objectsIn(body?.data).filter(({ status }) => status === 'error');
  const told = row ?? (body?.status === 'error' || textIn(body?.error) !== null ? body : null);
  const code = textIn(told?.code) ?? textIn(told?.error);
  const details = objectIn(told?.details);
  const field = textIn(details?.api_name);
  // The id that is not there (any more) is called invalid, too.
  const isGone =
    kindOf(response) === 'invalid' && code === 'INVALID_DATA' && field === null && textIn(details?.id) !== null;
  return failureOf(response, {
    words: textsIn(code, textIn(told?.message) ?? told?.error_description).join(': '),
    hasFailed: code !== null,
    kind: isGone ? 'not_found' : kindOfCode(code),
    permission: namesIn(details?.permissions),
    field,
    // Of the token's address, when it is asked more than ten times in ten minutes.
    waitMs: code === 'Access Denied' || code === 'access_denied' ? 600_000 : null,
  });
}
