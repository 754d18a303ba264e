import { z } from 'zod';
import {
  type JsonObject,
  namesIn,
  numberIn,
  objectIn,
  objectsIn,
  readObject,
  rowsOf,
  textIn,
  textOf,
  textsIn,
  tryJson,
} from './answers.ts';
import { callBody, callTitle, dayBefore, markedEntry } from './callText.ts';
import { failureOf, meaningOf, pageFailure } from './failures.ts';
import { credential, text, textLike, vendorHost } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { checkSecret, secretHeader } from './notices.ts';
import { appToken } from './oauth.ts';
import type { CrmFailure, CrmResponse, Provider, Site } from './provider.ts';
import { userWith } from './records.ts';
import { apiBelow, get, partOf, sendJson } from './requests.ts';
import { isSoap, noticesIn } from './salesforceNotices.ts';
import { fieldsOf, hasLeads, objectOf, objectsAt, people, recordOf } from './salesforceRecords.ts';
import { anyNumber, digitsOnly, quoted } from './soql.ts';

const api = apiBelow('/services/data/v62.0/');
/** The fact that the account may use the fields of Task that are about calls. */
const hasCallFields = 'call_fields';
const callFields = ['CallObject', 'CallType', 'CallDurationInSeconds', 'CallDisposition'];
/** Salesforce's longest description of a Task. Characters. */
const maxDescription = 32_000;

const credentials = z.strictObject({
  domain: vendorHost(
    'My Domain',
    'Such as acme.my.salesforce.com; sandboxes too: acme--test.sandbox.my.salesforce.com',
    ['.my.salesforce.com'],
  ),
  client_id: text('Consumer key', 'Of your External Client App'),
  client_secret: credential('Consumer secret', 'Of the same app'),
});
type Credentials = z.infer<typeof credentials>;

/** A field of Contact, or of a record that it leads to; it becomes a part of queries. */
const fieldName = (title: string, description: string, usual: string) =>
  textLike(
    title,
    description,
    /^(?=.{0,200}$)(?:[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)?$/,
    'must be the API name of a field, such as Account.Rating',
  ).default(usual);

const options = z.strictObject({
  account_number_field: fieldName(
    'Account number',
    'API name of the field of Contact; empty: none',
    'Account.AccountNumber',
  ),
  tier_field: fieldName('Tier', 'API name of the field of Contact; empty: none', 'Account.Rating'),
  completed_status: text('Status of finished calls', 'One of your values of Task Status that count as closed').default(
    'Completed',
  ),
});

type AtSite = Site<Credentials>;
const query = (site: AtSite, soql: string) => get(api(site, 'query', { q: soql }));

export const salesforce: Provider<Credentials> = {
  id: 'salesforce',
  name: 'Salesforce',
  credentials,
  options,
  addresses: ({ domain }) => ({ api: `https://${domain}`, login: `https://${domain}`, app: `https://${domain}` }),
  // How long a token lives is a setting of the organization and not told.
  authentication: ({ credentials: app, addresses }) =>
    appToken(`${addresses.login}/services/oauth2/token`, app, {
      apiOf: ({ instance_url }) => vendorOrigin(textIn(instance_url)),
    }),
  authorization: null,
  // What counts is a day's total, which depends on the licences; this keeps one company from spending it in an hour.
  limits: { all: { count: 200, perMs: 10_000 }, searches: null },

  checkRequest: (site) => query(site, 'SELECT Id,Name FROM Organization LIMIT 1'),
  parseCheck: (response) => {
    const [organization] = recordsIn(response);
    const id = textOf(organization?.Id, 'the id of the organization');
    return { account: `${textIn(organization?.Name) ?? 'Salesforce'} (${id})`, facts: { organization: id } };
  },
  probes: (site) => [
    {
      ability: 'pull',
      request: query(site, `SELECT ${fieldsOf('Contact', site)} FROM Contact LIMIT 1`),
      needs: 'Read on Contact and Account',
    },
    {
      ability: 'pull',
      request: query(site, `SELECT ${fieldsOf('Lead', site)} FROM Lead LIMIT 1`),
      needs: 'Read on Lead',
      fact: hasLeads,
    },
    {
      ability: 'write_back',
      request: query(site, 'SELECT Id,Description FROM Task LIMIT 1'),
      needs: 'Access Activities and Edit Tasks',
    },
    // Salesforce shows these fields to users of its call centres only,
    // and refuses a Task as a whole that names a field it does not show.
    {
      ability: 'write_back',
      request: query(site, `SELECT ${callFields.join(',')} FROM Task LIMIT 1`),
      needs: `the fields ${callFields.join(', ')} of Task`,
      fact: hasCallFields,
    },
  ],

  // The search index ignores how a number is written, and lags behind;
  // the query is exact, and knows what was just typed.
  searchRequests: ({ national, digits, written }, site) => [
    [get(api(site, 'search', { q: soslOf([national, digits], site) }))],
    objectsAt(site).map((object) =>
      query(
        site,
        `SELECT ${fieldsOf(object, site)} FROM ${object} WHERE ` +
          `${anyNumber(people[object].phones, written)}${people[object].only} LIMIT 5`,
      ),
    ),
  ],
  parseSearch: (response, site) => {
    const { searchRecords, records } = readObject(response.body);
    return rowsOf(searchRecords ?? records, 'records').flatMap((one) => recordOf(one, site) ?? []);
  },
  readRequest: ({ id }, site) =>
    query(site, `SELECT ${fieldsOf(objectOf(id), site)} FROM ${objectOf(id)} WHERE Id=${quoted(id)} LIMIT 1`),
  parseRecord: (response, _reference, site) => {
    const [record] = recordsIn(response);
    return record === undefined ? null : recordOf(record, site);
  },
  ticketsRequest: ({ id }, site) =>
    objectOf(id) === 'Contact'
      ? query(site, `SELECT COUNT() FROM Case WHERE ContactId=${quoted(id)} AND IsClosed=false`)
      : null,
  parseTickets: (response) => numberIn(readObject(response.body).totalSize),
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/lightning/r/${objectOf(id)}/${partOf(id)}/view`,

  logRequests: {
    object: 'Task',
    once: 'looked_up',
    find: (call, record, site) =>
      query(
        site,
        site.facts[hasCallFields] !== 'yes'
          ? `SELECT Id,Description FROM Task WHERE WhoId=${record === null ? 'null' : quoted(record.id)} ` +
              `AND CreatedDate>=${dayBefore(call).toISOString()} ORDER BY CreatedDate DESC LIMIT 100`
          : `SELECT Id,Description,CallObject FROM Task WHERE CallObject=${quoted(call.id)} LIMIT 1`,
      ),
    parseFound: (response, call) => {
      const tasks = recordsIn(response);
      const task =
        tasks.find(({ CallObject }) => CallObject === call.id) ??
        markedEntry(tasks, call, ({ Description }) => [Description]);
      return textIn(task?.Id);
    },
    create: (call, record, site) =>
      sendJson('POST', api(site, 'sobjects/Task'), {
        ...taskOf(call, site),
        WhoId: record?.id,
        OwnerId: call.agent.ownerId ?? undefined,
        TaskSubtype: 'Call',
        Status: site.options.completed_status ?? 'Completed',
        Priority: 'Normal',
        ActivityDate: call.startedAt.toISOString().slice(0, 10),
        ...(site.facts[hasCallFields] !== 'yes'
          ? {}
          : {
              CallObject: call.id,
              CallType: call.direction === 'inbound' ? 'Inbound' : 'Outbound',
              CallDurationInSeconds: call.durationSeconds,
            }),
      }),
    parseCreated: (response) => textOf(readObject(response.body).id, 'the id of the Task'),
    finish: null,
    update: (id, call, _record, site) =>
      sendJson('PATCH', api(site, `sobjects/Task/${partOf(id)}`), taskOf(call, site)),
  },
  ownerRequest: (email, site) =>
    query(site, `SELECT Id,Email FROM User WHERE Email=${quoted(email)} AND IsActive=true LIMIT 5`),
  parseOwner: (response, email) => textIn(userWith(email, recordsIn(response), ({ Email }) => Email)?.Id),

  signs: false,
  // Outbound Messages can carry no header of the admin's: for them the address is the secret. Flows can.
  verify: (request, secret) =>
    isSoap(request.headers) && request.headers[secretHeader] === undefined ? 'ok' : checkSecret(request, secret),
  parseInbound: noticesIn,
  // Anything else makes Salesforce repeat an Outbound Message for a day; Flows look at the status alone.
  inboundAnswer: {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    body:
      '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope ' +
      'xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
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
  const returning = objectsAt(site).map(
    (object) => `${object}(${fieldsOf(object, site)}${object === 'Lead' ? ' WHERE IsConverted=false' : ''} LIMIT 5)`,
  );
  return `FIND {${terms}} IN PHONE FIELDS RETURNING ${returning.join(',')}`;
}

function recordsIn(response: CrmResponse): JsonObject[] {
  return rowsOf(readObject(response.body).records, 'records');
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

const kindOfCode = meaningOf({
  unauthorized: ['INVALID_SESSION_ID', 'invalid_client', 'invalid_grant'],
  forbidden: ['INVALID_TYPE', 'INSUFFICIENT_ACCESS'],
  // Limits come as 403.
  rate_limited: ['REQUEST_LIMIT_EXCEEDED'],
  exists: ['DUPLICATE_VALUE'],
  unavailable: ['UNABLE_TO_LOCK_ROW', 'SERVER_UNAVAILABLE', 'QUERY_TIMEOUT'],
});

function classify(response: CrmResponse): CrmFailure | null {
  const body = tryJson(response.body);
  const error = objectsIn(body)[0] ?? objectIn(body);
  const code = textIn(error?.errorCode) ?? textIn(error?.error);
  // Of these two there are several, which begin alike.
  const family = /^(?:INSUFFICIENT_ACCESS|invalid_client)/.exec(code ?? '')?.[0] ?? code;
  const words = textIn(error?.message) ?? textIn(error?.error_description);
  const [, column, place] = /No such column '([^']{1,200})' on (entity|sobject)/.exec(words ?? '') ?? [];
  // Whoever may not see a field or an object is told that it does not exist.
  const isHidden = place === 'entity';
  return (
    failureOf(response, {
      words: textsIn(code, words).join(': '),
      kind: isHidden ? 'forbidden' : kindOfCode(family),
      permission: isHidden ? `the field ${column}` : null,
      field: column ?? namesIn(error?.fields),
      waitMs: code === 'REQUEST_LIMIT_EXCEEDED' ? 15 * 60_000 : null,
    }) ?? pageFailure(response, 'is the domain right?')
  );
}
