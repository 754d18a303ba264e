import type { HeardAgain, ListedAgent } from '../connectors/accounts/platformAccount.ts';
import type { AgentState } from '../contract/vocabulary.ts';
import type { DialVia } from '../contract/ctiConnections.ts';
import type { AgentId, CallId, CompanyId, NodeId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** The address at which a telephony platform tells a company of its calls and agents. */
export type CtiConnection = {
  companyId: CompanyId;
  connector: string;
  /** What the platform signs with, sealed; null: the address is its only credential. */
  secretEncrypted: string | null;
  /** Who dials for agents whose state the platform sets. */
  dialVia: DialVia;
  /** The company's account at the platform, sealed; null: none is set. */
  accountEncrypted: string | null;
  /** Whether a gateway listens to what the platform tells. */
  listens: boolean;
  /** Why it cannot at the moment; null: nothing is wrong. */
  listenerError: string | null;
  issuedAt: Date;
  /** When it told something last, to some seconds. */
  lastReceivedAt: Date | null;
};

/** How many of a platform's agents are ours, and how many nobody is. */
export type MappedCounts = { mapped: number; unmapped: number };

export type ConnectionChange = {
  dialVia?: DialVia | undefined;
  listens?: boolean | undefined;
  accountEncrypted?: string | null | undefined;
};

export interface CtiConnectionStore {
  list(companyId: CompanyId): Promise<(CtiConnection & { agents: MappedCounts })[]>;
  find(companyId: CompanyId, connector: string): Promise<CtiConnection | null>;
  /** Whose address has that token; null: nobody's. */
  findByTokenHash(tokenHash: string): Promise<CtiConnection | null>;
  /** Replaces the token and the secret that were issued before, at once. Its agents stay. */
  issue(
    companyId: CompanyId,
    connector: string,
    issued: { tokenHash: string; secretEncrypted: string | null },
  ): Promise<void>;
  /** What is absent stays. False: there is no such connection. */
  change(companyId: CompanyId, connector: string, change: ConnectionChange): Promise<boolean>;
  /**
   * Of any company: takes connections at which nobody listens, and keeps those at which `holder` does, until then.
   * Of each connection one gateway at a time is the listener. At most `limit`, by company.
   */
  leaseListening(holder: NodeId, times: { now: Date; until: Date }, limit: number): Promise<CtiConnection[]>;
  /** Gives back what that gateway has taken. */
  releaseListening(holder: NodeId): Promise<void>;
  /** Why the listener cannot listen; null: it does. Nothing where another listens by now. */
  noteListening(companyId: CompanyId, connector: string, holder: NodeId, error: string | null): Promise<void>;
  /** With all of its agents. Whether there was one. */
  remove(companyId: CompanyId, connector: string): Promise<boolean>;
  /** Notes that the platform told something; written at most once in some seconds. */
  noteReceived(companyId: CompanyId, connector: string): Promise<void>;
}

/** How an agent of a platform was found to be one of ours. */
export type MatchedBy = 'table' | 'email' | 'code';

/** An agent as a platform names it. */
export type PlatformAgent = {
  companyId: CompanyId;
  connector: string;
  platformId: string;
  email: string | null;
  name: string | null;
  /** Null: nobody fits. An agent that was deactivated fits nobody. */
  agentId: AgentId | null;
  matchedBy: MatchedBy | null;
  /** What the platform told last of what the agent does. */
  state: AgentState | null;
  reason: string | null;
  stateAt: Date | null;
  /** What the agent logs in with there, sealed; null: nothing is set. */
  accountEncrypted: string | null;
  seenAt: Date;
};

/** An agent for whom its platform can be asked, to dial or to set its state. */
export type DialedFor = {
  connection: CtiConnection;
  /** As the platform names the agent. */
  platformId: string;
  /** What the agent logs in with at the platform, sealed; null: nothing is set. */
  accountEncrypted: string | null;
};

/** As whom an agent logs in at a platform, and with what, sealed. */
export type AgentLogin = Pick<PlatformAgent, 'companyId' | 'connector' | 'platformId' | 'accountEncrypted'>;

/** A dial that a platform is to make. */
export type PlatformDial = {
  through: DialedFor;
  phone: PhoneNumber;
  /** By our id. */
  callId: CallId;
};

/**
 * What became of a dial. `accepted`: the platform calls; `callId` is its id of the call; null: its answer does not say,
 * and its events will. `refused` and `unavailable`: nothing was dialed, nor will be; of `refused` the agent was the
 * reason. `unknown`: the platform may be calling. `said`: by the platform or of it, in English.
 */
export type PlatformDialed =
  | { kind: 'accepted'; callId: string | null }
  | { kind: 'refused'; said: string }
  | { kind: 'unavailable'; said: string }
  | { kind: 'unknown'; said: string };

/** Has telephony platforms call customers for their agents. Never rejects for what a network or a platform does. */
export interface PlatformDialer {
  /** Asks once: what may have been done is not asked for again. @param withinMs milliseconds */
  dial(dial: PlatformDial, withinMs: number): Promise<PlatformDialed>;
  /** Whether the platform takes the settings, of that agent where each logs in there; dials nothing. */
  check(
    connection: CtiConnection,
    agent: DialedFor | null,
  ): Promise<{ kind: 'ok' } | { kind: 'refused' | 'unavailable'; said: string }>;
}

/**
 * What became of a state that was asked for. `taken`: the platform sets it; what it then is, its events tell.
 * `refused`: not for this agent now; `unavailable`: not at all at the moment, or nobody knows. `said`: by the platform
 * or of it, in English.
 */
export type PlatformStateAsked = { kind: 'taken' } | { kind: 'refused' | 'unavailable'; said: string };

/** Has telephony platforms set the states of their agents. Never rejects for what a network or a platform does. */
export interface PlatformStates {
  /** Whether the platform takes states, and all is set that it takes to ask it. */
  takes(agent: DialedFor): boolean;
  /** Asks once. @param withinMs milliseconds */
  ask(
    agent: DialedFor,
    wanted: { state: 'ready' | 'not_ready'; reason: string | null },
    withinMs: number,
  ): Promise<PlatformStateAsked>;
}

/** Told while a line is open. `message` is as the platform sent it. After `closed` nothing comes any more. */
export type LineEvents = { message: (text: string) => void; closed: (said: string) => void };

/**
 * A line by which a platform tells. `agents`: those of whom it will tell, as far as it names them at once; `renewMs`:
 * after this long another must take its place; `again`, where others may come to be told of: asks for them, every
 * `againMs` milliseconds, and has them told of.
 */
export type OpenLine = {
  kind: 'open';
  agents: ListedAgent[];
  renewMs: number;
  again: (() => Promise<HeardAgain>) | null;
  againMs: number;
  close: () => void;
};

/**
 * Listens to telephony platforms that do not come to our address by themselves.
 * Never rejects for what a network or a platform does.
 */
export interface PlatformLines {
  open(connection: CtiConnection, events: LineEvents): Promise<OpenLine | { kind: 'failed'; said: string }>;
}

export interface PlatformAgentStore {
  /**
   * An agent of whom the platform told: remembered, and found among ours by the table, else by e-mail address,
   * else by code. Null: the company has 10,000 of them already, and this one is not kept. `isByName`: the name may
   * be the agent's code, too.
   */
  meet(
    companyId: CompanyId,
    connector: string,
    met: { platformId: string; email: string | null; name: string | null; isByName?: boolean },
  ): Promise<PlatformAgent | null>;
  /**
   * Of a platform that names an agent now by an id, now by a name, which it told together: whoever was known by the
   * name is known by the id from now on, and what an admin said of either holds.
   */
  join(companyId: CompanyId, connector: string, told: { platformId: string; name: string }): Promise<void>;
  /** The id of the one agent that the platform told with that name; null: it told none, or several. */
  idOfName(companyId: CompanyId, connector: string, name: string): Promise<string | null>;
  /** What the platform tells of what its agent does. False: it has told something newer, and nothing was written. */
  noteState(
    companyId: CompanyId,
    connector: string,
    platformId: string,
    told: { state: AgentState; reason: string | null; at: Date },
  ): Promise<boolean>;
  find(companyId: CompanyId, connector: string, platformId: string): Promise<PlatformAgent | null>;
  /**
   * An admin says who that is, of an agent of whom the platform has not told yet, too; null: nobody said,
   * and it is found by e-mail address or code. Null: there is no such agent of the platform, or the company
   * has 10,000 of them already.
   */
  map(
    companyId: CompanyId,
    connector: string,
    platformId: string,
    agentId: AgentId | null,
    isByName?: boolean,
  ): Promise<PlatformAgent | null>;
  /**
   * Keeps what the agent logs in with at the platform, sealed, and drops the token that was got with what it logged in
   * with before. False: there is no such agent of the platform.
   */
  setAccount(
    companyId: CompanyId,
    connector: string,
    platformId: string,
    accountEncrypted: string | null,
  ): Promise<boolean>;
  /** By their ids. The cursor is the last id of the page before. */
  list(companyId: CompanyId, connector: string, page: PageRequest): Promise<Page<PlatformAgent>>;
  /** As which agent of which platform one of ours is known whose state a platform has told; the newest first. */
  ofAgent(companyId: CompanyId, agentId: AgentId): Promise<PlatformAgent[]>;
  /**
   * As whom a platform that dials for its agents knows one of ours, with that connection; null: none does.
   * Where several do, the one that told last.
   */
  dialedFor(companyId: CompanyId, agentId: AgentId): Promise<DialedFor | null>;
  /** Of any company: whom a platform has told since then to be at work. In no particular order. */
  atWork(since: Date, page: PageRequest): Promise<Page<PlatformAgent>>;
}
