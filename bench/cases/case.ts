import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import type { CaseRoom } from '../room/room.ts';

/** One question that the benchmark answers. */
export type BenchCase = {
  /** As typed on the command line. */
  name: string;
  run(room: CaseRoom, plan: Plan): Promise<Row[]>;
};

/** Throughput of what the bare stack does, too. */
export const throughputGoal = { atLeast: 0.8 };
/** Latency of a click against the bare stack's. */
export const clickGoal = { atMost: 1.5 };
