// Apart from the schemas: pages need the numbers alone.

/** The most speed dials that an agent keeps, and that a company gives to all. */
export const maxSpeedDials = { own: 50, shared: 100 } as const;

/** The most lines that a company has names for. */
export const maxLines = 100;

/** The most numbers that a company's calls go out by. */
export const maxOutgoingNumbers = 100;

/** Missed calls are counted to this. */
export const countMissedTo = 100;

/** The largest file of numbers for the do-not-dial list. Bytes. */
export const maxListBytes = 8 * 1024 * 1024;
