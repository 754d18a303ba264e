/**
 * The columns state, last_error and finished_at of a delivery that is written: given up at once where the endpoint is
 * disabled, so that the log has it and it can be recovered.
 * @param disabled an SQL condition; @param now an SQL expression
 */
export function givenUpIf(disabled: string, now: string): string {
  return `CASE WHEN ${disabled} THEN 'dead' ELSE 'pending' END,
      CASE WHEN ${disabled} THEN 'Not sent: the endpoint is disabled.' END,
      CASE WHEN ${disabled} THEN ${now}::timestamptz END`;
}
