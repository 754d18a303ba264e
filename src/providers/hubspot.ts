import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { bearer, codeGrant, compare, detailsOf, escapeHtml, failureOf, fullName, get, isStale, type Json, type JsonObject, linkIn, loginQuery, numberIn, objectIn, objectsIn, readJson, readObject, refreshTokenIn, searchJson, sendForm, sendJson, textIn, textsIn, tokenIn, tryJson, unreadable, urlOf } from './exchange.ts';
import { callBody, callMark, callTitle } from './callText.ts';
import { credential, text } from './fields.ts';
import type { CrmFailure, CrmRecord, CrmResponse, FinishedCall, Inbound, Provider, Site } from './provider.ts';

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
const contactProperties = ['firstname', 'lastname', 'email', 'phone', 'mobilephone', 'company', 'lifecyclestage', 'hs_lead_status', 'hubspot_owner_id'];

const typed = z.strictObject({ access_token: credential('Access token', 'Of a service key or a private app, such as pat-eu1-…') });
const granted = z.strictObject({
  client_id: text('Client id', 'Of your HubSpot app'),
  client_secret: credential('Client secret', 'Of your HubSpot app; it signs HubSpot’s own webhooks, too'),
  refresh_token: credential('Refresh token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof typed> | z.infer<typeof granted>;

const api = ({ addresses }: Site<Credentials>, path: string, query?: Record<string, string | undefined>) => urlOf(addresses.api, path, query);

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
      : {
          kind: 'token',
          tokenRequest: (refreshToken) =>
            tokenRequest(addresses.login, credentials, { grant_type: 'refresh_token', refresh_token: refreshToken ?? credentials.refresh_token ?? '' }),
          parseToken: tokenIn,
          headers: ({ accessToken }) => bearer(accessToken),
        },
  authorization: {
    needsLogin: (credentials) => 'client_id' in credentials && credentials.refresh_token === undefined,
    authorizeUrl: ({ credentials, addresses }, ask) =>
      urlOf(addresses.app, '/oauth/authorize', {
        client_id: clientOf(credentials).client_id,
        ...loginQuery(ask),
        scope: 'oauth crm.objects.contacts.read crm.objects.contacts.write',
        // Without these it still works: tickets are not counted, calls have no owner, and once is looked up.
        optional_scope: 'crm.objects.owners.read crm.schemas.contacts.write tickets',
      }),
    codeRequest: ({ credentials, addresses }, answer) => tokenRequest(addresses.login, clientOf(credentials), codeGrant(answer)),
    parseCode: (response, credentials) => ({ ...clientOf(credentials), refresh_token: refreshTokenIn(response) }),
  },
  // The smallest of the plans: 100 in 10 s; searches count for the whole account, whichever app sends them.
  limits: { all: { count: 90, perMs: 10_000 }, searches: { count: 4, perMs: 1_000 } },

  checkRequest: (site) => get(api(site, `/account-info/${version}/details`)),
  parseCheck: (response) => {
    const { portalId, uiDomain } = readObject(response.body);
    const portal = textIn(portalId) ?? unreadable('Expected the number of the account.');
    return { account: `HubSpot ${portal}`, facts: { portal, domain: textIn(uiDomain) ?? 'app.hubspot.com' } };
  },
  probes: (site) => [
    { ability: 'pull', request: get(api(site, `/crm/objects/${version}/contacts`, { limit: '1' })), needs: 'crm.objects.contacts.read' },
    // There is no such call: HubSpot says so to those who might change it.
    {
      ability: 'write_back',
      request: sendJson('PATCH', api(site, `/crm/objects/${version}/calls/0`), { properties: {} }),
      needs: 'crm.objects.contacts.write',
    },
  ],

  // HubSpot keeps the national digits of a number in properties of their own. One request: searches are what it has least of.
  searchRequests: ({ national, e164 }, site) => {
    // HubSpot keeps them as a number is kept: without the zero that numbers of some countries begin with.
    const digits = national.replace(/^0+/, '');
    return [
      [
        search(site, [
          ['hs_searchable_calculated_phone_number', 'EQ', digits],
          ['hs_searchable_calculated_mobile_number', 'EQ', digits],
          ['phone', 'EQ', e164],
          ['mobilephone', 'EQ', e164],
          ['hs_searchable_calculated_phone_number', 'CONTAINS_TOKEN', `*${digits}`],
        ]),
      ],
    ];
  },
  parseSearch: (response) => objectsIn(readObject(response.body).results).map(recordOf),
  readRequest: ({ id }, site) =>
    get(api(site, `/crm/objects/${version}/contacts/${encodeURIComponent(id)}`, { properties: contactProperties.join(',') })),
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: ({ id }, site) =>
    searchJson(api(site, `/crm/objects/${version}/tickets/search`), {
      filterGroups: [
        {
          filters: [
            { propertyName: 'associations.contact', operator: 'EQ', value: id },
            { propertyName: 'closed_date', operator: 'NOT_HAS_PROPERTY' },
          ],
        },
      ],
      limit: 1,
    }),
  parseTickets: (response) => numberIn(readObject(response.body).total),
  recordUrl: ({ id, url }, { facts, addresses }) =>
    (addresses.app === usualApp ? url : null) ?? `${appOf(facts, addresses.app)}/contacts/${facts.portal ?? ''}/record/0-1/${encodeURIComponent(id)}`,

  logRequests: {
    object: 'call',
    once: 'native',
    prepare: {
      requests: (site) => [
        sendJson('POST', api(site, `/crm/properties/${version}/calls/groups`), { name: 'readyline', label: 'Readyline' }),
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
        ? get(api(site, `/crm/objects/${version}/calls/${encodeURIComponent(call.id)}`, { idProperty: callIdProperty }))
        : searchJson(api(site, `/crm/objects/${version}/calls/search`), {
            filterGroups: [{ filters: [{ propertyName: 'hs_timestamp', operator: 'EQ', value: String(call.startedAt.getTime()) }] }],
            properties: ['hs_call_body'],
            limit: 100,
          }),
    parseFound: (response, call) => {
      const found = readObject(response.body);
      const marked = objectsIn(found.results).find((one) => textIn(objectIn(one.properties)?.hs_call_body)?.includes(callMark(call)));
      return textIn(found.id) ?? textIn(marked?.id);
    },
    create: (call, record, site) =>
      sendJson('POST', api(site, `/crm/objects/${version}/calls`), {
        properties: { ...callProperties(call), [callIdProperty]: site.facts[hasCallId] === 'yes' ? call.id : undefined },
        associations:
          record === null
            ? []
            : [{ to: { id: record.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: callToContact }] }],
      }),
    parseCreated: (response) => textIn(readObject(response.body).id) ?? unreadable('Expected the id of the call.'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PATCH', api(site, `/crm/objects/${version}/calls/${encodeURIComponent(id)}`), { properties: callProperties(call) }),
  },
  ownerRequest: (email, site) => get(api(site, `/crm/owners/${version}`, { email, limit: '1' })),
  parseOwner: (response, email) =>
    textIn(objectsIn(readObject(response.body).results).find((owner) => textIn(owner.email)?.toLowerCase() === email.toLowerCase())?.id),

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
    return [{ kind: 'record', record: recordOf(objectIn(notices) ?? unreadable('Expected a list or a contact.')), key: null }];
  },
  inboundAnswer: null,

  classify,
};

function clientOf(credentials: Credentials): z.infer<typeof granted> {
  return 'client_id' in credentials ? credentials : unreadable('Logging in needs the id and secret of an app.');
}

function tokenRequest(login: string, { client_id, client_secret }: z.infer<typeof granted>, fields: Record<string, string>) {
  return sendForm(`${login}/oauth/${version}/token`, { ...fields, client_id, client_secret });
}

/** Contacts in which one of the properties matches; groups of filters are alternatives. */
function search(site: Site<Credentials>, alternatives: [property: string, operator: 'EQ' | 'CONTAINS_TOKEN', value: string][]) {
  return searchJson(api(site, `/crm/objects/${version}/contacts/search`), {
    filterGroups: alternatives.map(([propertyName, operator, value]) => ({ filters: [{ propertyName, operator, value }] })),
    properties: contactProperties,
    limit: 10,
  });
}

function recordOf(contact: JsonObject): CrmRecord {
  const properties = objectIn(contact.properties) ?? {};
  // Workflows send each property as an object, and the id by its old name.
  const value = (name: string) => objectIn(properties[name])?.value ?? properties[name];
  return {
    object: 'contact',
    id: textIn(contact.id ?? contact.vid) ?? unreadable('Expected the id of a contact.'),
    name: fullName(value('firstname'), value('lastname')),
    email: textIn(value('email')),
    phones: textsIn(value('phone'), value('mobilephone')),
    accountNumber: null,
    tier: null,
    details: detailsOf({ company: value('company'), lifecycle_stage: value('lifecyclestage'), lead_status: value('hs_lead_status') }),
    url: linkIn(contact.url),
  };
}

function appOf(facts: Site<Credentials>['facts'], app: string): string {
  // Accounts outside of the United States have a host of their own, which HubSpot tells when it is connected.
  return app === usualApp && /^app(-[a-z0-9]+)?\.hubspot\.com$/.test(facts.domain ?? '') ? `https://${facts.domain}` : app;
}

function callProperties(call: FinishedCall) {
  return {
    hs_timestamp: call.startedAt.toISOString(),
    hs_call_title: callTitle(call),
    hs_call_body: escapeHtml(callBody(call, maxBody)).replaceAll('\n', '<br>'),
    hs_call_direction: call.direction === 'inbound' ? 'INBOUND' : 'OUTBOUND',
    hs_call_status: statuses[call.endReason],
    hs_call_duration: String(call.durationSeconds * 1_000),
    hs_call_from_number: call.from,
    hs_call_to_number: call.to,
    // A disposition that the portal does not have is refused; without one the title says it.
    hs_call_disposition: call.disposition?.externalValue ?? undefined,
    hubspot_owner_id: call.agent.ownerId ?? undefined,
  };
}

const statuses: Record<FinishedCall['endReason'], string> = {
  completed: 'COMPLETED',
  busy: 'BUSY',
  no_answer: 'NO_ANSWER',
  missed: 'MISSED',
  rejected: 'CANCELED',
  canceled: 'CANCELED',
  failed: 'FAILED',
};

function noticeOf(notice: JsonObject): Inbound {
  const type = textIn(notice.subscriptionType) ?? '';
  const id = textIn(notice.objectId);
  const isContact = type.startsWith('contact.') || (type.startsWith('object.') && notice.objectTypeId === '0-1');
  if (id === null || !isContact) return { kind: 'ignored' };
  // HubSpot does not promise that eventId is unique.
  const key = [notice.portalId, notice.subscriptionId, id, notice.occurredAt, notice.propertyName ?? type].map((part) => textIn(part) ?? '').join(' ');
  const reference = { object: 'contact', id };
  return type.endsWith('.deletion') || type.endsWith('.privacyDeletion') ? { kind: 'deleted', reference, key } : { kind: 'reference', reference, key };
}

/** How long to wait by the limit that was met; HubSpot seldom says. */
const waitsMs = new Map([
  ['SECONDLY', 1_000],
  ['TEN_SECONDLY_ROLLING', 10_000],
  ['DAILY', 3_600_000],
]);

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const failure = failureOf(response, textIn(body?.message) ?? textIn(body?.error_description));
  if (failure === null) return null;
  const { message } = failure;
  if (body?.error === 'invalid_grant' || body?.status === 'BAD_REFRESH_TOKEN') return { kind: 'unauthorized', message };
  if (failure.kind === 'rate_limited') {
    return { ...failure, retryAfterMs: failure.retryAfterMs ?? waitsMs.get(textIn(body?.policyName) ?? '') ?? null };
  }
  // The account is being moved to another data centre.
  if (response.status === 477) return { kind: 'unavailable', message };
  if (response.body.includes('CONFLICTING_UNIQUE_VALUE')) return { kind: 'exists', message };
  const [first] = objectsIn(body?.errors);
  const context = objectIn(first?.context);
  if (failure.kind === 'invalid') return { ...failure, field: wordIn(context?.propertyName) ?? textIn(first?.in) };
  if (failure.kind === 'forbidden') return { ...failure, permission: wordIn(context?.requiredGranularScopes) ?? wordIn(context?.requiredScopes) };
  return failure;
}

/** What the context of an error names: one thing, or a list of them. */
function wordIn(value: Json | undefined): string | null {
  const words = Array.isArray(value) ? textsIn(...value) : textsIn(value);
  return words.length === 0 ? null : words.join(', ');
}
