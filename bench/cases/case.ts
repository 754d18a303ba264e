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
/** Deliveries, signed, logged and settled, against those of a loop that only sends. */
export const webhookGoal = { atLeast: 0.6 };
/** Logging calls while other companies' CRM is dead, against the same without those: waits, and calls per second. */
export const deadCrmGoals = { wait: { atMost: 1.5 }, rate: { atLeast: 0.8 } };
/** Searching as somebody types: what is felt as at once. p99, ms. */
export const searchGoal = { atMost: 100 };
/** From an event to its first attempt at a healthy endpoint, whatever another one does. p99, ms. */
export const isolationGoal = { atMost: 1_000 };
/** Clicks while another company attacks their gateway, against the same without. p99. */
export const neighbourGoal = { atMost: 2 };
