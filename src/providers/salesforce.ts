import { z } from 'zod';
import { bearer, checkSecret, failureOf, get, isPage, type JsonObject, numberIn, objectIn, objectsIn, readObject, secretHeader, sendForm, sendJson, textIn, textsIn, tokenIn, tryJson, unreadable, urlOf, wordsOf } from './exchange.ts';
import { callBody, callMark, callTitle } from './callText.ts';
import { credential, text, vendorHost } from './fields.ts';
import type { CrmFailure, CrmResponse, FinishedCall, Provider, Site } from './provider.ts';
import { isSoap, noticesIn } from './salesforceNotices.ts';
import { fieldsOf, hasLeads, objectOf, objectsAt, people, recordOf } from './salesforceRecords.ts';
import { anyNumber, digitsOnly, quoted } from './soql.ts';

/** Of Salesforce's REST interface, in every path. */
const data = '/services/data/v62.0';
/** The fact that the account may use the fields of Task that are about calls. */
const hasCallFields = 'call_fields';
const callFields = ['CallObject', 'CallType', 'CallDurationInSeconds', 'CallDisposition'];
/** Salesforce's longest description of a Task. Characters. */
const maxDescription = 32_000;

const credentials = z.strictObject({
  domain: vendorHost('My Domain', 'Such as acme.my.salesforce.com; sandboxes too: acme--test.sandbox.my.salesforce.com', ['.my.salesforce.com']),
  client_id: text('Consumer key', 'Of your External Client App'),
  client_secret: credential('Consumer secret', 'Of the same app'),
});
type Credentials = z.infer<typeof credentials>;

/** A field of Contact, or of a record that it leads to; it becomes a part of queries. */
const fieldName = (title: string, description: string, usual: string) =>
  z
    .string()
    .trim()
    .max(200)
    .regex(/^(?:[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)?$/, { error: 'must be the API name of a field, such as Account.Rating' })
    .default(usual)
    .meta({ title, description });

const options = z.strictObject({
  account_number_field: fieldName('Account number', 'API name of the field of Contact; empty: none', 'Account.AccountNumber'),
  tier_field: fieldName('Tier', 'API name of the field of Contact; empty: none', 'Account.Rating'),
  completed_status: text('Status of finished calls', 'One of your values of Task Status that count as closed').default('Completed'),
});

type AtSite = Site<Credentials>;
const query = ({ addresses }: AtSite, soql: string) => get(urlOf(addresses.api, `${data}/query`, { q: soql }));

export const salesforce: Provider<Credentials> = {
  id: 'salesforce',
  name: 'Salesforce',
  credentials,
  options,
  addresses: ({ domain }) => ({ api: `https://${domain}`, login: `https://${domain}`, app: `https://${domain}` }),
  authentication: ({ credentials: { client_id, client_secret }, addresses }) => ({
    kind: 'token',
    tokenRequest: () => sendForm(`${addresses.login}/services/oauth2/token`, { grant_type: 'client_credentials', client_id, client_secret }),
    // How long it lives is a setting of the organization and not told.
    parseToken: (response) => ({ ...tokenIn(response), api: vendorOrigin(textIn(readObject(response.body).instance_url)) }),
    headers: ({ accessToken }) => bearer(accessToken),
  }),
  authorization: null,
  // What counts is a day's total, which depends on the licences; this keeps one company from spending it in an hour.
  limits: { all: { count: 200, perMs: 10_000 }, searches: null },

  checkRequest: (site) => query(site, 'SELECT Id,Name FROM Organization LIMIT 1'),
  parseCheck: (response) => {
    const [organization] = recordsIn(response);
    const id = textIn(organization?.Id) ?? unreadable('Expected the id of the organization.');
    return { account: `${textIn(organization?.Name) ?? 'Salesforce'} (${id})`, facts: { organization: id } };
  },
  probes: (site) => [
    { ability: 'pull', request: query(site, `SELECT ${fieldsOf('Contact', site)} FROM Contact LIMIT 1`), needs: 'Read on Contact and Account' },
    { ability: 'pull', request: query(site, `SELECT ${fieldsOf('Lead', site)} FROM Lead LIMIT 1`), needs: 'Read on Lead', fact: hasLeads },
    { ability: 'write_back', request: query(site, 'SELECT Id,Description FROM Task LIMIT 1'), needs: 'Access Activities and Edit Tasks' },
    // Salesforce shows these fields to users of its call centres only, and refuses a Task as a whole that names a field it does not show.
    {
      ability: 'write_back',
      request: query(site, `SELECT ${callFields.join(',')} FROM Task LIMIT 1`),
      needs: `the fields ${callFields.join(', ')} of Task`,
      fact: hasCallFields,
    },
  ],

  // The search index ignores how a number is written, and lags behind; the query is exact, and knows what was just typed.
  searchRequests: ({ national, digits, written }, site) => [
    [get(urlOf(site.addresses.api, `${data}/search`, { q: soslOf([national, digits], site) }))],
    objectsAt(site).map((object) => query(site, `SELECT ${fieldsOf(object, site)} FROM ${object} WHERE ${anyNumber(people[object].phones, written)}${people[object].only} LIMIT 5`)),
  ],
  parseSearch: (response, site) => {
    const body = readObject(response.body);
    const found = body.searchRecords ?? body.records;
    return Array.isArray(found) ? objectsIn(found).flatMap((one) => recordOf(one, site) ?? []) : unreadable('Expected records.');
  },
  readRequest: ({ id }, site) =>
    query(site, `SELECT ${fieldsOf(objectOf(id), site)} FROM ${objectOf(id)} WHERE Id=${quoted(id)} LIMIT 1`),
  parseRecord: (response, _reference, site) => {
    const [record] = recordsIn(response);
    return record === undefined ? null : recordOf(record, site);
  },
  ticketsRequest: ({ id }, site) =>
    objectOf(id) === 'Contact' ? query(site, `SELECT COUNT() FROM Case WHERE ContactId=${quoted(id)} AND IsClosed=false`) : null,
  parseTickets: (response) => numberIn(readObject(response.body).totalSize),
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/lightning/r/${objectOf(id)}/${encodeURIComponent(id)}/view`,

  logRequests: {
    object: 'Task',
    once: 'looked_up',
    find: (call, record, site) =>
      query(
        site,
        site.facts[hasCallFields] !== 'yes'
          ? `SELECT Id,Description FROM Task WHERE WhoId=${record === null ? 'null' : quoted(record.id)} AND CreatedDate>=${dayBefore(call)} ORDER BY CreatedDate DESC LIMIT 100`
          : `SELECT Id,Description,CallObject FROM Task WHERE CallObject=${quoted(call.id)} LIMIT 1`,
      ),
    parseFound: (response, call) =>
      textIn(recordsIn(response).find(({ CallObject, Description }) => CallObject === call.id || isMarked(textIn(Description), call))?.Id),
    create: (call, record, site) =>
      sendJson('POST', `${site.addresses.api}${data}/sobjects/Task`, {
        ...taskOf(call, site),
        WhoId: record?.id,
        OwnerId: call.agent.ownerId ?? undefined,
        TaskSubtype: 'Call',
        Status: site.options.completed_status ?? 'Completed',
        Priority: 'Normal',
        ActivityDate: call.startedAt.toISOString().slice(0, 10),
        ...(site.facts[hasCallFields] !== 'yes'
          ? {}
          : { CallObject: call.id, CallType: call.direction === 'inbound' ? 'Inbound' : 'Outbound', CallDurationInSeconds: call.durationSeconds }),
      }),
    parseCreated: (response) => textIn(readObject(response.body).id) ?? unreadable('Expected the id of the Task.'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PATCH', `${site.addresses.api}${data}/sobjects/Task/${encodeURIComponent(id)}`, taskOf(call, site)),
  },
  ownerRequest: (email, site) => query(site, `SELECT Id,Email FROM User WHERE Email=${quoted(email)} AND IsActive=true LIMIT 5`),
  parseOwner: (response, email) =>
    textIn(recordsIn(response).find((user) => textIn(user.Email)?.toLowerCase() === email.toLowerCase())?.Id),

  signs: false,
  // Outbound Messages can carry no header of the admin's: for them the address is the secret. Flows can.
  verify: (request, secret) => (isSoap(request.headers) && request.headers[secretHeader] === undefined ? 'ok' : checkSecret(request, secret)),
  parseInbound: noticesIn,
  // Anything else makes Salesforce repeat an Outbound Message for a day; Flows look at the status alone.
  inboundAnswer: {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    body:
      '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
      '<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse>' +
      '</soapenv:Body></soapenv:Envelope>',
  },

  classify,
};

/** The organization's own address, if Salesforce names one of its own in its answer. */
function vendorOrigin(url: string | null): string | null {
  const host = url === null ? null : /^https:\/\/([a-z0-9.-]+)\/?$/i.exec(url)?.[1]?.toLowerCase();
  return host?.endsWith('.salesforce.com') ? `https://${host}` : null;
}

function soslOf(numbers: string[], site: AtSite): string {
  const terms = textsIn(...numbers.map(digitsOnly)).join(' OR ');
  const returning = objectsAt(site).map((object) => `${object}(${fieldsOf(object, site)}${object === 'Lead' ? ' WHERE IsConverted=false' : ''} LIMIT 5)`);
  return `FIND {${terms}} IN PHONE FIELDS RETURNING ${returning.join(',')}`;
}

function recordsIn(response: CrmResponse): JsonObject[] {
  const { records } = readObject(response.body);
  return Array.isArray(records) ? objectsIn(records) : unreadable('Expected records.');
}

/** What a Task says of a call, now and after later notes. */
function taskOf(call: FinishedCall, { facts }: AtSite) {
  const disposition = call.disposition?.externalValue ?? call.disposition?.label;
  return {
    Subject: callTitle(call),
    Description: callBody(call, maxDescription),
    CallDisposition: facts[hasCallFields] !== 'yes' ? undefined : disposition?.slice(0, 255),
  };
}

function isMarked(description: string | null, call: FinishedCall): boolean {
  return description?.split(/\r?\n/).includes(callMark(call)) ?? false;
}

/** As SOQL writes a time; a day's difference of clocks is none. */
function dayBefore({ startedAt }: FinishedCall): string {
  return new Date(startedAt.getTime() - 86_400_000).toISOString();
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = tryJson(response.body);
  const error = objectsIn(body)[0] ?? objectIn(body);
  const code = textIn(error?.errorCode) ?? textIn(error?.error) ?? '';
  const words = textIn(error?.message) ?? textIn(error?.error_description);
  const failure = failureOf(response, words);
  if (failure === null) return isPage(response) ? { kind: 'unavailable', message: 'A page came instead of an answer: is the domain right?' } : null;
  const message = code === '' || words === null ? failure.message : wordsOf(`${code}: ${words}`, response);
  // Limits come as 403.
  if (code === 'REQUEST_LIMIT_EXCEEDED') return { kind: 'rate_limited', message, retryAfterMs: 15 * 60_000 };
  if (code === 'UNABLE_TO_LOCK_ROW' || code === 'SERVER_UNAVAILABLE' || code === 'QUERY_TIMEOUT') return { kind: 'unavailable', message };
  if (code === 'INVALID_SESSION_ID' || code.startsWith('invalid_client') || code === 'invalid_grant') return { kind: 'unauthorized', message };
  if (code === 'DUPLICATE_VALUE') return { kind: 'exists', message };
  const column = /No such column '([^']{1,200})' on (entity|sobject)/.exec(words ?? '');
  // Whoever may not see a field or an object is told that it does not exist.
  if (column?.[2] === 'entity') return { kind: 'forbidden', message, permission: `the field ${column[1]}` };
  if (code === 'INVALID_TYPE' || code.startsWith('INSUFFICIENT_ACCESS')) return { kind: 'forbidden', message, permission: null };
  if (failure.kind === 'invalid') return { ...failure, message, field: column?.[1] ?? (Array.isArray(error?.fields) ? (textsIn(...error.fields)[0] ?? null) : null) };
  return { ...failure, message };
}
