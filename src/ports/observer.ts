/**
 * `kept`: the record is kept for all its numbers. `deleted`: what was kept of it is forgotten. `queued`: only its id
 * came, and it will be read; then `read`, `gone` (it is not there any more), `unreadable` (the CRM did not tell) or
 * `not_connected`. `without_number`: nobody could call by it. `repeated`: it came before. `full`: too many wait, and
 * the CRM is to send it again. `expired`: it waited too long. `ignored`: it is about something else.
 */
export type CrmNoticeOutcome =
  | 'kept'
  | 'deleted'
  | 'queued'
  | 'read'
  | 'gone'
  | 'unreadable'
  | 'not_connected'
  | 'without_number'
  | 'repeated'
  | 'full'
  | 'expired'
  | 'ping'
  | 'ignored';

/** What the use cases tell the operator: counted as metrics, written as log lines. No personal data. */
export interface Observer {
  /** `unknown`: answered with `outcome_unknown`; `failed`: something broke, and nothing was dialed. */
  click(
    outcome:
      'dialing' | 'no_ready_agent' | 'agent_not_ready' | 'unavailable' | 'unknown' | 'failed' | 'refused' | 'replayed',
    milliseconds: number,
  ): void;
  offer(outcome: 'acknowledged' | 'declined' | 'undelivered' | 'unreachable'): void;
  delivery(outcome: 'delivered' | 'retried' | 'dead', milliseconds: number): void;
  /** A delivery is about to be sent for the first time. @param delayMs milliseconds since it fell due */
  firstAttempt(delayMs: number): void;
  /** An endpoint's breaker opened, it is healthy again, or it was disabled. Without its URL, which may be secret. */
  endpoint(change: 'paused' | 'recovered' | 'disabled', fields: { company_id: string } & Record<string, unknown>): void;
  push(entries: number): void;
  /** A number was looked up in a CRM. @param outcome `found`, `nobody`, or why the CRM did not tell */
  crmLookup(provider: string, outcome: string, milliseconds: number): void;
  /**
   * An attempt to log a call in a CRM is over.
   * @param outcome `logged`, `later`, `never`, `held_back`, or why the CRM did not take it
   */
  crmWriteBack(provider: string, outcome: string, milliseconds: number): void;
  /** A CRM's own notice was taken or dropped, or a record that it named was read. @param outcome what came of it */
  crmNotice(provider: string, outcome: CrmNoticeOutcome): void;
  /** So many records wait to be read that the company's CRM is told to send its notices again. */
  crmNoticesRefused(fields: { company_id: string; provider: string }): void;
  /** A record that a CRM told of is not read, or several. */
  crmNoticesDropped(fields: { company_id: string; provider: string; reason: string }): void;
  repaired(what: 'unrecorded_dial' | 'abandoned_call' | 'lost_presence' | 'dead_gateway'): void;
  /** A socket connection was cut for what it did. @param fields null: nobody knows whose it was */
  cut(reason: 'not_admitted' | 'flood' | 'slow_consumer', fields: Record<string, unknown> | null): void;
  problem(message: string, error: unknown, fields?: Record<string, unknown>): void;
}
