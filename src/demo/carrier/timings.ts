/** How long things take at the carrier. Milliseconds. */
export type Timings = {
  /** A number rings before it answers. */
  ring: number;
  /** A number that hangs up talks. */
  talk: number;
  /** A call whose page is gone is kept, so that the page that comes after a reload finds it. */
  keep: number;
  /** A call to an agent rings. */
  patience: number;
  /** A telephone takes to acknowledge that its call was answered, or to tell how one ended. */
  acknowledge: number;
};

export const usualTimings: Timings = { ring: 1_000, talk: 2_000, keep: 15_000, patience: 20_000, acknowledge: 10_000 };
