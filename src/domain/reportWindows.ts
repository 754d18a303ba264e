/** A time from its beginning to before its end. */
export type Window = { since: Date; until: Date };

export const dayMs = 86_400_000;

/** Where the day of UTC begins that holds this time. */
export function beginningOfUtcDay(at: number): Date {
  return new Date(Math.floor(at / dayMs) * dayMs);
}

/**
 * Splits a time into whole days of UTC that are rolled up and still right,
 * and what has to be read from the records themselves: each moment is in one of them.
 * @param rolledUpUntil the beginning of a day of UTC; null: nothing is rolled up
 * @param stale beginnings of days of UTC that were changed since they were rolled up
 */
export function splitAtRollUps(
  { since, until }: Window,
  rolledUpUntil: Date | null,
  stale: readonly Date[],
): { rolledUp: Window | null; records: Window[] } {
  const first = Math.ceil(since.getTime() / dayMs) * dayMs;
  const end = Math.min(beginningOfUtcDay(until.getTime()).getTime(), rolledUpUntil?.getTime() ?? 0);
  if (first >= end) return { rolledUp: null, records: [{ since, until }] };
  const wrong = [...new Set(stale.map((day) => day.getTime()))]
    .filter((day) => day >= first && day < end)
    .toSorted((one, other) => one - other);
  const edges: [number, number][] = [
    [since.getTime(), first],
    ...wrong.map((day): [number, number] => [day, day + dayMs]),
    [end, until.getTime()],
  ];
  return { rolledUp: { since: new Date(first), until: new Date(end) }, records: joined(edges) };
}

/** In order, those that touch as one, without empty ones. */
function joined(times: readonly [number, number][]): Window[] {
  const windows: [number, number][] = [];
  for (const [from, end] of times) {
    const last = windows.at(-1);
    if (from >= end) continue;
    if (last !== undefined && last[1] === from) last[1] = end;
    else windows.push([from, end]);
  }
  return windows.map(([from, end]) => ({ since: new Date(from), until: new Date(end) }));
}
