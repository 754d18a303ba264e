import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type JsonObject,
  numberIn,
  objectIn,
  objectsIn,
  readObject,
  rowsOf,
  textIn,
  textsIn,
  tryJson,
  unreadable,
} from './answers.ts';
import { callBody, callTitle, shortened } from './callText.ts';
import { failureOf, kindOf, pageFailure } from './failures.ts';
import { credential, setting, text, textLike, vendorHost } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { checkSecret, noticeWith } from './notices.ts';
import { appToken } from './oauth.ts';
import type { CrmFailure, CrmRecord, CrmRequest, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, get, partOf, sendJson, urlOf } from './requests.ts';

const api = apiBelow('/api/data/v9.2');
const odata = { 'odata-version': '4.0', 'odata-maxversion': '4.0' };
/** The endings under which Dataverse tells how people read a value, and how many rows there are. */
const asRead = '@OData.Community.Display.V1.FormattedValue';
const readable = { prefer: 'odata.include-annotations="OData.Community.Display.V1.FormattedValue"' };
const phoneColumns = ['telephone1', 'telephone2', 'mobilephone'];
const columns = ['contactid', 'fullname', 'emailaddress1', ...phoneColumns, 'jobtitle'].join(',');
const account = 'parentcustomerid_account($select=name,accountnumber,accountcategorycode)';
/** The longest description of a phone call in every version. Characters. */
const maxDescription = 2_000;
/** The space of names (RFC 9562) in which the ids of calls become ids of Dataverse. */
const namespace = 'f1a4c6de-5b0e-4c2a-9d57-3a8b1c0e7f42';
/** Of phone calls: state, and reason of a state. */
const states = { completed: 1, made: 2, received: 4 };
const guidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const credentials = z.strictObject({
  organization_url: vendorHost('Environment URL', 'Such as https://acme.crm4.dynamics.com', [
    '.crm.dynamics.com',
    '.dynamics.com',
  ]),
  tenant_id: textLike(
    'Directory (tenant) id',
    'Of the app registration in Microsoft Entra',
    /^[A-Za-z0-9][A-Za-z0-9.-]{0,200}$/,
    'must be the id of the directory, such as 72f988bf-86f1-41af-91ab-2d7cd011db47, or its domain',
  ),
  client_id: text('Application (client) id', 'Of the same app registration'),
  client_secret: credential('Client secret', 'The value of a secret of the app, not its id'),
});
type Credentials = z.infer<typeof credentials>;
type AtSite = Site<Credentials>;

const options = z.strictObject({
  app_id: setting(
    'App',
    'Id of the model-driven app in which records open, as in appid=… of its address; empty: people choose',
  ).refine((id) => id === '' || guidForm.test(id), { error: 'must be the id of an app, or empty' }),
});

function ask(
  site: AtSite,
  path: string,
  query?: Record<string, string>,
  headers: Record<string, string> = {},
): CrmRequest {
  return get(api(site, path, query), { ...odata, ...headers });
}

export const dynamics: Provider<Credentials> = {
  id: 'dynamics',
  name: 'Microsoft Dynamics 365',
  credentials,
  options,
  addresses: ({ organization_url: host }) => ({
    api: `https://${host}`,
    login: 'https://login.microsoftonline.com',
    app: `https://${host}`,
  }),
  authentication: ({ credentials: app, addresses }) =>
    appToken(`${addresses.login}/${partOf(app.tenant_id)}/oauth2/v2.0/token`, app, {
      scope: `${addresses.api}/.default`,
    }),
  authorization: null,
  // 6,000 requests in 5 minutes for each user of each web server.
  limits: { all: { count: 180, perMs: 10_000 }, searches: null },

  checkRequest: (site) => ask(site, '/WhoAmI'),
  parseCheck: (response, { credentials: { organization_url } }) => {
    const { UserId, OrganizationId } = readObject(response.body);
    const user = guidIn(UserId) ?? unreadable('Expected the id of the user.');
    const organization = guidIn(OrganizationId) ?? unreadable('Expected the id of the organization.');
    return { account: `Application user ${user} at ${organization_url}`, facts: { user, organization } };
  },
  probes: (site) => [
    {
      ability: 'pull',
      request: ask(site, '/contacts', { $select: columns, $expand: account, $top: '1' }),
      needs: 'Read on Contact and Account',
    },
    {
      ability: 'write_back',
      request: ask(site, '/phonecalls', { $select: 'activityid', $top: '1' }),
      needs: 'Create, Read, Write, Append and Append To on Activity; Append To on Contact and User',
    },
  ],

  // Dataverse compares texts as they were typed: the usual spellings first,
  // then whatever has the last four digits together.
  searchRequests: ({ written, national }, site) => {
    const lastFour = national.slice(-4);
    const groups = [anyColumn((column) => written.map((number) => `${column} eq ${quoted(number)}`))];
    if (/^\d{4}$/.test(lastFour)) {
      const apart = `${lastFour.slice(0, 2)} ${lastFour.slice(2)}`;
      groups.push(anyColumn((column) => [lastFour, apart].map((part) => `contains(${column},${quoted(part)})`)));
    }
    return groups.map((filter) => [
      ask(
        site,
        '/contacts',
        { $select: columns, $expand: account, $filter: `statecode eq 0 and (${filter})`, $top: '50' },
        readable,
      ),
    ]);
  },
  parseSearch: (response) => rowsIn(response).map(recordOf),
  readRequest: ({ id }, site) =>
    guidForm.test(id) ? ask(site, `/contacts(${id})`, { $select: columns, $expand: account }, readable) : null,
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: ({ id }, site) =>
    guidForm.test(id)
      ? ask(site, '/incidents', {
          $select: 'incidentid',
          $filter: `_customerid_value eq ${id} and statecode eq 0`,
          $count: 'true',
          $top: '1',
        })
      : null,
  parseTickets: (response) => numberIn(readObject(response.body)['@odata.count']),
  recordUrl: ({ id }, { addresses, options: { app_id } }) =>
    urlOf(addresses.app, '/main.aspx', {
      appid: app_id || undefined,
      pagetype: 'entityrecord',
      etn: 'contact',
      id: `{${id}}`,
    }),

  logRequests: {
    object: 'phonecall',
    // The id is the gateway's own; a second row with the same one is refused.
    once: 'native',
    find: (call, _record, site) => ask(site, `/phonecalls(${rowId(call.id)})`, { $select: 'activityid' }),
    parseFound: (response) => guidIn(readObject(response.body).activityid),
    // Dataverse wants to know who spoke with whom.
    create: (call, record, site) =>
      record === null ? null : sendJson('POST', api(site, '/phonecalls'), phoneCallOf(call, record, site), odata),
    // Success has no body: the id is known before.
    parseCreated: (_response, call) => rowId(call.id),
    // A row cannot be made closed, and cannot be changed once it is. `*`: only if it is there.
    finish: (id, { direction }, _record, site) =>
      sendJson(
        'PATCH',
        api(site, `/phonecalls(${partOf(id)})`),
        { statecode: states.completed, statuscode: direction === 'inbound' ? states.received : states.made },
        { ...odata, 'if-match': '*' },
      ),
    // Later notes stand below the phone call, in one note of their own which every further change replaces.
    update: (id, call, _record, site) =>
      sendJson(
        'PATCH',
        api(site, `/annotations(${rowId(`${call.id} notes`)})`),
        { subject: callTitle(call), notetext: callBody(call), 'objectid_phonecall@odata.bind': `/phonecalls(${id})` },
        odata,
      ),
  },
  ownerRequest: (email, site) =>
    ask(site, '/systemusers', {
      $select: 'systemuserid,internalemailaddress',
      $filter: `internalemailaddress eq ${quoted(email)} and isdisabled eq false`,
      $top: '5',
    }),
  parseOwner: (response, email) =>
    guidIn(userWith(email, rowsIn(response), ({ internalemailaddress }) => internalemailaddress)?.systemuserid),

  signs: false,
  verify: checkSecret,
  parseInbound: ({ body }, site) => [noticeOf(readObject(body.toString('utf8')), site)],
  inboundAnswer: null,

  classify,
};

/** A text as a value of OData; nothing in it ends the quotation. */
function quoted(value: string): string {
  return `'${value.slice(0, 320).replaceAll("'", "''")}'`;
}

function anyColumn(conditions: (column: string) => string[]): string {
  return phoneColumns.flatMap(conditions).join(' or ');
}

function guidIn(value: JsonObject[string]): string | null {
  const id = textIn(value);
  return id !== null && guidForm.test(id) ? id.toLowerCase() : null;
}

function rowsIn(response: CrmResponse): JsonObject[] {
  return rowsOf(readObject(response.body).value, 'rows');
}

function recordOf(contact: JsonObject): CrmRecord {
  const parent = objectIn(contact.parentcustomerid_account);
  return recordFrom({
    object: 'contact',
    id: guidIn(contact.contactid),
    name: contact.fullname,
    email: contact.emailaddress1,
    phones: phoneColumns.map((column) => contact[column]),
    accountNumber: parent?.accountnumber,
    tier: parent?.[`accountcategorycode${asRead}`],
    details: { company: parent?.name, title: contact.jobtitle },
  });
}

/** An id of a row: the same for the same words, whoever asks (UUID version 5). */
function rowId(words: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(words)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function phoneCallOf(call: FinishedCall, record: CrmRecord, { facts }: AtSite) {
  const isInbound = call.direction === 'inbound';
  // An agent who is no user there is represented by the gateway's own user.
  const user = call.agent.ownerId ?? facts.user;
  const party = (isFrom: boolean) => ({ participationtypemask: isFrom ? 1 : 2 });
  return {
    activityid: rowId(call.id),
    subject: callTitle(call),
    description: callBody(call, maxDescription),
    phonenumber: isInbound ? call.from : call.to,
    directioncode: !isInbound,
    actualstart: call.startedAt.toISOString(),
    actualend: call.endedAt.toISOString(),
    // Whole minutes; the description tells the seconds.
    actualdurationminutes: Math.ceil(call.durationSeconds / 60),
    category: call.disposition?.externalValue == null ? undefined : shortened(call.disposition.externalValue, 250),
    'ownerid@odata.bind': call.agent.ownerId === null ? undefined : `/systemusers(${call.agent.ownerId})`,
    'regardingobjectid_contact_phonecall@odata.bind': `/contacts(${record.id})`,
    phonecall_activity_parties: [
      { ...party(isInbound), 'partyid_contact@odata.bind': `/contacts(${record.id})` },
      ...(user === undefined
        ? []
        : [{ ...party(!isInbound), 'partyid_systemuser@odata.bind': `/systemusers(${user})` }]),
    ],
  };
}

/** What a service endpoint sends of a row that changed; or the row itself, as a flow sends it. */
function noticeOf(notice: JsonObject, { facts }: AtSite): Inbound {
  if (notice.MessageName === undefined) {
    if (notice.contactid === undefined) unreadable('Expected the context of a step, or a contact.');
    return { kind: 'record', record: recordOf(notice), key: null };
  }
  const expected = facts.organization;
  const organization = guidIn(notice.OrganizationId);
  if (expected !== undefined && organization !== null && organization !== expected)
    unreadable('Expected a notice of the connected organization.');
  if (notice.PrimaryEntityName !== 'contact') return { kind: 'ignored' };
  const reference = {
    object: 'contact',
    id: guidIn(notice.PrimaryEntityId) ?? unreadable('Expected the id of a contact.'),
  };
  const key = textsIn(notice.CorrelationId, notice.MessageName, reference.id, notice.OperationCreatedOn).join(' ');
  if (notice.MessageName === 'Delete') return { kind: 'deleted', reference, key };
  // A change tells only the columns that changed, and one that is too large none: what the contact is has to be read.
  // A new one is whole.
  const target = notice.MessageName === 'Create' ? attributesOf(notice.InputParameters) : {};
  return noticeWith(recordOf({ ...target, contactid: reference.id }), key);
}

function attributesOf(parameters: JsonObject[string]): JsonObject {
  const target = objectIn(objectsIn(parameters).find(({ key }) => key === 'Target')?.value);
  return Object.fromEntries(
    objectsIn(target?.Attributes).flatMap(({ key, value }) => (typeof key === 'string' ? [[key, value]] : [])),
  );
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  // Of the interface an object; of the log-in a word, with the words beside it.
  const error = objectIn(body?.error);
  const code = textIn(error?.code ?? body?.error);
  const words = textIn(error?.message) ?? textIn(body?.error_description);
  const isInvalid = kindOf(response) === 'invalid';
  // The row is there; or it has been closed before.
  const isThere = code?.toLowerCase() === '0x80040237' || (isInvalid && /read-?only/i.test(words ?? ''));
  const isLogin = error === null && code !== null && kindOf(response) !== 'unavailable';
  const conflict = isThere ? 'exists' : null;
  return (
    failureOf(response, {
      words: textsIn(code, words).join(': '),
      kind: isLogin ? 'unauthorized' : conflict,
      permission: /\bprv[A-Za-z]{1,100}/.exec(words ?? '')?.[0],
      field: /(?:property|attribute|column|field)(?: named)? '([\w.@]{1,200})'/i.exec(words ?? '')?.[1],
    }) ?? pageFailure(response, 'is the address right?')
  );
}
