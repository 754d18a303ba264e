import type { FinishedCall } from '../../../src/providers/finishedCall.ts';
import type { CallLog, CrmRecord, CrmRequest, PhoneQuery, Provider, Site } from '../../../src/providers/provider.ts';

/** What a provider is asked with. */
export type Asked = {
  phone: PhoneQuery;
  /** Who is read. */
  records: CrmRecord[];
  /** Whose calls are logged; null: nobody's. */
  callers: (CrmRecord | null)[];
  call: FinishedCall;
  /** Ids of entries that are changed. */
  entries: string[];
  /** Where entries go; null: the provider has no such places. */
  places: (string | null)[];
  email: string;
};

type Made = (CrmRequest | null | undefined)[];
/**
 * Of each part of a type: the requests that it makes; null: it makes none.
 * A new part has to be listed, or this does not compile.
 */
type MadeBy<Type> = { [Part in keyof Required<Type>]: (() => Made) | null };

/** Every request that a provider can make at a site: none is left out, whatever it is for. */
export function everyRequest<Credentials>(
  provider: Provider<Credentials>,
  site: Site<Credentials>,
  asked: Asked,
): CrmRequest[] {
  const { phone, records, callers, call, entries, places, email } = asked;
  const { logRequests } = provider;
  // Nothing more is asked for a call of which the provider keeps nothing.
  const kept = callers.filter((record) => logRequests.create(call, record, site, null) !== null);
  const authentication = provider.authentication(site);
  const answer = { redirectUri: 'https://gateway.example.com/callback', code: 'c&1', codeVerifier: 'v' };
  const logging: MadeBy<CallLog<Credentials>> = {
    object: null,
    once: null,
    prepare: () => logRequests.prepare?.requests(site) ?? [],
    nativeForMs: null,
    place: () => callers.map((record) => logRequests.place?.request(call, record, site)),
    find: () => kept.flatMap((record) => places.map((place) => logRequests.find?.(call, record, site, place))),
    parseFound: null,
    create: () => callers.flatMap((record) => places.map((place) => logRequests.create(call, record, site, place))),
    parseCreated: null,
    finish: () => kept.flatMap((record) => entries.map((id) => logRequests.finish?.(id, call, record, site))),
    update: () => kept.flatMap((record) => entries.map((id) => logRequests.update?.(id, call, record, site))),
  };
  const asking: MadeBy<Provider<Credentials>> = {
    id: null,
    name: null,
    credentials: null,
    options: null,
    addresses: null,
    authentication: () =>
      authentication.kind === 'token'
        ? [authentication.tokenRequest(null), authentication.tokenRequest('refresh-2')]
        : [],
    authorization: () =>
      authentication.kind === 'token' || provider.authorization?.needsLogin(site.credentials) === true
        ? [provider.authorization?.codeRequest(site, answer)]
        : [],
    limits: null,
    checkRequest: () => [provider.checkRequest(site)],
    parseCheck: null,
    probes: () => provider.probes(site).map(({ request }) => request),
    searchRequests: () => provider.searchRequests(phone, site).flat(),
    parseSearch: null,
    readRequest: () => records.map((record) => provider.readRequest(record, site)),
    parseRecord: null,
    ticketsRequest: () => records.map((record) => provider.ticketsRequest(record, site)),
    parseTickets: null,
    recordUrl: null,
    logRequests: () => Object.values(logging).flatMap((make) => make?.() ?? []),
    ownerRequest: () => [provider.ownerRequest?.(email, site)],
    parseOwner: null,
    signs: null,
    signsWithIssued: null,
    verify: null,
    parseInbound: null,
    inboundAnswer: null,
    classify: null,
  };
  return Object.values(asking)
    .flatMap((make) => make?.() ?? [])
    .filter((request) => request !== null && request !== undefined);
}
