/** What the use cases tell the operator: counted as metrics, written as log lines. No personal data. */
export interface Observer {
  /** `unknown`: answered with `outcome_unknown`; `failed`: something broke, and nothing was dialed. */
  click(
    outcome: 'dialing' | 'no_ready_agent' | 'agent_not_ready' | 'unavailable' | 'unknown' | 'failed' | 'refused' | 'replayed',
    milliseconds: number,
  ): void;
  offer(outcome: 'acknowledged' | 'declined' | 'undelivered' | 'unreachable'): void;
  delivery(outcome: 'delivered' | 'retried' | 'dead', milliseconds: number): void;
  /** A delivery is about to be sent for the first time. @param delayMs milliseconds since it fell due */
  firstAttempt(delayMs: number): void;
  /** An endpoint's breaker opened, it is well again, or nothing is sent to it any more. Its URL is nobody's business. */
  endpoint(change: 'paused' | 'recovered' | 'disabled', fields: { company_id: string } & Record<string, unknown>): void;
  push(entries: number): void;
  repaired(what: 'unrecorded_dial' | 'abandoned_call' | 'lost_presence' | 'dead_gateway'): void;
  /** A connection of the real-time interface was ended for what it did. @param fields null: nobody knows whose it was */
  cut(reason: 'not_admitted' | 'flood' | 'slow_consumer', fields: Record<string, unknown> | null): void;
  problem(message: string, error: unknown, fields?: Record<string, unknown>): void;
}
