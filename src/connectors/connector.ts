export type ConnectorId = 'genesys' | 'avaya' | 'cisco' | 'webexcc' | 'five9' | 'nice' | 'talkdesk' | 'push' | 'asterisk';

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
  /** As the platform writes it: `tel:`, `sip:`, digits alone, an extension. */
  customer: string | null;
  /** The company's own number, as the platform writes it. */
  line: string | null;
  /** Whose call it is; null: the event holds for everybody on the call, or the platform does not say. */
  agent: PlatformAgentRef | null;
  transferredTo: PlatformAgentRef | null;
  queue: string | null;
  /** Milliseconds since the epoch; null: the platform gave no time. */
  at: number | null;
  /** Why it ended; null for other events, for a call that was talked to its end, and where the platform does not say. */
  cause: 'answered_elsewhere' | 'busy' | 'no_answer' | 'rejected' | 'canceled' | 'failed' | null;
};

/** What a platform tells that its agent does. */
export type AgentStateEvent = {
  kind: 'agent_state';
  eventId: string | null;
  agent: PlatformAgentRef;
  state: 'offline' | 'not_ready' | 'ready' | 'reserved' | 'on_call' | 'wrap_up';
  /** Why the agent is not ready, in a word of the platform or `no_answer`. */
  reason: string | null;
  /** Milliseconds since the epoch; null: the platform gave no time. */
  at: number | null;
};

export type PlatformEvent = CallEvent | AgentStateEvent;

/** A request to a company's address, as it came. */
export type PlatformDelivery = {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Buffer;
  /** Milliseconds since the epoch. */
  receivedAt: number;
};

export type Verdict = 'ok' | 'missing' | 'mismatch' | 'stale';

/** What the gateway knows of a telephony platform: data and pure functions. */
export type Connector = {
  id: ConnectorId;
  name: string;
  /** Whether the platform tells the states of its agents; else they follow their calls only. */
  tellsStates: boolean;
  /** Null: the token in the address is all. Else the connection's secret is checked against the raw body. */
  verify: ((delivery: PlatformDelivery, secret: string) => Verdict) | null;
  /** Events in the order told; [] for what does not matter. Throws `UnreadableEvent` for what is not this platform's form. */
  read(delivery: PlatformDelivery): PlatformEvent[];
};

/** What came is not in the platform's form. The message says why, and holds nothing of what came. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}
