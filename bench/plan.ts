/** How long and how large a run is. */
export type Plan = {
  /** How often each contender is measured. */
  repetitions: number;
  /** How long one measurement of a throughput lasts. */
  seconds: number;
  /** Before the first: compilers warm up, pools fill. */
  warmUpSeconds: number;
  customers: number;
  /** Softphones of the cases about clicks. */
  agents: number;
  /** Clicks one after the other in one repetition on an idle gateway. */
  idleClicks: number;
  /** How long clicks under load last in one repetition. */
  clickSeconds: number;
  /** Agents who are Ready in one company, and claims per repetition. */
  ready: readonly number[];
  claims: number;
  idleSockets: readonly number[];
  /** Long enough for each socket to be pinged. */
  idleSeconds: number;
  gateways: readonly number[];
  /** Softphones whose gateway is killed. */
  stranded: number;
};

/** What is published. */
export const fullPlan: Plan = {
  repetitions: 5,
  seconds: 3,
  warmUpSeconds: 2,
  customers: 10_000,
  agents: 200,
  idleClicks: 200,
  clickSeconds: 5,
  ready: [10, 1_000, 100_000],
  claims: 5_000,
  idleSockets: [1_000, 10_000],
  idleSeconds: 10,
  gateways: [2, 4, 8],
  stranded: 1_000,
};

/** Shows that everything runs; its figures mean nothing. */
export const quickPlan: Plan = {
  repetitions: 1,
  seconds: 1,
  warmUpSeconds: 1,
  customers: 500,
  agents: 60,
  idleClicks: 5,
  clickSeconds: 1,
  ready: [10, 100],
  claims: 50,
  idleSockets: [10, 20],
  idleSeconds: 1,
  gateways: [2, 3],
  stranded: 10,
};
