import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import type { CaseRoom } from '../room/room.ts';

/** One question that the benchmark answers. */
export type BenchCase = {
  /** As typed on the command line. */
  name: string;
  run(room: CaseRoom, plan: Plan): Promise<Row[]>;
};

/** Lookups and bulk rows, against the bare stack's; single pushes, of which the gateway writes many at once. */
export const throughputGoals = {
  lookup: { atLeast: 1.3 },
  equalSettings: { atLeast: 0.85 },
  push: { atLeast: 2.5 },
  bulk: { atLeast: 0.8 },
};
/** Claims that a crash cannot lose, against those that it can. */
export const claimGoal = { atLeast: 0.7 };
/** Latency of a click against the bare stack's: idle at the gateway of the softphone and at another, under load. */
export const clickGoals = { same: { atMost: 1.4 }, other: { atMost: 1.6 }, loaded: { atMost: 1.4 } };
/** Latency of a click among 100,000 agents against that among 100. */
export const crowdGoal = { atMost: 1.2 };
/** Processor time of a call against the bare stack's. */
export const callCostGoals = {
  same: { server: { atMost: 1.7 }, postgres: { atMost: 2.2 }, redis: { atMost: 2 } },
  other: { server: { atMost: 2 }, postgres: { atMost: 2.2 }, redis: { atMost: 2 } },
};
/** Deliveries, signed, logged and settled, against those of a loop that only sends, and of one that keeps them, too. */
export const webhookGoals = { unkept: { atLeast: 0.35 }, kept: { atLeast: 0.7 } };
/** Memory of an idle agent against the bare stack's; processor time in a second of a gateway without any, ms. */
export const idleGoals = { memory: { atMost: 1.3 }, empty: { atMost: 5 } };
/** From a gateway's end until its 2,000 softphones are Ready at others. Seconds. */
export const recoveryGoal = { atMost: 3.5 };
/** 100,000 contacts: seconds to check and to import them, MiB beyond an idle gateway's. */
export const importGoals = { check: { atMost: 8 }, run: { atMost: 20 }, memory: { atMost: 150 } };
/** Logging calls while other companies' CRM is dead, against the same without those: waits, and calls per second. */
export const deadCrmGoals = { wait: { atMost: 1.5 }, rate: { atLeast: 0.8 } };
/** Searching as somebody types: what is felt as at once. p99, ms. */
export const searchGoal = { atMost: 100 };
/** From an event to its first attempt at a healthy endpoint, whatever another one does. p99, ms. */
export const isolationGoal = { atMost: 1_000 };
/** Clicks while another company attacks their gateway, against the same without. p99. */
export const neighbourGoal = { atMost: 2 };
