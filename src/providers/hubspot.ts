import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  bearer,
  compare,
  detailsOf,
  escapeHtml,
  failureOf,
  fullName,
  get,
  isStale,
  type JsonObject,
  numberIn,
  objectIn,
  objectsIn,
  readJson,
  readObject,
  sendForm,
  sendJson,
  textIn,
  textsIn,
  tryJson,
  unreadable,
  urlOf,
} from './exchange.ts';
import { callBody, callTitle } from './callText.ts';
import { credential, text } from './fields.ts';
import type { CrmFailure, CrmRecord, CrmResponse, FinishedCall, Inbound, Provider, Site } from './provider.ts';

/** The version of HubSpot's interface, in every path; each is served for 18 months. */
const version = '2026-09';
/** Of a call to a contact, as HubSpot defines it. */
const callToContact = 194;
/** The property of calls that holds the gateway's own id; the gateway makes it when HubSpot is connected. */
const callIdProperty = 'readyline_call_id';
const contactProperties = ['firstname', 'lastname', 'email', 'phone', 'mobilephone', 'company', 'lifecyclestage', 'hs_lead_status', 'hubspot_owner_id'];

const typed = z.strictObject({ access_token: credential('Access token', 'Of a service key or a private app, such as pat-eu1-…') });
const granted = z.strictObject({
  client_id: text('Client id', 'Of your HubSpot app'),
  client_secret: credential('Client secret', 'Of your HubSpot app; it signs HubSpot’s own webhooks, too'),
  refresh_token: credential('Refresh token', 'Kept by the gateway when you log in').optional(),
});
type Credentials = z.infer<typeof typed> | z.infer<typeof granted>;

const api = ({ addresses }: Site<Credentials>, path: string, query?: Record<string, string | undefined>) => urlOf(addresses.api, path, query);

export const hubspot: Provider<Credentials> = {
  id: 'hubspot',
  name: 'HubSpot',
  credentials: z.union([typed, granted]),
  options: z.strictObject({}),
  addresses: () => ({ api: 'https://api.hubapi.com', login: 'https://api.hubapi.com', app: 'https://app.hubspot.com' }),
  authentication: ({ credentials, addresses }) =>
    'access_token' in credentials
      ? { kind: 'fixed', headers: bearer(credentials.access_token) }
      : {
          kind: 'token',
          tokenRequest: (refreshToken) =>
            tokenRequest(addresses.login, credentials, { grant_type: 'refresh_token', refresh_token: refreshToken ?? credentials.refresh_token ?? '' }),
          parseToken,
          headers: ({ accessToken }) => bearer(accessToken),
        },
  authorization: {
    authorizeUrl: ({ credentials, addresses }, { redirectUri, state, codeChallenge }) =>
      urlOf(addresses.app, '/oauth/authorize', {
        client_id: clientOf(credentials).client_id,
        redirect_uri: redirectUri,
        scope: 'crm.objects.contacts.read crm.objects.contacts.write tickets oauth',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }),
    codeRequest: ({ credentials, addresses }, { redirectUri, code, codeVerifier }) =>
      tokenRequest(addresses.login, clientOf(credentials), {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code,
        code_verifier: codeVerifier,
      }),
    parseCode: (response, credentials) => {
      const { refreshToken } = parseToken(response);
      return { ...clientOf(credentials), refresh_token: refreshToken ?? unreadable('Expected a refresh token.') };
    },
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
    { ability: 'write_back', request: get(api(site, `/crm/objects/${version}/calls`, { limit: '1' })), needs: 'crm.objects.contacts.write' },
  ],

  // HubSpot keeps the national digits of a number in properties of their own. One request: searches are what it has least of.
  searchRequests: ({ national, e164 }, site) => [
    [
      search(site, [
        ['hs_searchable_calculated_phone_number', 'EQ', national],
        ['hs_searchable_calculated_mobile_number', 'EQ', national],
        ['phone', 'EQ', e164],
        ['mobilephone', 'EQ', e164],
        ['hs_searchable_calculated_phone_number', 'CONTAINS_TOKEN', `*${national}`],
      ]),
    ],
  ],
  parseSearch: (response) => objectsIn(readObject(response.body).results).map(recordOf),
  readRequest: ({ id }, site) =>
    get(api(site, `/crm/objects/${version}/contacts/${encodeURIComponent(id)}`, { properties: contactProperties.join(',') })),
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: ({ id }, site) =>
    sendJson('POST', api(site, `/crm/objects/${version}/tickets/search`), {
      filterGroups: [
        {
          filters: [
            { propertyName: 'associations.contact', operator: 'EQ', value: id },
            { propertyName: 'hs_is_closed', operator: 'EQ', value: 'false' },
          ],
        },
      ],
      limit: 1,
    }),
  parseTickets: (response) => numberIn(readObject(response.body).total),
  recordUrl: ({ id, url }, { facts, addresses }) =>
    url ?? `${appOf(facts, addresses.app)}/contacts/${facts.portal ?? ''}/record/0-1/${encodeURIComponent(id)}`,

  logRequests: {
    object: 'call',
    once: 'native',
    find: (call, _record, site) =>
      get(api(site, `/crm/objects/${version}/calls/${encodeURIComponent(call.id)}`, { idProperty: callIdProperty })),
    parseFound: (response) => textIn(readObject(response.body).id),
    create: (call, record, site) =>
      sendJson('POST', api(site, `/crm/objects/${version}/calls`), {
        properties: { ...callProperties(call), [callIdProperty]: call.id },
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
  parseInbound: ({ body }) => {
    const notices = readJson(body.toString('utf8'));
    return Array.isArray(notices) ? objectsIn(notices).map(noticeOf) : [{ kind: 'record', record: recordOf(readObject(body.toString('utf8'))), key: null }];
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

function parseToken(response: CrmResponse) {
  const { access_token, expires_in, refresh_token } = readObject(response.body);
  return {
    accessToken: textIn(access_token) ?? unreadable('Expected an access token.'),
    expiresInSeconds: numberIn(expires_in),
    refreshToken: textIn(refresh_token),
    api: null,
  };
}

/** Contacts in which one of the properties matches; groups of filters are alternatives. */
function search(site: Site<Credentials>, alternatives: [property: string, operator: 'EQ' | 'CONTAINS_TOKEN', value: string][]) {
  return sendJson('POST', api(site, `/crm/objects/${version}/contacts/search`), {
    filterGroups: alternatives.map(([propertyName, operator, value]) => ({ filters: [{ propertyName, operator, value }] })),
    properties: contactProperties,
    limit: 10,
  });
}

function recordOf(contact: JsonObject): CrmRecord {
  const properties = objectIn(contact.properties) ?? {};
  return {
    object: 'contact',
    id: textIn(contact.id) ?? unreadable('Expected the id of a contact.'),
    name: fullName(properties.firstname, properties.lastname),
    email: textIn(properties.email),
    phones: textsIn(properties.phone, properties.mobilephone),
    accountNumber: null,
    tier: null,
    details: detailsOf({ company: properties.company, lifecycle_stage: properties.lifecyclestage, lead_status: properties.hs_lead_status }),
    url: textIn(contact.url),
  };
}

function appOf(facts: Site<Credentials>['facts'], app: string): string {
  // Accounts outside of the United States have a host of their own, which HubSpot tells when it is connected.
  return app === 'https://app.hubspot.com' && /^app(-[a-z0-9]+)?\.hubspot\.com$/.test(facts.domain ?? '') ? `https://${facts.domain}` : app;
}

function callProperties(call: FinishedCall) {
  return {
    hs_timestamp: call.startedAt.toISOString(),
    hs_call_title: callTitle(call),
    hs_call_body: escapeHtml(callBody(call)).replaceAll('\n', '<br>'),
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

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const failure = failureOf(response, textIn(body?.message) ?? textIn(body?.error_description));
  if (failure === null) return null;
  const { message } = failure;
  if (body?.error === 'invalid_grant' || body?.status === 'BAD_REFRESH_TOKEN') return { kind: 'unauthorized', message };
  if (failure.kind === 'rate_limited') {
    const waits: Record<string, number> = { SECONDLY: 1_000, TEN_SECONDLY_ROLLING: 10_000, DAILY: 3_600_000 };
    return { ...failure, retryAfterMs: failure.retryAfterMs ?? waits[textIn(body?.policyName) ?? ''] ?? null };
  }
  if (response.body.includes('CONFLICTING_UNIQUE_VALUE')) return { kind: 'exists', message };
  const [first] = objectsIn(body?.errors);
  if (failure.kind === 'invalid') return { ...failure, field: textIn(objectIn(first?.context)?.propertyName) ?? textIn(first?.in) };
  if (failure.kind === 'forbidden') {
    const scopes = objectIn(first?.context)?.requiredGranularScopes;
    return { ...failure, permission: Array.isArray(scopes) ? textsIn(...scopes).join(', ') : null };
  }
  return failure;
}
