import type { z } from 'zod';
import type { FinishedCall } from './finishedCall.ts';

/**
 * What one CRM system is to the gateway: data and pure functions. A provider makes requests as plain data and reads
 * answers; it never sends anything, has no clock and keeps nothing. Sending, authentication, rate budgets, deadlines
 * and retries are the work of `adapters/crm`, whatever the provider.
 */

/** A request to a CRM, without its authentication. */
export type CrmRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute; always below an address of the site. */
  url: string;
  /** Names in lower case. */
  headers?: Record<string, string>;
  body?: string;
  /** Whether the provider counts it among its searches (`limits.searches`), whatever it is for. It only reads. */
  isSearch?: boolean;
};

/** What came back: any status, a body of at most 1 MiB. Header names in lower case. */
export type CrmResponse = { status: number; headers: Record<string, string>; body: string };

/** Origins, or origins with a path, without a slash at the end. */
export type Addresses = {
  /** Where requests go. */
  api: string;
  /** Where tokens are asked for, and people log in. */
  login: string;
  /** Where people work: the links to records lead there. */
  app: string;
};

/** One company's account at the provider. */
export type Site<Credentials> = {
  credentials: Credentials;
  addresses: Addresses;
  /** What `parseCheck` told when the CRM was connected, such as the number of the account. */
  facts: Readonly<Record<string, string>>;
  /** What the admin chose of the provider's own `options`. */
  options: Readonly<Record<string, string>>;
};

/** A token that authenticates requests for a while. */
export type AccessToken = {
  accessToken: string;
  /** Null: it does not end. */
  expiresInSeconds: number | null;
  /** A new one replaces the one that was used, and is kept before anything else happens; null: the old one stays. */
  refreshToken: string | null;
  /**
   * Where requests go from now on, when the provider says so in its answer; it has been checked to be the provider's.
   */
  api: string | null;
};

/** How a token is asked for, and read. */
export type TokenGrant = {
  /** `refreshToken`: the latest one; null: there is none. */
  tokenRequest: (refreshToken: string | null) => CrmRequest;
  /** Throws `UnreadableAnswer` for an answer that holds no token. */
  parseToken: (response: CrmResponse) => AccessToken;
};

/** By a token, which is asked for with the credentials and again before it ends, or when it is refused. */
export type TokenAuthentication = TokenGrant & {
  kind: 'token';
  headers: (token: AccessToken) => Record<string, string>;
};

/** How requests are authenticated. `fixed`: by the credentials themselves. */
export type Authentication = { kind: 'fixed'; headers: Record<string, string> } | TokenAuthentication;

/** Logging in by the browser of the admin (OAuth 2 authorization code with PKCE, RFC 7636, and state). */
export type Authorization<Credentials> = {
  /** Whether the credentials hold an app's, with which an admin can log in. */
  isApp: (credentials: Credentials) => boolean;
  /** Whether the credentials are those of an app alone, and logging in has still to come. */
  needsLogin: (credentials: Credentials) => boolean;
  /** The credentials with what the browser brings back beside the code. Missing: nothing of it matters. */
  returned?: (credentials: Credentials, answer: Readonly<Record<string, unknown>>) => Credentials;
  /** Where the admin's browser is sent. `codeChallenge`: S256. */
  authorizeUrl: (site: Site<Credentials>, ask: { redirectUri: string; state: string; codeChallenge: string }) => string;
  codeRequest: (
    site: Site<Credentials>,
    answer: { redirectUri: string; code: string; codeVerifier: string },
  ) => CrmRequest;
  /** The credentials to keep, from the answer to `codeRequest`. Throws `UnreadableAnswer`. */
  parseCode: (response: CrmResponse, credentials: Credentials) => Credentials;
};

/** A number that somebody looks for. */
export type PhoneQuery = {
  /** `+14155551212` */
  e164: string;
  /** Without the plus: `14155551212`. */
  digits: string;
  /** The national significant number: `4155551212`. */
  national: string;
  /** ISO 3166-1 alpha-2; null where the number belongs to no country. */
  country: string | null;
  /**
   * As people write it, E.164 first, then digits, national digits, and the usual forms of its country;
   * no two are equal.
   */
  written: readonly string[];
};

/** Names a record of the provider. */
export type RecordRef = {
  /** The provider's name for its kind: `Contact`, `Lead`, `user` … */
  object: string;
  /** As the provider writes it; never read as a number. */
  id: string;
};

/** What a provider has of somebody. Texts as stored there; phone numbers in any spelling. */
export type CrmRecord = RecordRef & {
  name: string | null;
  email: string | null;
  phones: readonly string[];
  accountNumber: string | null;
  tier: string | null;
  /** What else helps an agent, by the provider's field name: company, owner, stage … Short texts. */
  details: Readonly<Record<string, string>>;
  /** Where the provider itself says the record is opened; null: `recordUrl` tells. */
  url: string | null;
  /** Where the record itself tells it; missing: `ticketsRequest` asks. */
  openTickets?: number | null;
};

/** What is made in the account when a CRM is connected, so that the provider refuses a repeat from then on. */
export type Preparation<Credentials> = {
  /** In their order. One that fails with `exists` was done before. */
  requests: (site: Site<Credentials>) => CrmRequest[];
  /** What must be granted for it, for the admin. */
  needs: string;
  /**
   * The name of the fact that is kept as `yes` once all of it is there.
   * At sites without it, calls are logged as `looked_up`.
   */
  fact: string;
};

/** How a finished call gets into the CRM. Every request for the same call is made of the same bytes. */
export type CallLog<Credentials> = {
  /** The provider's name for what is written: `Task`, `call`, `ticket` … */
  object: string;
  /**
   * `native`: the provider refuses or merges a repeat itself.
   * `looked_up`: the gateway looks for an earlier entry first.
   */
  once: 'native' | 'looked_up';
  /** Missing: `once` holds without it. */
  prepare?: Preparation<Credentials>;
  /**
   * For how long after the first attempt `native` holds; a later repeat is looked up. Milliseconds; missing: for ever.
   */
  nativeForMs?: number;
  /**
   * Asks where the entry goes, such as to the newest open ticket, before every `find` and `create`.
   * Missing: nothing is asked.
   */
  place?: {
    /** Null: at this site, or for this call, there is nothing to ask. */
    request: (call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) => CrmRequest | null;
    /** What `find` and `create` are told; null: there is no such place. Throws `UnreadableAnswer`. */
    parse: (response: CrmResponse) => string | null;
  };
  /** Finds the entry of an earlier attempt. Null where a repeat of `create` does no harm. */
  find:
    | ((call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>, place: string | null) => CrmRequest)
    | null;
  /** The id of the entry with this call's mark among what was found; null: it is not there. */
  parseFound: (response: CrmResponse, call: FinishedCall) => string | null;
  /** Null where the provider keeps nothing for a call of nobody it knows (`record` is null then). */
  create: (
    call: FinishedCall,
    record: CrmRecord | null,
    site: Site<Credentials>,
    place: string | null,
  ) => CrmRequest | null;
  /** The id of what was written. Throws `UnreadableAnswer`. */
  parseCreated: (response: CrmResponse, call: FinishedCall) => string;
  /** A second step that completes the entry (Dynamics closes it); harmless when repeated. */
  finish: ((id: string, call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) => CrmRequest) | null;
  /**
   * Writes later notes or another disposition into the same entry.
   * Null: the provider's entries, or this one, stay as they were written.
   */
  update:
    ((id: string, call: FinishedCall, record: CrmRecord | null, site: Site<Credentials>) => CrmRequest | null) | null;
};

/** What came to the address that was given to the CRM for its own webhooks. */
export type InboundRequest = {
  method: string;
  /** As the provider was told it, with the gateway's public address; never from the Host header. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Milliseconds since the epoch. */
  receivedAt: number;
};

/** Whether a request is the provider's. `stale`: its time is more than 5 minutes off. */
export type Verdict = 'ok' | 'missing' | 'mismatch' | 'stale';

/**
 * One notice of a provider. `key`: tells it from others, where the provider has such a thing; a second one is
 * ignored. Null: there is none, or the body is signed with a time in a header whose name ends with
 * `timestamp`, which tells it as well.
 */
export type Inbound =
  | { kind: 'record'; record: CrmRecord; key: string | null }
  /** Only the id came: the record has to be read. */
  | { kind: 'reference'; reference: RecordRef; key: string | null }
  | { kind: 'deleted'; reference: RecordRef; key: string | null }
  /** A trial of the connection. */
  | { kind: 'ping' }
  | { kind: 'ignored' };

/**
 * Why the provider did not do what it was asked to. `message`: its own words, at most 500 characters, for the admin.
 */
export type CrmFailure =
  /** The credentials or the token are not (or no longer) good. */
  | { kind: 'unauthorized'; message: string }
  /** The account may not do this; `permission`: which one is missing, if the provider says so. */
  | { kind: 'forbidden'; message: string; permission: string | null }
  /** Too many requests; `retryAfterMs` as told, null: not told. */
  | { kind: 'rate_limited'; message: string; retryAfterMs: number | null }
  /** The request cannot succeed as it is; `field`: the provider's name of what is wrong. */
  | { kind: 'invalid'; message: string; field: string | null }
  | { kind: 'not_found'; message: string }
  /** It is there already: an earlier attempt succeeded. */
  | { kind: 'exists'; message: string }
  /** Down, locked, in maintenance, or it answers with something that is no answer: later is another time. */
  | { kind: 'unavailable'; message: string };

/** At most `count` requests in any `perMs` milliseconds, over all gateways, for one company. */
export type Rate = { count: number; perMs: number };

export type Limits = {
  all: Rate;
  /** Of searches alone, where the provider counts them apart. */
  searches: Rate | null;
};

/** A request that shows what the account may do. */
export type Probe = {
  ability: 'pull' | 'write_back';
  request: CrmRequest;
  /** What must be granted where it is refused. */
  needs: string;
  /**
   * Kept under this name: `yes`, or `no` where it is refused.
   * That then only chooses another way, and is not held against the ability.
   */
  fact?: string;
};

export type Provider<Credentials> = {
  /** Lower-case letters, digits, `_`. */
  id: string;
  name: string;
  /**
   * As the console renders it: each field with title and description; `secret: true` in the metadata of what is hidden.
   */
  credentials: z.ZodType<Credentials>;
  /** Settings that only this provider has: texts with a default, each with title and description. */
  options: z.ZodType<Record<string, string>>;
  /** Hosts that the credentials name are the vendor's own: the schema refuses others. */
  addresses: (credentials: Credentials) => Addresses;
  authentication: (site: Site<Credentials>) => Authentication;
  /** Null: admins type what authenticates. */
  authorization: Authorization<Credentials> | null;
  /**
   * What every account may. `told`: what this one may, as its answers tell; null: that one does not.
   * Missing: none does.
   */
  limits: Limits & { told?: (response: CrmResponse) => Limits | null };

  /** One harmless request that proves the credentials. */
  checkRequest: (site: Site<Credentials>) => CrmRequest;
  /** Who the gateway is there, for the admin, and the facts to keep. Throws `UnreadableAnswer`. */
  parseCheck: (response: CrmResponse, site: Site<Credentials>) => { account: string; facts: Record<string, string> };
  /**
   * Sent when the CRM is connected, after the check; harmless. Only `unauthorized` and `forbidden` speak against an
   * ability: some ask for what cannot be done, to learn who may do it.
   */
  probes: (site: Site<Credentials>) => Probe[];

  /**
   * Searches for a number: groups in their order; those of one group are sent at once. The first group that brings a
   * record which really has the number ends the search. One that fails as `not_found` found nobody.
   */
  searchRequests: (phone: PhoneQuery, site: Site<Credentials>) => CrmRequest[][];
  /**
   * Everything that was found, also what does not have the number: that is checked by the caller.
   * Throws `UnreadableAnswer`.
   */
  parseSearch: (response: CrmResponse, site: Site<Credentials>, request: CrmRequest) => CrmRecord[];
  /** Reads one record. Null: records of this site are not read by their id. */
  readRequest: (reference: RecordRef, site: Site<Credentials>) => CrmRequest | null;
  /** Null: it is not there (any more). */
  parseRecord: (response: CrmResponse, reference: RecordRef, site: Site<Credentials>) => CrmRecord | null;
  /** Counts the open tickets of a record; null where the provider has none, or none for such a record. */
  ticketsRequest: (reference: RecordRef, site: Site<Credentials>) => CrmRequest | null;
  parseTickets: (response: CrmResponse) => number | null;
  /** Where a person opens the record. Null: nobody said where. */
  recordUrl: (record: CrmRecord, site: Site<Credentials>) => string | null;

  logRequests: CallLog<Credentials>;
  /**
   * Finds the user with an e-mail address, who then owns what an agent's calls leave. Null: the provider has no owners.
   */
  ownerRequest: ((email: string, site: Site<Credentials>) => CrmRequest) | null;
  /** The id of the user with exactly that address; null: there is none. */
  parseOwner: (response: CrmResponse, email: string) => string | null;

  /** Whether notices are signed by the provider, or carry the secret that the gateway issued. */
  signs: boolean;
  /**
   * Notices are signed, with the secret that the gateway issued.
   * Missing: the secret of a provider that signs is the provider's.
   */
  signsWithIssued?: true;
  /**
   * Checks a notice before anything of it is read; secrets are compared in constant time.
   * @param secret the provider's signing secret where it signs, else the one that the gateway issued;
   * null: the unguessable address is all there is
   */
  verify: (request: InboundRequest, secret: string | null) => Verdict;
  /** Throws `UnreadableAnswer` for a body that is none of the provider's. */
  parseInbound: (request: InboundRequest, site: Site<Credentials>) => Inbound[];
  /** What the provider wants to hear; null: 200 with an empty JSON object. */
  inboundAnswer: { status: number; contentType: string; body: string } | null;

  /** Null: it succeeded. Also for statuses of success that tell of a failure. */
  classify: (response: CrmResponse) => CrmFailure | null;
};

/** An answer or a notice that is not what the provider documents. The message says what was expected. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}
