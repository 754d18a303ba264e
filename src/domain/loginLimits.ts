/** Failed log-ins that are borne with, counted from the first one of a window. */
export const loginLimits = {
  windowSeconds: 15 * 60,
  /** By one account name, from anywhere. */
  perAccount: 10,
  /** From one address, on any account: an office behind one address shares it. */
  perAddress: 100,
} as const;

/** Failures counted in a window that ends in so many milliseconds; null: none. */
export type CountedFailures = { consumedPoints: number; msBeforeNext: number } | null;

/** Seconds to wait until both counts allow another try; null: it may go on now. */
export function secondsToWait(byAccount: CountedFailures, byAddress: CountedFailures): number | null {
  const waits = [waitFor(byAccount, loginLimits.perAccount), waitFor(byAddress, loginLimits.perAddress)];
  const longest = Math.max(...waits);
  return longest > 0 ? longest : null;
}

function waitFor(counted: CountedFailures, limit: number): number {
  return counted && counted.consumedPoints >= limit ? Math.ceil(counted.msBeforeNext / 1_000) : 0;
}
