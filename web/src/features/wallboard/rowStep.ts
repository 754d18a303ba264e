/**
 * Where a key leads to from a row. @param page rows that fit on the screen; @returns null: the key leads nowhere
 */
export function rowStep(key: string, from: number, count: number, page: number): number | null {
  const wanted: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const next = wanted[key];
  if (next === undefined || count === 0) return null;
  return Math.min(Math.max(next, 0), count - 1);
}
