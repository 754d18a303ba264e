import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Json, objectIn, readJson, readObject, textIn, textOf, tryJson, unreadable } from './answers.ts';
import { callTitle, tagsText } from './callText.ts';
import { failureOf, isPage } from './failures.ts';
import { credential, setting } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare, isStale } from './notices.ts';
import type { CrmFailure, CrmRecord, CrmRequest, CrmResponse, Provider, Site } from './provider.ts';
import { recordFrom } from './records.ts';
import { get, idempotencyKey } from './requests.ts';
import { addressTemplate, filledJson, filledUrl, placeholdersIn } from './templates.ts';

/** The longest id of a record, and the most records that one answer may bring. */
const maxId = 500;
const maxRecords = 50;
/** A number that nobody has: of the range for films. */
const sample = { phone: '+12025550100', digits: '12025550100', national: '2025550100' };

const lookupPlaceholders = ['phone', 'digits', 'national'];
const callPlaceholders = [
  'call_id',
  'direction',
  'from',
  'to',
  'dialed_number',
  'line',
  'queue',
  'sip_call_id',
  'started_at',
  'answered_at',
  'ended_at',
  'duration_seconds',
  'end_reason',
  'transferred_to',
  'transferred_from',
  'title',
  'disposition',
  'disposition_value',
  'notes',
  'tags',
  'agent_name',
  'record_id',
];
const usualBody = JSON.stringify(Object.fromEntries(callPlaceholders.map((name) => [name, `{${name}}`])));

/** `Name: value`; none of those that say how a request is carried. */
const headerLine =
  /^(?!(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade):)[a-z0-9-]{1,100}:[ \t]*[\x21-\x7e][\x20-\x7e]*$/i;
const header = (number: number) =>
  credential(`Header ${number}`, 'Sent with every request, such as Authorization: Bearer …')
    .regex(headerLine, 'must be a name, a colon and a value')
    .optional();
const credentials = z.strictObject({
  lookup_url: addressTemplate(
    'Lookup address',
    'Asked for a caller, such as https://erp.example.com/customers?phone={phone}',
    lookupPlaceholders,
  ),
  log_url: addressTemplate('Log address', 'Where finished calls are sent; empty: nowhere', ['call_id']).optional(),
  update_url: addressTemplate(
    'Address for later changes',
    'Where notes that come later are sent, with {entry_id}; empty: nowhere',
    ['call_id', 'entry_id'],
  ).optional(),
  record_link: addressTemplate('Link to a record', 'Opened by agents, such as https://erp.example.com/customers/{id}', [
    'id',
  ]).optional(),
  header_1: header(1),
  header_2: header(2),
  header_3: header(3),
  header_4: header(4),
  header_5: header(5),
});
type Credentials = z.infer<typeof credentials>;

const path = (title: string, initial = '') =>
  setting(title, 'Where it lies in the answer, such as customer.name; empty: nowhere', initial).refine(
    (text) => /^[\w$-]*(\.[\w$-]+)*$/.test(text),
    'must be names with dots between',
  );

const options = z.strictObject({
  records_path: path('Records'),
  id_path: path('Id', 'id'),
  name_path: path('Name', 'name'),
  email_path: path('E-mail', 'email'),
  phone_path: path('Phone', 'phone'),
  other_phone_path: path('Other phone', 'mobile'),
  account_number_path: path('Account number', 'account_number'),
  tier_path: path('Tier', 'tier'),
  open_tickets_path: path('Open tickets', 'open_tickets'),
  company_path: path('Company', 'company'),
  log_body: setting('Body of a logged call', 'JSON with placeholders within its texts', usualBody).superRefine(
    (text, context) => {
      const parsed = objectIn(tryJson(text));
      const unknown = placeholdersIn(text).find((name) => !callPlaceholders.includes(name));
      if (parsed === null)
        context.addIssue('must be a JSON object; placeholders stand within texts, as in "{call_id}"');
      else if (unknown !== undefined)
        context.addIssue(`has no placeholder {${unknown}}; there are ${callPlaceholders.join(', ')}`);
    },
  ),
});

export const custom: Provider<Credentials> = {
  id: 'custom',
  name: 'Custom CRM',
  credentials,
  options,
  // There is no logging in: that address is where calls are logged.
  addresses: ({ lookup_url, log_url = lookup_url, record_link = lookup_url }) => ({
    api: new URL(lookup_url).origin,
    login: new URL(log_url).origin,
    app: new URL(record_link).origin,
  }),
  authentication: ({ credentials: given }) => ({ kind: 'fixed', headers: headersOf(given) }),
  authorization: null,
  limits: { all: { count: 20, perMs: 1_000 }, searches: null },

  checkRequest: (site) => lookupRequest(sample, site),
  parseCheck: (response, site) => {
    const { hostname } = new URL(site.credentials.lookup_url);
    if (response.status === 404) {
      return {
        account: `${hostname} (404: nobody has the number of the trial, or nothing is at this address)`,
        facts: {},
      };
    }
    return { account: `${hostname} (${recordsIn(response, site).length} with the number of the trial)`, facts: {} };
  },
  probes: () => [],

  searchRequests: ({ e164, digits, national }, site) => [[lookupRequest({ phone: e164, digits, national }, site)]],
  parseSearch: (response, site) => recordsIn(response, site),
  readRequest: () => null,
  parseRecord: () => null,
  ticketsRequest: () => null,
  parseTickets: () => null,
  recordUrl: ({ id }, { credentials: { record_link }, addresses }) =>
    record_link === undefined ? null : filledUrl(record_link, addresses.app, { id }),

  logRequests: {
    object: 'call',
    // The receiver knows a repeat by `Idempotency-Key`, which is the id of the call.
    once: 'native',
    find: null,
    parseFound: () => null,
    create: (call, record, site) => {
      const { log_url } = site.credentials;
      if (log_url === undefined) return null;
      return bodyRequest(
        'POST',
        filledUrl(log_url, site.addresses.login, { call_id: call.id }),
        call,
        record,
        site,
        idempotencyKey(call),
      );
    },
    parseCreated: (response, call) => {
      if (response.status === 404) return unreadable('HTTP 404: nothing is at the log address.');
      const id = textIn(objectIn(tryJson(response.body))?.id);
      return id !== null && id.length <= maxId ? id : call.id;
    },
    finish: null,
    update: (id, call, record, site) => {
      const { update_url } = site.credentials;
      return update_url === undefined
        ? null
        : bodyRequest(
            'PUT',
            filledUrl(update_url, site.addresses.login, { call_id: call.id, entry_id: id }),
            call,
            record,
            site,
          );
    },
  },
  ownerRequest: null,
  parseOwner: () => null,

  signs: true,
  signsWithIssued: true,
  // Standard Webhooks: id, time in seconds and body, keyed with what is behind `whsec_`.
  verify: ({ headers, body, receivedAt }, secret) => {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
    if (id === undefined || at === undefined || signatures === undefined || secret === null) return 'missing';
    if (!/^\d{1,12}$/.test(at) || isStale(Number(at) * 1_000, receivedAt)) return 'stale';
    const key = secret.startsWith('whsec_')
      ? Buffer.from(secret.slice('whsec_'.length), 'base64')
      : Buffer.from(secret);
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')}`;
    const given = signatures.split(' ').slice(0, 10);
    return given.some((one) => compare(one, expected) === 'ok') ? 'ok' : 'mismatch';
  },
  parseInbound: ({ headers, body }) => {
    const { phone_number, data, external_id, tier } = readObject(body.toString('utf8'));
    const phone = textOf(phone_number, 'phone_number');
    const { name, email, account_number, open_tickets, ...others } = objectIn(data) ?? unreadable('Expected data.');
    const record = recordFrom({
      object: 'contact',
      id: (textIn(external_id) ?? phone).slice(0, maxId),
      name,
      email,
      phones: [phone],
      accountNumber: account_number,
      tier,
      details: others,
      openTickets: open_tickets ?? null,
    });
    return [{ kind: 'record', record, key: headers['webhook-id'] ?? null }];
  },
  inboundAnswer: null,

  classify,
};

function headersOf(given: Credentials): Record<string, string> {
  const lines = [given.header_1, given.header_2, given.header_3, given.header_4, given.header_5].filter(
    (line) => line !== undefined,
  );
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function lookupRequest(
  values: { phone: string; digits: string; national: string },
  { credentials: { lookup_url }, addresses }: Site<Credentials>,
): CrmRequest {
  return get(filledUrl(lookup_url, addresses.api, values));
}

function bodyRequest(
  method: 'POST' | 'PUT',
  url: string,
  call: FinishedCall,
  record: CrmRecord | null,
  { options: { log_body = usualBody } }: Site<Credentials>,
  headers: Record<string, string> = {},
): CrmRequest {
  const body = JSON.stringify(filledJson(readJson(log_body), valuesOf(call, record)));
  return { method, url, headers: { accept: 'application/json', 'content-type': 'application/json', ...headers }, body };
}

function valuesOf(call: FinishedCall, record: CrmRecord | null): Record<string, string | number | null> {
  return {
    call_id: call.id,
    direction: call.direction,
    from: call.from,
    to: call.to,
    dialed_number: call.dialedNumber ?? null,
    line: call.line ?? null,
    queue: call.queue ?? null,
    sip_call_id: call.sipCallId ?? null,
    started_at: call.startedAt.toISOString(),
    answered_at: call.answeredAt?.toISOString() ?? null,
    ended_at: call.endedAt.toISOString(),
    duration_seconds: call.durationSeconds,
    end_reason: call.endReason,
    transferred_to: call.transferredTo ?? null,
    transferred_from: call.transferredFrom ?? null,
    title: callTitle(call),
    disposition: call.disposition?.label ?? null,
    disposition_value: call.disposition?.externalValue ?? call.disposition?.code ?? null,
    notes: call.notes,
    tags: tagsText(call),
    agent_name: call.agent.name,
    record_id: record?.id ?? null,
  };
}

/** What lies at a path of names with dots between; list elements by their number. The empty path is nowhere. */
function at(value: Json, where: string | undefined): Json {
  if (where === undefined || where === '') return null;
  let here: Json = value;
  for (const name of where.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return null;
    here = (here as { [field: string]: Json | undefined })[name] ?? null;
  }
  return here;
}

function recordsIn(response: CrmResponse, { options: paths }: Site<Credentials>): CrmRecord[] {
  if (response.status === 404 || response.body.trim() === '') return [];
  const answer = readJson(response.body);
  const found = paths.records_path === undefined || paths.records_path === '' ? answer : at(answer, paths.records_path);
  const records = Array.isArray(found) ? found : [found];
  return records.slice(0, maxRecords).flatMap((one): CrmRecord[] => {
    const id = textIn(at(one, paths.id_path));
    if (id === null || id.length > maxId) return [];
    return [
      recordFrom({
        object: 'contact',
        id,
        name: at(one, paths.name_path),
        email: at(one, paths.email_path),
        phones: [at(one, paths.phone_path), at(one, paths.other_phone_path)],
        accountNumber: at(one, paths.account_number_path),
        tier: at(one, paths.tier_path),
        details: { company: at(one, paths.company_path) },
        openTickets: at(one, paths.open_tickets_path),
      }),
    ];
  });
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  if (isPage(response) && response.status < 400)
    return { kind: 'unavailable', message: `HTTP ${response.status} with a page instead of JSON.` };
  // Many systems say so that they know nobody with the number.
  if (response.status === 404) return null;
  return failureOf(response, {
    words:
      textIn(body?.message) ?? textIn(body?.detail) ?? textIn(body?.error) ?? textIn(objectIn(body?.error)?.message),
  });
}
