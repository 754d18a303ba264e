/**
 * A browser's timer that is told more than it can count runs out at once,
 * and so does one that is told less than nothing. Seconds.
 */
const longestSeconds = 86_400;

/** @returns what a time of a session begins with as a timer can count it (RFC 4028); what stands behind it stays */
export function countable(value: string): string {
  return value.replace(/^\s*\d+/, (digits) => String(Math.min(Number(digits), longestSeconds)));
}

/** Whether a caller waits for a time that ends while anybody rings. */
export function isWait(value: string): boolean {
  return /^\d{1,10}$/.test(value) && Number(value) <= longestSeconds;
}
