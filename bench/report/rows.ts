/** What is demanded of a ratio to the bare stack, or of a figure that stands alone. */
export type Goal = { atLeast: number } | { atMost: number };

type Measured = {
  /** What was measured, as the table says it. */
  what: string;
  /** As the table says it: `requests/s`, `ms`, `KiB`. */
  unit: string;
  /** One value per repetition. */
  readyline: number[];
  goal: Goal | null;
};

/** A figure beside that of the bare stack, measured in turn: the values at one index belong together. */
export type Comparison = Measured & { bare: number[] };
/** A figure without a bare counterpart. */
export type Figure = Measured & { bare: null };
export type Row = Comparison | Figure;

/** What one case found. */
export type CaseResult = { name: string; rows: Row[] };

export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
