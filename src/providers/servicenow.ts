import { z } from 'zod';
import {
  type Json,
  type JsonObject,
  numberIn,
  objectIn,
  readObject,
  rowsOf,
  textIn,
  textsIn,
  tryJson,
  unreadable,
} from './answers.ts';
import { callBody, callMark, callTitle, dayBefore, markedEntry, shortened, utcTime } from './callText.ts';
import { failureOf, kindOf, pageFailure } from './failures.ts';
import { choice, credential, text, textLike, vendorHost } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { checkSecret, noticeWith } from './notices.ts';
import { appToken } from './oauth.ts';
import type { CrmFailure, CrmRecord, CrmResponse, Inbound, Provider, Site } from './provider.ts';
import { fullName, recordFrom, userWith } from './records.ts';
import { apiBelow, basic, get, sendJson, urlOf } from './requests.ts';

const instance = vendorHost('Instance', 'Such as acme.service-now.com', ['.service-now.com']);
const byApp = z.strictObject({
  instance,
  client_id: text('Client id', 'Of an entry in the Application Registry that allows client credentials'),
  client_secret: credential('Client secret', 'Of the same entry'),
});
const byUser = z.strictObject({
  instance,
  username: text('User name', 'Of a user for integrations alone'),
  password: credential('Password', 'Of the same user'),
});
type Credentials = z.infer<typeof byApp> | z.infer<typeof byUser>;
type AtSite = Site<Credentials>;

/** Where people are kept, depending on the product: how their cases and calls point to them. */
const tables = {
  customer_contact: { cases: 'sn_customerservice_case', caseOf: 'contact', callOf: 'contact' },
  csm_consumer: { cases: 'sn_customerservice_case', caseOf: 'consumer', callOf: 'consumer' },
  sys_user: { cases: 'incident', caseOf: 'caller_id', callOf: 'opened_for' },
} as const;
type TableName = keyof typeof tables;
/** The fact which of the asked columns with numbers the table really has. */
const knownColumns = 'phone_columns';

const options = z.strictObject({
  contact_table: choice(
    'Table of people',
    'customer_contact: business customers; csm_consumer: consumers; sys_user: employees',
    ['customer_contact', 'csm_consumer', 'sys_user'],
  ),
  phone_columns: textLike(
    'Columns with numbers',
    'Names of columns of that table, separated by commas',
    /^[a-z][a-z0-9_]{0,79}(,[a-z][a-z0-9_]{0,79}){0,7}$/,
    'must be names of columns, separated by commas, such as phone,mobile_phone',
  ).default('phone,mobile_phone'),
});

/** The longest short description. Characters. */
const maxShort = 160;
const idForm = /^[0-9a-f]{32}$/;

const api = apiBelow('/api/now/');
const table = (site: AtSite, path: string, query?: Record<string, string>) =>
  get(
    api(site, `v2/table/${path}`, { ...query, sysparm_exclude_reference_link: 'true', sysparm_display_value: 'false' }),
  );

export const servicenow: Provider<Credentials> = {
  id: 'servicenow',
  name: 'ServiceNow',
  credentials: z.union([byApp, byUser]),
  options,
  addresses: ({ instance: host }) => ({ api: `https://${host}`, login: `https://${host}`, app: `https://${host}` }),
  authentication: ({ credentials, addresses }) =>
    'username' in credentials
      ? { kind: 'fixed', headers: basic(credentials.username, credentials.password) }
      : appToken(`${addresses.login}/oauth_token.do`, credentials),
  authorization: null,
  // ServiceNow itself sets none; the rules of an instance count by the hour.
  limits: { all: { count: 300, perMs: 60_000 }, searches: null },

  // A column that does not exist is left out of a row, which tells the right names from wrong ones.
  checkRequest: (site) =>
    table(site, tableOf(site), { sysparm_fields: ['sys_id', askedColumns(site)].join(','), sysparm_limit: '1' }),
  parseCheck: (response, site) => {
    const [row] = rowsIn(response);
    const asked = askedColumns(site).split(',');
    const found = row === undefined ? asked : asked.filter((column) => row[column] !== undefined);
    if (found.length === 0) unreadable(`Expected one of the columns ${asked.join(', ')} in ${tableOf(site)}.`);
    const { credentials } = site;
    const who = 'username' in credentials ? `User ${credentials.username}` : `Client ${credentials.client_id}`;
    return {
      account: `${who} at ${credentials.instance}, numbers in ${found.join(', ')} of ${tableOf(site)}`,
      facts: { [knownColumns]: found.join(',') },
    };
  },
  probes: (site) => [
    {
      ability: 'pull',
      request: table(site, tableOf(site), { sysparm_fields: 'sys_id', sysparm_limit: '1' }),
      needs: `Read on ${tableOf(site)}`,
    },
    {
      ability: 'write_back',
      request: table(site, 'interaction', { sysparm_fields: 'sys_id', sysparm_limit: '1' }),
      needs: 'Read, create and write on interaction',
    },
  ],

  // An unknown column would be ignored, and strangers returned: only columns that were seen are named,
  // and every hit is checked.
  searchRequests: ({ written }, site) => {
    const condition = anyColumn((site.facts[knownColumns] ?? askedColumns(site)).split(','), written);
    if (condition === '') return [];
    return [
      [table(site, tableOf(site), { sysparm_query: condition, sysparm_fields: fieldsOf(site), sysparm_limit: '20' })],
    ];
  },
  parseSearch: (response, site) => rowsIn(response).map((row) => recordOf(row, tableOf(site), site)),
  readRequest: ({ object, id }, site) =>
    idForm.test(id) ? table(site, `${tableOf(site, object)}/${id}`, { sysparm_fields: fieldsOf(site) }) : null,
  parseRecord: (response, { object }, site) => {
    const row = objectIn(readObject(response.body).result);
    return row === null ? null : recordOf(row, tableOf(site, object), site);
  },
  ticketsRequest: ({ object, id }, site) => {
    const { cases, caseOf } = tables[tableOf(site, object)];
    return idForm.test(id)
      ? get(api(site, `stats/${cases}`, { sysparm_query: `${caseOf}=${id}^active=true`, sysparm_count: 'true' }))
      : null;
  },
  parseTickets: (response) => numberIn(objectIn(objectIn(readObject(response.body).result)?.stats)?.count),
  recordUrl: ({ object, id }, site) =>
    urlOf(site.addresses.app, '/nav_to.do', { uri: `/${tableOf(site, object)}.do?sys_id=${id}` }),

  logRequests: {
    object: 'interaction',
    once: 'looked_up',
    // Of the columns, only this one is sure to hold a mark and to be searched; the day before bounds the search.
    find: (call, _record, site) => {
      const mark = call.id.replace(/[^\w-]/g, '');
      return table(site, 'interaction', {
        sysparm_query: `sys_created_on>${utcTime(dayBefore(call))}^short_descriptionLIKE${mark}`,
        sysparm_fields: 'sys_id,short_description',
        sysparm_limit: '20',
      });
    },
    parseFound: (response, call) =>
      idIn(markedEntry(rowsIn(response), call, (row) => [valueOf(row.short_description)])?.sys_id),
    create: (call, record, site) =>
      sendJson('POST', api(site, 'table/interaction'), {
        type: 'phone',
        direction: call.direction,
        caller_phone_number: call.direction === 'inbound' ? call.from : call.to,
        ...(record === null ? {} : { [tables[tableOf(site, record.object)].callOf]: record.id }),
        assigned_to: call.agent.ownerId ?? undefined,
        opened_at: utcTime(call.startedAt),
        closed_at: utcTime(call.endedAt),
        state: 'closed_complete',
        ...textsOf(call),
      }),
    parseCreated: (response) =>
      idIn(objectIn(readObject(response.body).result)?.sys_id) ?? unreadable('Expected the sys_id of the interaction.'),
    finish: null,
    // Work notes are a journal: later notes follow the earlier ones.
    update: (id, call, _record, site) =>
      idForm.test(id) ? sendJson('PATCH', api(site, `table/interaction/${id}`), textsOf(call)) : null,
  },
  ownerRequest: (email, site) =>
    // What stands in no address would end the condition.
    table(site, 'sys_user', {
      sysparm_query: `active=true^email=${email.replace(/[^\w.@+-]/g, '')}`,
      sysparm_fields: 'sys_id,email',
      sysparm_limit: '5',
    }),
  parseOwner: (response, email) => idIn(userWith(email, rowsIn(response), (user) => valueOf(user.email))?.sys_id),

  signs: false,
  verify: checkSecret,
  parseInbound: ({ body }, site) => [noticeOf(readObject(body.toString('utf8')), site)],
  inboundAnswer: null,

  classify,
};

const isTable = (name: string | undefined): name is TableName => name !== undefined && Object.hasOwn(tables, name);

/** The table of a record, else the one that the admin chose. */
function tableOf({ options: { contact_table } }: AtSite, name?: string): TableName {
  if (isTable(name)) return name;
  return isTable(contact_table) ? contact_table : 'customer_contact';
}

function askedColumns({ options: { phone_columns } }: AtSite): string {
  return phone_columns ?? 'phone,mobile_phone';
}

function fieldsOf(site: AtSite): string {
  const company = ['account.number', 'account.name', 'company.name'];
  return [
    'sys_id',
    'name',
    'first_name',
    'last_name',
    'email',
    ...askedColumns(site).split(','),
    'title',
    'vip',
    ...company,
  ].join(',');
}

/**
 * ServiceNow knows no way to write a `^` inside of a value, so only what numbers are written with gets into a query.
 */
function anyColumn(columns: string[], spellings: readonly string[]): string {
  const safe = spellings.filter((spelling) => /^[0-9+() .-]{2,40}$/.test(spelling));
  return columns.flatMap((column) => safe.map((spelling) => `${column}=${spelling}`)).join('^OR');
}

function rowsIn(response: CrmResponse): JsonObject[] {
  return rowsOf(readObject(response.body).result, 'rows');
}

/** A value, which some requests wrap: with its display value, or with a link to what it names. */
function valueOf(value: Json | undefined): string | null {
  return textIn(objectIn(value)?.value ?? value);
}

function idIn(value: Json | undefined): string | null {
  const id = valueOf(value);
  return id !== null && idForm.test(id) ? id : null;
}

function recordOf(row: JsonObject, object: TableName, site: AtSite): CrmRecord {
  // A row that was pushed holds its account as an object; of rows that were asked for, the name is flat.
  const account = objectIn(row.account);
  return recordFrom({
    object,
    id: idIn(row.sys_id),
    name: valueOf(row.name) ?? fullName(valueOf(row.first_name), valueOf(row.last_name)),
    email: valueOf(row.email),
    phones: askedColumns(site)
      .split(',')
      .map((column) => valueOf(row[column])),
    accountNumber: valueOf(row['account.number']) ?? account?.number,
    tier: valueOf(row.vip) === 'true' || row.vip === true ? 'VIP' : null,
    details: {
      company: valueOf(row['account.name']) ?? textIn(account?.name) ?? valueOf(row['company.name']),
      title: valueOf(row.title),
    },
  });
}

function textsOf(call: FinishedCall) {
  const mark = ` (${callMark(call)})`;
  return { short_description: shortened(callTitle(call), maxShort - mark.length) + mark, work_notes: callBody(call) };
}

/** What the script of the guide sends: table, operation and record; or a row as the Table API shows it. */
function noticeOf(notice: JsonObject, site: AtSite): Inbound {
  const row = objectIn(notice.record) ?? objectIn(notice.result) ?? unreadable('Expected a record.');
  const name = textIn(notice.table) ?? tableOf(site);
  if (!isTable(name)) return { kind: 'ignored' };
  const record = recordOf(row, name, site);
  // Counts up with every change of a row.
  const count = valueOf(row.sys_mod_count);
  const key = count === null ? null : `${record.id} ${count} ${textIn(notice.operation) ?? ''}`;
  return notice.operation === 'delete'
    ? { kind: 'deleted', reference: { object: name, id: record.id }, key }
    : noticeWith(record, key);
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  // Of the interface an object; of the log-in a word, with the words beside it.
  const error = objectIn(body?.error);
  const result = objectIn(body?.result);
  const hasFailed = textIn(body?.status ?? result?.status)?.toLowerCase() === 'failure';
  const isLogin = textIn(body?.error) !== null && !['unavailable', 'rate_limited'].includes(kindOf(response));
  const words = textsIn(
    error?.message,
    error?.detail,
    body?.error_description,
    error === null ? body?.error : undefined,
  ).join(': ');
  return (
    failureOf(response, {
      words:
        textIn(words) ??
        textIn(result?.message) ??
        (hasFailed ? 'ServiceNow told of a failure without a reason.' : null),
      hasFailed,
      kind: isLogin ? 'unauthorized' : null,
    }) ?? pageFailure(response, 'the instance may be asleep or in maintenance.')
  );
}
