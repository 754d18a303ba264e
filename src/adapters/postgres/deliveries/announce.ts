import { notSentDisabled } from './errorCauses.ts';

/**
 * The columns state, last_error, last_error_cause and finished_at of a delivery that is written: given up at once where
 * the endpoint is disabled, so that the log has it and it can be recovered.
 * @param disabled an SQL condition; @param now an SQL expression
 */
export function givenUpIf(disabled: string, now: string): string {
  return `CASE WHEN ${disabled} THEN 'dead' ELSE 'pending' END,
      CASE WHEN ${disabled} THEN ${notSentDisabled.error} END,
      CASE WHEN ${disabled} THEN ${notSentDisabled.cause} END,
      CASE WHEN ${disabled} THEN ${now}::timestamptz END`;
}

/**
 * Parts of a WITH that write a webhook of no call in the transaction of what it tells of; nothing is read
 * where there is none. The endpoint is held until the commit: it cannot be removed while an event is written
 * that only it can deliver.
 * @param source a part of the same WITH, with a row where there is something to tell. $1 is the company
 * @param first the number of the parameter with the delivery's id or null; then come its event and its body
 * @param now an SQL expression
 */
export function announced(source: string, first: number, now: string): string {
  const [id, event, body] = [0, 1, 2].map((place) => `$${String(first + place)}`);
  return `endpoint AS (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint
    WHERE company_id = $1 AND ${id}::uuid IS NOT NULL FOR KEY SHARE
  ), announced AS (
    INSERT INTO webhook_delivery (id, company_id, event, body, due_at, created_at, state, last_error,
      last_error_cause, finished_at)
    SELECT ${id}, endpoint.company_id, ${event}::text, ${body}::text, ${now}, ${now},
      ${givenUpIf('endpoint.disabled', now)} FROM ${source}, endpoint
  )`;
}
