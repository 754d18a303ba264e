import type { ConnectorId, PlatformCause } from '../contract/platforms.ts';
import type { AgentState } from '../contract/vocabulary.ts';
import type { AccountSettings, PlatformAccount } from './accounts/platformAccount.ts';

/** How a platform names an agent: any of the three may be there. */
export type PlatformAgentRef = { id: string | null; email: string | null; name: string | null };

/** What a platform tells of a call. */
export type CallEvent = {
  kind: 'call';
  event: 'ringing' | 'answered' | 'held' | 'resumed' | 'transferred' | 'ended';
  /** The platform's, by which a repetition is known; null: it gives none. */
  eventId: string | null;
  /** What the platform calls the call. */
  callId: string;
  direction: 'inbound' | 'outbound' | null;
  /** As the platform writes it: with `tel:`, digits alone, an extension. */
  customer: string | null;
  /** The company's number that the customer called, as the platform writes it; null: not told, or they were called. */
  dialedNumber: string | null;
  agent: PlatformAgentRef | null;
  transferredTo: PlatformAgentRef | null;
  queue: string | null;
  /** Milliseconds since the epoch; null: the platform gives no time. */
  at: number | null;
  /** Why it ended, where the platform tells; of a call that rings: why it ended, should nothing more come of it. */
  cause: PlatformCause | null;
  /** How long agent and customer talked, of a call that ended, where the platform tells. Milliseconds. */
  talkMs: number | null;
};

/** What a platform tells that its agent does. */
export type AgentStateEvent = {
  kind: 'agent_state';
  eventId: string | null;
  agent: PlatformAgentRef;
  state: AgentState;
  reason: string | null;
  at: number | null;
};

export type PlatformEvent = CallEvent | AgentStateEvent;

/** A request to the address of a company, as it came. */
export type PlatformDelivery = {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Buffer;
  /** Milliseconds since the epoch. */
  receivedAt: number;
};

export type Verdict = 'ok' | 'missing' | 'mismatch' | 'stale';

/** A state of a platform's agents, by the name that the platform has for it, and what it is here. */
export type StateTable = Readonly<Record<string, { state: AgentState; reason?: string }>>;

/** What the gateway knows of a telephony platform: data and pure functions. */
export type Connector = {
  id: ConnectorId;
  name: string;
  /** Null: the token in the address is the only credential. Else proves a delivery by the secret that was issued. */
  verify: ((delivery: PlatformDelivery, secret: string) => Verdict) | null;
  /** The platform's states; folded by `stateName`. */
  states: StateTable;
  /**
   * What the gateway itself asks of the platform, by the company's account there: to dial, and to tell. Null: nothing.
   */
  account: PlatformAccount | null;
  /**
   * Ids, by the company's account there, that are no agents', e.g. those of trunks: what is told of them is left out.
   * Absent: there are none.
   */
  strangers?: (settings: AccountSettings) => ReadonlySet<string>;
  /** The platform names an agent now by its id, now by its name, now by both: a name is as good as an id. */
  namesAreIds?: true;
  /**
   * The events in the order told; none for what does not matter here.
   * Throws `UnreadableEvent` for what is not this platform's form.
   */
  read(delivery: PlatformDelivery): PlatformEvent[];
};

/** What came is not in the platform's form. The message says why, and holds nothing of what came. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}
