import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type JsonObject,
  linkIn,
  namesIn,
  numberIn,
  objectIn,
  objectsIn,
  readJson,
  readObject,
  textIn,
  textOf,
  tryJson,
  unreadable,
} from './answers.ts';
import { callHtml, callTitle, markedEntry } from './callText.ts';
import { failureOf } from './failures.ts';
import { credential, text } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare, isStale } from './notices.ts';
import {
  appOf,
  codeGrant,
  grantRequest,
  isApp,
  isRefusedGrant,
  loggedIn,
  loginQuery,
  loginToken,
  needsLogin,
} from './oauth.ts';
import type { Addresses, CrmFailure, CrmRecord, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { fullName, recordFrom, userWith } from './records.ts';
import { apiBelow, asSearch, bearer, get, partOf, sendJson, urlOf } from './requests.ts';

/** The version of HubSpot's interface, in every path; each is served for 18 months. */
const version = '2026-09';
/** Of a call to a contact, as HubSpot defines it. */
const callToContact = 194;
/** The property of calls that holds the gateway's own id; the gateway makes it when HubSpot is connected. */
const callIdProperty = 'readyline_call_id';
/** The fact that HubSpot has that property. */
const hasCallId = 'call_id_property';
/** The longest body of a call is 65,536 characters; escaping makes up to five of one. */
const maxBody = 12_000;
const contactProperties = [
  'firstname',
  'lastname',
  'email',
  'phone',
  'mobilephone',
  'company',
  'lifecyclestage',
  'hs_lead_status',
  'hubspot_owner_id',
];

const typed = z.strictObject({
  access_token: credential('Access token', 'Of a service key or a private app, such as pat-eu1-…'),
});
const granted = z.strictObject({
  client_id: text('Client id', 'Of your HubSpot app'),
  client_secret: credential('Client secret', 'Of your HubSpot app; it signs HubSpot’s own webhooks, too'),
  refresh_token: credential('Refresh token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof typed> | z.infer<typeof granted>;

const api = apiBelow('');
const tokenUrl = ({ login }: Addresses) => `${login}/oauth/${version}/token`;
const objects = apiBelow(`/crm/objects/${version}/`);

/** Where people work, unless the operator has replaced it: then HubSpot's own links lead elsewhere. */
const usualApp = 'https://app.hubspot.com';

export const hubspot: Provider<Credentials> = {
  id: 'hubspot',
  name: 'HubSpot',
  credentials: z.union([typed, granted]),
  options: z.strictObject({}),
  addresses: () => ({ api: 'https://api.hubapi.com', login: 'https://api.hubapi.com', app: usualApp }),
  authentication: ({ credentials, addresses }) =>
    'access_token' in credentials
      ? { kind: 'fixed', headers: bearer(credentials.access_token) }
      : loginToken(credentials, (grant) => grantRequest(tokenUrl(addresses), credentials, grant)),
  authorization: {
    isApp,
    needsLogin,
    authorizeUrl: ({ credentials, addresses }, ask) =>
      urlOf(addresses.app, '/oauth/authorize', {
        ...loginQuery(appOf(credentials), ask),
        scope: 'oauth crm.objects.contacts.read crm.objects.contacts.write',
        // Without these it still works: tickets are not counted, calls have no owner, and once is looked up.
        optional_scope: 'crm.objects.owners.read crm.schemas.contacts.write tickets',
      }),
    codeRequest: ({ credentials, addresses }, answer) =>
      grantRequest(tokenUrl(addresses), appOf(credentials), codeGrant(answer)),
    parseCode: loggedIn,
  },
  // The smallest of the plans: 100 in 10 s; searches count for the whole account, whichever app sends them.
  limits: { all: { count: 90, perMs: 10_000 }, searches: { count: 4, perMs: 1_000 } },

  checkRequest: (site) => get(api(site, `/account-info/${version}/details`)),
  parseCheck: (response) => {
    const { portalId, uiDomain } = readObject(response.body);
    const portal = textOf(portalId, 'the number of the account');
    return { account: `HubSpot ${portal}`, facts: { portal, domain: textIn(uiDomain) ?? 'app.hubspot.com' } };
  },
  probes: (site) => [
    { ability: 'pull', request: get(objects(site, 'contacts', { limit: '1' })), needs: 'crm.objects.contacts.read' },
    // There is no such call: HubSpot says so to those who might change it.
    {
      ability: 'write_back',
      request: sendJson('PATCH', objects(site, 'calls/0'), { properties: {} }),
      needs: 'crm.objects.contacts.write',
    },
  ],

  // HubSpot keeps the national digits of a number in properties of their own.
  // One request: searches are what it has least of.
  searchRequests: ({ national, e164 }, site) => {
    // HubSpot keeps them as a number is kept: without the zero that numbers of some countries begin with.
    const digits = national.replace(/^0+/, '');
    const alternatives: Filter[] = [
      ['hs_searchable_calculated_phone_number', 'EQ', digits],
      ['hs_searchable_calculated_mobile_number', 'EQ', digits],
      ['phone', 'EQ', e164],
      ['mobilephone', 'EQ', e164],
      ['hs_searchable_calculated_phone_number', 'CONTAINS_TOKEN', `*${digits}`],
    ];
    return [
      [
        search(
          site,
          'contacts',
          alternatives.map((filter) => [filter]),
          { properties: contactProperties, limit: 10 },
        ),
      ],
    ];
  },
  parseSearch: (response) => objectsIn(readObject(response.body).results).map(recordOf),
  readRequest: ({ id }, site) =>
    get(objects(site, `contacts/${partOf(id)}`, { properties: contactProperties.join(',') })),
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: ({ id }, site) =>
    search(
      site,
      'tickets',
      [
        [
          ['associations.contact', 'EQ', id],
          ['closed_date', 'NOT_HAS_PROPERTY'],
        ],
      ],
      { limit: 1 },
    ),
  parseTickets: (response) => numberIn(readObject(response.body).total),
  recordUrl: ({ id, url }, { facts, addresses }) =>
    (addresses.app === usualApp ? url : null) ??
    `${webApp(facts, addresses.app)}/contacts/${facts.portal ?? ''}/record/0-1/${partOf(id)}`,

  logRequests: {
    object: 'call',
    once: 'native',
    prepare: {
      requests: (site) => [
        sendJson('POST', api(site, `/crm/properties/${version}/calls/groups`), {
          name: 'readyline',
          label: 'Readyline',
        }),
        sendJson('POST', api(site, `/crm/properties/${version}/calls`), {
          name: callIdProperty,
          label: 'Readyline call id',
          description: 'Keeps Readyline from logging a call twice.',
          groupName: 'readyline',
          type: 'string',
          fieldType: 'text',
          hasUniqueValue: true,
        }),
      ],
      needs: 'crm.schemas.contacts.write',
      fact: hasCallId,
    },
    find: (call, _record, site) =>
      site.facts[hasCallId] === 'yes'
        ? get(objects(site, `calls/${partOf(call.id)}`, { idProperty: callIdProperty }))
        : search(site, 'calls', [[['hs_timestamp', 'EQ', String(call.startedAt.getTime())]]], {
            properties: ['hs_call_body'],
            limit: 100,
          }),
    parseFound: (response, call) => {
      const found = readObject(response.body);
      const marked = markedEntry(objectsIn(found.results), call, ({ properties }) => [
        objectIn(properties)?.hs_call_body,
      ]);
      return textIn(found.id) ?? textIn(marked?.id);
    },
    create: (call, record, site) =>
      sendJson('POST', objects(site, 'calls'), {
        properties: {
          ...callProperties(call),
          [callIdProperty]: site.facts[hasCallId] === 'yes' ? call.id : undefined,
        },
        associations:
          record === null
            ? []
            : [
                {
                  to: { id: record.id },
                  types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: callToContact }],
                },
              ],
      }),
    parseCreated: (response) => textOf(readObject(response.body).id, 'the id of the call'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PATCH', objects(site, `calls/${partOf(id)}`), { properties: callProperties(call) }),
  },
  ownerRequest: (email, site) => get(api(site, `/crm/owners/${version}`, { email, limit: '1' })),
  parseOwner: (response, email) => textIn(userWith(email, objectsIn(readObject(response.body).results))?.id),

  signs: true,
  // Signature version 3: method, address, body and time, in base64; the address of the gateway has nothing to decode.
  verify: ({ method, url, headers, body, receivedAt }, secret) => {
    const at = headers['x-hubspot-request-timestamp'];
    if (at === undefined || secret === null) return 'missing';
    if (isStale(Number(at), receivedAt)) return 'stale';
    const expected = createHmac('sha256', secret).update(`${method}${url}`).update(body).update(at).digest('base64');
    return compare(headers['x-hubspot-signature-v3'], expected);
  },
  // A list from a subscription, one contact from a workflow.
  parseInbound: ({ body }) => {
    const notices = readJson(body.toString('utf8'));
    if (Array.isArray(notices)) return objectsIn(notices).map(noticeOf);
    return [
      { kind: 'record', record: recordOf(objectIn(notices) ?? unreadable('Expected a list or a contact.')), key: null },
    ];
  },
  inboundAnswer: null,

  classify,
};

/** What has a property in common: its value, its end, or that it is empty. */
type Filter = [property: string, operator: 'EQ' | 'CONTAINS_TOKEN' | 'NOT_HAS_PROPERTY', value?: string];

/** @param alternatives all filters of one of them hold */
function search(
  site: Site<Credentials>,
  objectType: string,
  alternatives: Filter[][],
  more: { properties?: string[]; limit: number },
) {
  const filterGroups = alternatives.map((filters) => ({
    filters: filters.map(([propertyName, operator, value]) => ({ propertyName, operator, value })),
  }));
  return asSearch(sendJson('POST', objects(site, `${objectType}/search`), { filterGroups, ...more }));
}

function recordOf(contact: JsonObject): CrmRecord {
  const properties = objectIn(contact.properties) ?? {};
  // Workflows send each property as an object, and the id by its old name.
  const value = (name: string) => objectIn(properties[name])?.value ?? properties[name];
  return recordFrom({
    object: 'contact',
    id: contact.id ?? contact.vid,
    name: fullName(value('firstname'), value('lastname')),
    email: value('email'),
    phones: [value('phone'), value('mobilephone')],
    details: {
      company: value('company'),
      lifecycle_stage: value('lifecyclestage'),
      lead_status: value('hs_lead_status'),
    },
    url: linkIn(contact.url),
  });
}

function webApp(facts: Site<Credentials>['facts'], app: string): string {
  // Accounts outside of the United States have a host of their own, which HubSpot tells when it is connected.
  return app === usualApp && /^app(-[a-z0-9]+)?\.hubspot\.com$/.test(facts.domain ?? '')
    ? `https://${facts.domain}`
    : app;
}

function callProperties(call: FinishedCall) {
  return {
    hs_timestamp: call.startedAt.toISOString(),
    hs_call_title: callTitle(call),
    hs_call_body: callHtml(call, maxBody),
    hs_call_direction: call.direction === 'inbound' ? 'INBOUND' : 'OUTBOUND',
    hs_call_status: statusOf(call.endReason).toUpperCase(),
    hs_call_duration: String(call.durationSeconds * 1_000),
    hs_call_from_number: call.from,
    hs_call_to_number: call.to,
    // A disposition that the portal does not have is refused; without one the title says it.
    hs_call_disposition: call.disposition?.externalValue ?? undefined,
    hubspot_owner_id: call.agent.ownerId ?? undefined,
  };
}

/** HubSpot's words are the gateway's own, but for a call that was rejected or handed on. */
function statusOf(endReason: FinishedCall['endReason']): string {
  if (endReason === 'rejected') return 'canceled';
  return endReason === 'transferred' ? 'completed' : endReason;
}

function noticeOf(notice: JsonObject): Inbound {
  const type = textIn(notice.subscriptionType) ?? '';
  const id = textIn(notice.objectId);
  const isContact = type.startsWith('contact.') || (type.startsWith('object.') && notice.objectTypeId === '0-1');
  if (id === null || !isContact) return { kind: 'ignored' };
  // HubSpot does not promise that eventId is unique.
  const key = [notice.portalId, notice.subscriptionId, id, notice.occurredAt, notice.propertyName ?? type]
    .map((part) => textIn(part) ?? '')
    .join(' ');
  const isGone = type.endsWith('.deletion') || type.endsWith('.privacyDeletion');
  return { kind: isGone ? 'deleted' : 'reference', reference: { object: 'contact', id }, key };
}

/** How long to wait by the limit that was met; HubSpot seldom says. */
const waitsMs = new Map([
  ['SECONDLY', 1_000],
  ['TEN_SECONDLY_ROLLING', 10_000],
  ['DAILY', 3_600_000],
]);

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const [first] = objectsIn(body?.errors);
  const context = objectIn(first?.context);
  return failureOf(response, {
    words: textIn(body?.message) ?? textIn(body?.error_description),
    kind: meaningOf(response, body),
    field: namesIn(context?.propertyName) ?? textIn(first?.in),
    permission: namesIn(context?.requiredGranularScopes) ?? namesIn(context?.requiredScopes),
    waitMs: waitsMs.get(textIn(body?.policyName) ?? ''),
  });
}

function meaningOf({ status, body: text }: CrmResponse, body: JsonObject | null) {
  if (isRefusedGrant(body?.error) || body?.status === 'BAD_REFRESH_TOKEN') return 'unauthorized';
  // The account is being moved to another data centre.
  if (status === 477) return 'unavailable';
  return status !== 429 && text.includes('CONFLICTING_UNIQUE_VALUE') ? 'exists' : null;
}
