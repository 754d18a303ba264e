import type { LoggedCalls } from '../contract/crm.ts';
import type { EndpointHealth } from '../domain/endpointHealth.ts';
import type { CompanyId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { ScreenPopEntry } from '../domain/screenPop.ts';
import type { CrmFailure, CrmRequest, CrmResponse, Provider, Rate, Site } from '../providers/provider.ts';
import type { SealedToken } from './tokens.ts';

/** A company's CRM, as requests to it need it. */
export type CrmAccount = {
  companyId: CompanyId;
  provider: Provider<unknown>;
  site: Site<unknown>;
};

/**
 * Why the gateway asks a CRM nothing for a while. `no_answer`: it did not answer several times in a row.
 * `told_to_wait`: it asked for that itself. `own_limit`: the gateway keeps within what the CRM allows.
 */
export type HoldReason = 'no_answer' | 'told_to_wait' | 'own_limit';

/** A request that was not sent: nobody is at fault, and it goes later. `allows`: the limit that is kept. */
export type HeldBack = { kind: 'held_back'; message: string; retryAfterMs: number } & (
  { why: 'no_answer' | 'told_to_wait' } | { why: 'own_limit'; allows: Rate }
);

/**
 * Beside what the provider said: that no answer came, or that it was not asked.
 * `isUnknown`: it may have done what it was asked to.
 */
export type CrmTrouble = CrmFailure | { kind: 'no_answer'; message: string; isUnknown: boolean } | HeldBack;

export type CrmAnswer =
  | { kind: 'answer'; response: CrmResponse }
  | {
      kind: 'failed';
      trouble: CrmTrouble;
      /** What came back; missing: nothing. */
      response?: CrmResponse;
      /** Nothing of this request was sent: it was held back, or there was no token for it. Missing: it was. */
      isUnsent?: true;
    };

/** A CRM is asked nothing until then. Milliseconds since the epoch. */
export type CrmPause = { why: 'no_answer' | 'told_to_wait'; until: number };

export type CrmSending = {
  /** Live: somebody waits for it. Others leave half of the rate budget to those. */
  isLive: boolean;
  /** How long all of it may take, waiting for its turn and for a token included. Milliseconds. */
  withinMs: number;
  /** An admin tries it: it is asked also while it is left alone. */
  isTrial?: boolean;
};

/** Sends one request of a trial, within 10 s. */
export type CrmTrial = (request: CrmRequest) => Promise<CrmAnswer>;

/**
 * Sends requests to CRM systems: authenticated, within the provider's rate, over the guarded network. Follows no
 * redirect and repeats nothing but a request whose token was refused, and one that reads and met a connection that was
 * being closed. What it holds back it does not send. Never throws for what a network or a provider does.
 */
export interface CrmClient {
  /** By the company's stored token, where the provider has tokens. */
  send(account: CrmAccount, request: CrmRequest, sending: CrmSending): Promise<CrmAnswer>;
  /**
   * Authenticates with credentials that are not, or not yet, stored. `token`: what it got for them, to be
   * stored with them: some providers give another refresh token with every token, and the one of the
   * credentials is then worth nothing.
   */
  tryOut(
    account: CrmAccount,
  ): Promise<{ kind: 'ready'; send: CrmTrial; token: SealedToken | null } | { kind: 'failed'; trouble: CrmTrouble }>;
  /**
   * Why a request would be held back by a pause, as far as this gateway knows without asking the others;
   * null: it would not.
   */
  heldBack(companyId: CompanyId, name: string): HeldBack | null;
  /**
   * Until when the CRM is left alone: by this gateway, as it did not answer, or by all of them,
   * as it told one of them to wait. Null: it is asked.
   */
  pauseOf(companyId: CompanyId, provider: string): Promise<CrmPause | null>;
  /** One request of a log-in as it is: what authenticates it is in it. */
  askOnce(account: CrmAccount, request: CrmRequest): Promise<CrmAnswer>;
  /** Drops what is kept of a company: its token, and that its CRM did not answer. */
  forget(companyId: CompanyId): void;
}

/** A company's connection to its CRM. */
export type CrmConnection = {
  provider: string;
  credentialsEncrypted: string;
  /** The provider's own options. */
  options: Record<string, string>;
  facts: Record<string, string>;
  /** Who the gateway is there, for the admin. */
  account: string;
  /**
   * The provider refuses the credentials, in its words: nothing is sent until an admin has looked after it.
   * Null: it does not.
   */
  attention: string | null;
  /** For how long a record that was looked up is used again. Seconds. */
  keepSeconds: number;
  logCalls: LoggedCalls;
  /** What the provider calls the company's dispositions, by their codes. */
  dispositions: Record<string, string>;
  connectedAt: Date;
  updatedAt: Date;
};

/** What an admin may change of a connection without its credentials. */
export type CrmConnectionSettings = Pick<CrmConnection, 'options' | 'keepSeconds' | 'logCalls' | 'dispositions'>;

export interface CrmConnectionStore {
  /** Null: the company is connected to none. */
  find(companyId: CompanyId): Promise<CrmConnection | null>;
  /**
   * Connects, or replaces what was there, its token too. Records that were looked up before are forgotten;
   * those that wait to be read are dropped where it is another account.
   */
  connect(
    companyId: CompanyId,
    connection: Omit<CrmConnection, 'attention' | 'connectedAt' | 'updatedAt'>,
    token: SealedToken | null,
  ): Promise<CrmConnection>;
  /** Changes the settings of the connection as it was read; null: it is another one by now, or none. */
  change(
    companyId: CompanyId,
    of: Pick<CrmConnection, 'provider' | 'connectedAt'>,
    settings: CrmConnectionSettings,
  ): Promise<CrmConnection | null>;
  /**
   * Whether there was a connection. Records that were looked up there are forgotten,
   * those that wait to be read dropped.
   */
  disconnect(companyId: CompanyId): Promise<boolean>;
  /** Decides on how logging calls there goes, in one transaction that holds the connection. Null: there is none. */
  changeHealth(
    companyId: CompanyId,
    decide: (health: EndpointHealth) => EndpointHealth,
  ): Promise<{ health: EndpointHealth; attention: string | null } | null>;
  /** Notes that the provider refuses the credentials; only of the connection as it was read. */
  noteAttention(
    companyId: CompanyId,
    of: Pick<CrmConnection, 'provider' | 'connectedAt'>,
    attention: string,
  ): Promise<void>;
  /** Keeps what a check has told, which ends the need for attention; only of the connection as it was read. */
  noteCheck(
    companyId: CompanyId,
    of: Pick<CrmConnection, 'provider' | 'connectedAt'>,
    told: Pick<CrmConnection, 'account' | 'facts'>,
  ): Promise<void>;
}

/** What a company will be connected with, once an admin has logged in at the CRM. */
export type PreparedLogin = {
  provider: string;
  /** Sealed like the credentials of a connection. */
  credentialsEncrypted: string;
  /** The rest of the request to connect, which takes effect with the connection. */
  settings: Record<string, unknown>;
  createdAt: Date;
};

/** Log-ins that have not been completed yet; one per company. */
export interface CrmLoginStore {
  find(companyId: CompanyId): Promise<PreparedLogin | null>;
  /** Replaces what was prepared before. */
  save(companyId: CompanyId, login: Omit<PreparedLogin, 'createdAt'>): Promise<PreparedLogin>;
  remove(companyId: CompanyId): Promise<void>;
}

/** The CRM systems that this gateway knows, by id, and where the operator says that they are. */
export type CrmProviders = {
  byId: ReadonlyMap<string, Provider<unknown>>;
  /** In place of all of a provider's own addresses, by its id. */
  baseUrls: ReadonlyMap<string, string>;
};

export type LookedUp =
  | { kind: 'found'; entry: ScreenPopEntry }
  | { kind: 'nobody' }
  /** The company does not look numbers up in its CRM. */
  | { kind: 'off' }
  | { kind: 'failed'; trouble: CrmTrouble };

/** Asks companies' CRM systems who has a number. */
export interface CrmLookup {
  /**
   * Lookups of one number at once share one request. What is found is kept for a while.
   * Never rejects for what a CRM does.
   */
  find(companyId: CompanyId, phone: PhoneNumber): Promise<LookedUp>;
  /** Whether this gateway leaves the company's CRM alone for a while. */
  isPaused(companyId: CompanyId): boolean;
  /** Drops what is remembered of a company. */
  forget(companyId: CompanyId): void;
}
