/** The middle one of them, or the mean of the middle two. NaN for none. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/**
 * The value that `percent` of them do not exceed, between two neighbours in proportion. NaN for none.
 * @param percent 0 to 100
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Each of the one divided by the other that was measured right beside it. */
export function ratios(ones: readonly number[], others: readonly number[]): number[] {
  return ones.map((one, index) => one / (others[index] ?? Number.NaN));
}
