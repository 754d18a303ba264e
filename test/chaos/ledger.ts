import type { AgentState, CallState, Connection } from '../../src/contract/vocabulary.ts';
import type { LineState } from '../../src/client/softphone.ts';

/** What a click was answered; `broken`: no answer of a gateway came, so that nobody knows what became of it. */
export type ClickAnswer =
  | { kind: 'dialed'; callId: string; agentId: string }
  | { kind: 'refused'; status: number; code: string }
  | { kind: 'broken'; detail: string };

/** One request for a click; a click that bears an Idempotency-Key may take several. Times as of `Ledger.now`. */
export type Try = { via: string; sentAt: number; answeredAt: number | null; answer: ClickAnswer | null };

/** One wish to dial. Its id travels as `external_id`, so that pops and calls can be told to be of it. */
export type Click = { id: string; companyId: string; agentId: string | null; key: string | null; tries: Try[] };

/** What happened at a softphone. `offer`: it is about to acknowledge; `pop_gone`: the customer is off the screen. */
export type SoftphoneEvent = { at: number; agentId: string } & (
  | { kind: 'pop' | 'offer'; callId: string; clickId: string | null }
  | { kind: 'pop_gone' | 'dial' | 'hung_up'; callId: string }
  | { kind: 'told_call'; callId: string; state: CallState }
  | {
      kind: 'told_agent';
      state: AgentState;
      reason: string | null;
      callId: string | null;
      connection: Connection | null;
      version: number;
    }
  | { kind: 'line'; state: LineState }
);

/** A webhook as it arrived. */
export type ReceivedWebhook = {
  at: number;
  companyId: string;
  deliveryId: string;
  event: string;
  callId: string | null;
  verdict: string;
};

/** What a gateway's softphones are in Redis, against what they really are. `evidence`: who, and for how long. */
export type Stale = { at: number; agentId: string; forMs: number; detail: string };

/** Something that was done to the cluster, for reading the rest. */
export type Deed = { at: number; what: string };

/** Everything that was promised and that happened in one scenario, in the order in which it was seen. */
export class Ledger {
  readonly clicks: Click[] = [];
  readonly events: SoftphoneEvent[] = [];
  readonly webhooks: ReceivedWebhook[] = [];
  readonly stale: Stale[] = [];
  readonly deeds: Deed[] = [];
  /** How many requests beside clicks were answered, by what they were and the status; 0: broken. */
  readonly requests = new Map<string, number>();
  readonly #begunAt = performance.now();

  /** Milliseconds since the ledger was opened. */
  now(): number {
    return Math.round((performance.now() - this.#begunAt) * 10) / 10;
  }

  did(what: string): void {
    this.deeds.push({ at: this.now(), what });
  }

  count(what: string): void {
    this.requests.set(what, (this.requests.get(what) ?? 0) + 1);
  }
}
