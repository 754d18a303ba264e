import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type JsonObject,
  objectIn,
  objectsIn,
  readObject,
  textIn,
  textOf,
  tryJson,
} from '../../../src/providers/answers.ts';
import { callBody, callTitle } from '../../../src/providers/callText.ts';
import type { FinishedCall } from '../../../src/providers/finishedCall.ts';
import { failureOf } from '../../../src/providers/failures.ts';
import { credential } from '../../../src/providers/fields.ts';
import { compare, isStale } from '../../../src/providers/notices.ts';
import type { CrmRecord, Provider, RecordRef } from '../../../src/providers/provider.ts';
import { recordFrom } from '../../../src/providers/records.ts';
import { bearer, get, sendJson, urlOf } from '../../../src/providers/requests.ts';

const credentials = z.strictObject({ key: credential('Key', 'Of the harbour master') });

/** A CRM that nobody has: what one file tells of a provider is all that the gateway needs to connect to it. */
export const harbour: Provider<z.infer<typeof credentials>> = {
  id: 'harbour_crm',
  name: 'Harbour CRM',
  credentials,
  options: z.strictObject({}),
  addresses: () => ({
    api: 'https://api.harbour.example',
    login: 'https://api.harbour.example',
    app: 'https://app.harbour.example',
  }),
  authentication: ({ credentials: { key } }) => ({ kind: 'fixed', headers: bearer(key) }),
  authorization: null,
  limits: { all: { count: 50, perMs: 1_000 }, searches: null },
  checkRequest: ({ addresses }) => get(`${addresses.api}/me`),
  parseCheck: (response) => ({ account: textOf(readObject(response.body).master, 'a master'), facts: {} }),
  probes: ({ addresses }) => [
    { ability: 'pull', request: get(`${addresses.api}/skippers`), needs: 'skippers' },
    { ability: 'write_back', request: get(`${addresses.api}/logs`), needs: 'logs' },
  ],
  searchRequests: ({ e164 }, { addresses }) => [[get(urlOf(addresses.api, '/skippers', { phone: e164 }))]],
  parseSearch: (response) => objectsIn(readObject(response.body).skippers).map(recordOf),
  readRequest: ({ id }, { addresses }) => get(`${addresses.api}/skippers/${encodeURIComponent(id)}`),
  parseRecord: (response) => recordOf(readObject(response.body)),
  ticketsRequest: () => null,
  parseTickets: () => null,
  recordUrl: ({ id }, { addresses }) => `${addresses.app}/skippers/${encodeURIComponent(id)}`,
  logRequests: {
    object: 'log',
    once: 'native',
    find: null,
    parseFound: () => null,
    create: (call, record, { addresses }) => sendJson('POST', `${addresses.api}/logs`, entryOf(call, record)),
    parseCreated: (response) => textOf(readObject(response.body).id, 'the id of the log'),
    finish: null,
    update: (id, call, record, { addresses }) =>
      sendJson('PUT', `${addresses.api}/logs/${encodeURIComponent(id)}`, entryOf(call, record)),
  },
  ownerRequest: null,
  parseOwner: () => null,
  signs: true,
  verify: ({ headers, body, receivedAt }, secret) => {
    const at = headers['x-harbour-time'];
    if (at === undefined || secret === null) return 'missing';
    if (isStale(Number(at), receivedAt)) return 'stale';
    return compare(
      headers['x-harbour-signature'],
      createHmac('sha512', secret).update(`${at}\n`).update(body).digest('hex'),
    );
  },
  parseInbound: ({ headers, body }) => {
    const { skipper, event } = readObject(body.toString('utf8'));
    const reference = { object: 'skipper', id: textOf(skipper, 'the id of a skipper') };
    return [
      {
        kind: event === 'left' ? 'deleted' : 'reference',
        reference,
        key: `${headers['x-harbour-time'] ?? ''} ${reference.id}`,
      },
    ];
  },
  inboundAnswer: null,
  classify: (response) => failureOf(response, { words: textIn(objectIn(tryJson(response.body))?.error) }),
};

function entryOf(call: FinishedCall, record: RecordRef | null) {
  return { call: call.id, skipper: record?.id, title: callTitle(call), text: callBody(call) };
}

function recordOf(skipper: JsonObject): CrmRecord {
  return recordFrom({
    object: 'skipper',
    id: skipper.id,
    name: skipper.name,
    email: skipper.email,
    phones: [skipper.phone],
    accountNumber: skipper.berth,
    details: {},
  });
}
