import { z } from 'zod';
import {
  type Json,
  type JsonObject,
  namesIn,
  numberIn,
  objectIn,
  objectsIn,
  readJson,
  readObject,
  rowsOf,
  textIn,
  textOf,
  textsIn,
  tryJson,
  unreadable,
} from './answers.ts';
import { callHtml, callTitle, markedEntry } from './callText.ts';
import { failureOf, kindOf } from './failures.ts';
import { choice, credential, vendorHost } from './fields.ts';
import type { FinishedCall } from './finishedCall.ts';
import { compare, secretHeader } from './notices.ts';
import type { CrmFailure, CrmRecord, CrmResponse, Limits, Provider, Site } from './provider.ts';
import { recordFrom, userWith } from './records.ts';
import { apiBelow, asSearch, basic, get, idNumber, partOf, sendJson } from './requests.ts';

/** As Freshdesk numbers them. */
const phoneSource = 3;
const closedStatus = 5;
const doneStatuses = new Set(['4', '5']);
const lowPriority = 1;

/** What Freshdesk's plans allow in a minute: all requests, and of them those for contacts. The smallest first. */
const plans = [
  { all: 200, contacts: 20 },
  { all: 400, contacts: 100 },
  { all: 700, contacts: 200 },
] as const;
/** What the gateway takes of it: others may have keys of the same account. */
const share = 0.9;
/** No account is taken to be allowed more. */
const maxTotal = 10_000;

const schema = z.strictObject({
  domain: vendorHost('Domain', 'What stands before .freshdesk.com when you work there', ['.freshdesk.com']),
  api_key: credential('API key', 'Of the agent whom the gateway works as: profile settings, on the right'),
});
type Credentials = z.infer<typeof schema>;

const api = apiBelow('/api/v2/');

export const freshdesk: Provider<Credentials> = {
  id: 'freshdesk',
  name: 'Freshdesk',
  credentials: schema,
  options: z.strictObject({
    log_as: choice(
      'Calls are logged as',
      'ticket: a closed ticket of each call. ' +
        'open_ticket: a private note in the newest open ticket, else a closed ticket',
      ['ticket', 'open_ticket'],
    ),
  }),
  addresses: ({ domain }) => ({ api: `https://${domain}`, login: `https://${domain}`, app: `https://${domain}` }),
  authentication: ({ credentials }) => ({ kind: 'fixed', headers: basic(credentials.api_key, 'X') }),
  authorization: null,
  // As on the smallest plan, until an answer tells of another.
  limits: {
    ...limitsOf(plans[0].all),
    told: ({ headers }) => {
      const total = numberIn(headers['x-ratelimit-total']);
      return total === null || total < 1 ? null : limitsOf(Math.min(total, maxTotal));
    },
  },

  checkRequest: (site) => get(api(site, 'agents/me')),
  parseCheck: (response) => {
    const { id, contact } = readObject(response.body);
    const { name, email } = objectIn(contact) ?? unreadable('Expected an agent.');
    return { account: textsIn(name, email).join(', '), facts: { agent: textOf(id, 'the id of an agent') } };
  },
  probes: (site) => [
    { ability: 'pull', request: contactsBy(site, { per_page: '1' }), needs: 'a role that views contacts' },
    // There is no such ticket: Freshdesk says so to those who might change it.
    {
      ability: 'write_back',
      request: sendJson('PUT', api(site, 'tickets/0'), { priority: lowPriority }),
      needs: 'a role that creates and edits tickets',
    },
  ],

  // Freshdesk compares letter by letter, one field at a time, and little is allowed: two spellings,
  // each in both fields.
  searchRequests: ({ e164, national, written }, site) => {
    const asTyped = written.find((form) => form !== e164 && /\D/.test(form) && !form.startsWith('+')) ?? national;
    return [e164, asTyped].map((form) => [contactsBy(site, { phone: form }), contactsBy(site, { mobile: form })]);
  },
  parseSearch: (response) => listOf(response).map(recordOf),
  readRequest: ({ id }, site) => asSearch(get(api(site, `contacts/${partOf(id)}`))),
  parseRecord: (response) => {
    const contact = readObject(response.body);
    return contact.deleted === true ? null : recordOf(contact);
  },
  ticketsRequest: ({ id }, site) => get(api(site, 'tickets', { requester_id: id, per_page: '100' })),
  parseTickets: (response) => listOf(response).filter(isOpen).length,
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/a/contacts/${partOf(id)}`,

  logRequests: {
    object: 'ticket',
    once: 'looked_up',
    place: {
      request: (_call, record, site) =>
        record === null || site.options.log_as !== 'open_ticket'
          ? null
          : get(
              api(site, 'tickets', {
                requester_id: record.id,
                order_by: 'created_at',
                order_type: 'desc',
                per_page: '30',
              }),
            ),
      parse: (response) => textIn(listOf(response).find(isOpen)?.id),
    },
    // The newest entries themselves, not Freshdesk's search, which lags behind by minutes.
    find: (_call, record, site, place) =>
      place === null
        ? get(
            api(site, 'tickets', {
              requester_id: record?.id,
              order_by: 'created_at',
              order_type: 'desc',
              include: 'description',
              per_page: '30',
            }),
          )
        : get(api(site, `tickets/${partOf(place)}/conversations`, { per_page: '100' })),
    parseFound: (response, call) => {
      const found = markedEntry(listOf(response), call, (one) => [
        one.description_text,
        one.description,
        one.body_text,
        one.body,
      ]);
      return found === undefined ? null : pathOf(found);
    },
    create: (call, record, site, place) => {
      if (record === null) return null;
      const body = bodyOf(call);
      if (place !== null) return sendJson('POST', api(site, `tickets/${partOf(place)}/notes`), { body, private: true });
      return sendJson('POST', api(site, 'tickets'), {
        requester_id: idNumber(record.id),
        responder_id: call.agent.ownerId === null ? undefined : idNumber(call.agent.ownerId),
        subject: callTitle(call),
        description: body,
        source: phoneSource,
        status: closedStatus,
        priority: lowPriority,
        tags: ['readyline-call'],
      });
    },
    parseCreated: (response) => pathOf(readObject(response.body)),
    finish: null,
    update: (path, call, _record, site) => {
      const [kind = '', id = ''] = path.split('/');
      const body = bodyOf(call);
      const changes: Json = kind === 'conversations' ? { body } : { subject: callTitle(call), description: body };
      return sendJson('PUT', api(site, `${partOf(kind)}/${partOf(id)}`), changes);
    },
  },
  ownerRequest: (email, site) => get(api(site, 'agents', { email })),
  parseOwner: (response, email) =>
    textIn(userWith(email, listOf(response), ({ contact }) => objectIn(contact)?.email)?.id),

  signs: false,
  // Not every Freshdesk lets a rule send headers: without one, the unguessable address has to do.
  // A wrong one is refused.
  verify: ({ headers }, secret) => {
    const given = headers[secretHeader];
    return secret === null || given === undefined ? 'ok' : compare(given, secret);
  },
  parseInbound: ({ body }) => {
    const notice =
      objectIn(readObject(body.toString('utf8')).freshdesk_webhook) ?? unreadable('Expected a freshdesk_webhook.');
    const id = textIn(notice.contact_id);
    if (id === null) return [{ kind: 'ignored' }];
    const {
      ticket_contact_name: name,
      ticket_contact_email: email,
      ticket_contact_phone: phone,
      ticket_contact_mobile: mobile,
    } = notice;
    return [
      {
        kind: 'record',
        record: recordOf({ id, name, email, phone, mobile, unique_external_id: notice.ticket_contact_external_id }),
        key: null,
      },
    ];
  },
  inboundAnswer: null,

  classify,
};

/**
 * What an account may that is allowed so many requests in a minute. Nobody documents whether answers about contacts
 * tell their own limit in place of the account's: a number that only that can be is read as it.
 */
function limitsOf(total: number): Limits {
  const own = plans.find(({ contacts }) => contacts === total && contacts < plans[0].all);
  const plan = own ?? plans.findLast(({ all }) => all <= total) ?? plans[0];
  const rate = (count: number) => ({ count: Math.max(1, Math.floor(count * share)), perMs: 60_000 });
  return { all: rate(own?.all ?? total), searches: rate(Math.min(plan.contacts, total)) };
}

/** Contacts by one filter; a plus is written as %2B, as Freshdesk wants it. */
function contactsBy(site: Site<Credentials>, filter: Record<string, string>) {
  return asSearch(get(api(site, 'contacts', filter)));
}

function listOf(response: CrmResponse): JsonObject[] {
  return rowsOf(readJson(response.body), 'a list');
}

function recordOf(contact: JsonObject): CrmRecord {
  return recordFrom({
    object: 'contact',
    id: contact.id,
    name: contact.name,
    email: contact.email,
    phones: [contact.phone, contact.mobile],
    accountNumber: contact.unique_external_id,
    details: { company_id: contact.company_id, job_title: contact.job_title, tags: namesIn(contact.tags) },
  });
}

function isOpen({ status }: JsonObject): boolean {
  return !doneStatuses.has(textIn(status) ?? '');
}

/** Where an entry is changed: a note tells which ticket it belongs to, a ticket does not. */
function pathOf(entry: JsonObject): string {
  const id = textOf(entry.id, 'the id of a ticket or a note');
  return `${textIn(entry.ticket_id) === null ? 'tickets' : 'conversations'}/${id}`;
}

function bodyOf(call: FinishedCall): string {
  return `<div>${callHtml(call)}</div>`;
}

function classify(response: CrmResponse): CrmFailure | null {
  const body = objectIn(tryJson(response.body));
  const [first] = objectsIn(body?.errors);
  return failureOf(response, {
    words: textsIn(body?.message ?? body?.description, textsIn(first?.field, first?.message).join(': ')).join(' '),
    // No entry of ours has a key that could be there already: another field is not unique.
    kind: kindOf(response) === 'exists' ? 'invalid' : null,
    field: textIn(first?.field),
  });
}
