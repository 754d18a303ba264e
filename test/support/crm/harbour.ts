import { z } from 'zod';
import { bearer, checkSecret, failureOf, get, objectIn, objectsIn, readObject, sendJson, textIn, textsIn, tryJson, unreadable, urlOf, type JsonObject } from '../../../src/providers/exchange.ts';
import { callBody, callTitle } from '../../../src/providers/callText.ts';
import { credential } from '../../../src/providers/fields.ts';
import type { CrmRecord, Provider } from '../../../src/providers/provider.ts';

const credentials = z.strictObject({ key: credential('Key', 'Of the harbour master') });

/** A CRM that nobody has: what one file tells of a provider is all that the gateway needs to connect to it. */
export const harbour: Provider<z.infer<typeof credentials>> = {
  id: 'harbour_crm',
  name: 'Harbour CRM',
  credentials,
  options: z.strictObject({}),
  addresses: () => ({ api: 'https://api.harbour.example', login: 'https://api.harbour.example', app: 'https://app.harbour.example' }),
  authentication: ({ credentials: { key } }) => ({ kind: 'fixed', headers: bearer(key) }),
  authorization: null,
  limits: { all: { count: 50, perMs: 1_000 }, searches: null },
  checkRequest: ({ addresses }) => get(`${addresses.api}/me`),
  parseCheck: (response) => ({ account: textIn(readObject(response.body).master) ?? unreadable('Expected a master.'), facts: {} }),
  probes: ({ addresses }) => [{ ability: 'pull', request: get(`${addresses.api}/skippers`), needs: 'skippers' }],
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
    create: (call, record, { addresses }) => sendJson('PUT', `${addresses.api}/logs/${call.id}`, { skipper: record?.id, title: callTitle(call), text: callBody(call) }),
    parseCreated: (response) => textIn(readObject(response.body).id) ?? unreadable('Expected the id of the log.'),
    finish: null,
    update: (_id, call, record, { addresses }) => sendJson('PUT', `${addresses.api}/logs/${call.id}`, { skipper: record?.id, title: callTitle(call), text: callBody(call) }),
  },
  ownerRequest: null,
  parseOwner: () => null,
  signs: false,
  verify: checkSecret,
  parseInbound: ({ body }) => [{ kind: 'record', record: recordOf(readObject(body.toString('utf8'))), key: null }],
  inboundAnswer: null,
  classify: (response) => failureOf(response, textIn(objectIn(tryJson(response.body))?.error)),
};

function recordOf(skipper: JsonObject): CrmRecord {
  return {
    object: 'skipper',
    id: textIn(skipper.id) ?? unreadable('Expected the id of a skipper.'),
    name: textIn(skipper.name),
    email: null,
    phones: textsIn(skipper.phone),
    accountNumber: textIn(skipper.berth),
    tier: null,
    details: {},
    url: null,
  };
}
