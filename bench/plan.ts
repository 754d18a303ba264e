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
  /** Calls of a company in a year, and its agents, for reports. */
  reports: { calls: number; agents: number };
  /** Agents who are Ready in a company of teams, and how many teams of equal size they are in. */
  teams: { agents: number; count: number };
  /** Agents who are Ready in one company, and claims per repetition. */
  ready: readonly number[];
  claims: number;
  idleSockets: readonly number[];
  /** Long enough for each socket to be pinged. */
  idleSeconds: number;
  gateways: readonly number[];
  /**
   * Agents of one company, few and many, over so many gateways. `softphones`: of the many; the others are Ready in the
   * store alone, at a gateway of their own, since two cores do not carry more sockets.
   */
  crowd: { few: number; many: number; softphones: number; gateways: number };
  /** Softphones whose gateway is killed. */
  stranded: readonly number[];
  /** Companies with a webhook endpoint, and how many attempts each may have under way. */
  webhookLoads: readonly { endpoints: number; maxInFlight: number; thinks?: boolean }[];
  /** How many fall due at a time. */
  deliveries: number;
  /** Companies whose agents dial by hand, all of them together so often, for so long. */
  eventEndpoints: number;
  callsPerSecond: number;
  eventSeconds: number;
  /** Endpoints that hang at once, and how many deliveries wait for all of them together. */
  hung: readonly number[];
  hungDeliveries: number;
  /** Of each of them, before anything is measured; with 10 its breaker opens. */
  hungFailures: number;
  /** How long the others are watched after that. */
  pausedSeconds: number;
  /** Companies whose CRM is dead, each with a call to be logged; and those whose CRM answers. */
  deadCompanies: number;
  loggingCompanies: number;
  /** Calls of the latter that fall due one by one, for so long; and how many fall due at a time after that. */
  logsPerSecond: number;
  logSeconds: number;
  logsAtOnce: number;
  /** Contacts of the company that is searched, companies with 20 each beside it, and what is typed letter by letter. */
  contacts: number;
  smallCompanies: number;
  searches: number;
  /** Calls and notes of one contact, deals on one board, and how often each list is asked for in one repetition. */
  timelineEntries: number;
  deals: number;
  listRequests: number;
  /** Rows of the file that is imported. */
  importRows: number;
  /** How long a company attacks in one repetition, and how often its neighbour clicks meanwhile. */
  hostileSeconds: number;
  hostileClicksPerSecond: number;
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
  teams: { agents: 10_000, count: 50 },
  reports: { calls: 1_000_000, agents: 50 },
  idleSockets: [1_000, 10_000],
  idleSeconds: 10,
  gateways: [2, 4, 8],
  crowd: { few: 100, many: 100_000, softphones: 40_000, gateways: 4 },
  stranded: [1_000, 2_000],
  webhookLoads: [
    { endpoints: 1, maxInFlight: 4 },
    { endpoints: 1, maxInFlight: 32 },
    { endpoints: 100, maxInFlight: 4 },
    { endpoints: 1_000, maxInFlight: 4 },
    { endpoints: 1, maxInFlight: 32, thinks: true },
    { endpoints: 10, maxInFlight: 4, thinks: true },
  ],
  deliveries: 6_000,
  eventEndpoints: 100,
  callsPerSecond: 33,
  eventSeconds: 10,
  hung: [1, 64],
  hungDeliveries: 50_000,
  hungFailures: 0,
  pausedSeconds: 20,
  deadCompanies: 2_000,
  loggingCompanies: 400,
  logsPerSecond: 33,
  logSeconds: 20,
  logsAtOnce: 2_000,
  contacts: 100_000,
  smallCompanies: 200,
  searches: 200,
  timelineEntries: 10_000,
  deals: 5_000,
  listRequests: 200,
  importRows: 100_000,
  hostileSeconds: 5,
  hostileClicksPerSecond: 20,
};

/** Shows that everything runs; its figures mean nothing. */
export const quickPlan: Plan = {
  repetitions: 1,
  seconds: 1,
  warmUpSeconds: 0.5,
  customers: 500,
  agents: 60,
  idleClicks: 5,
  clickSeconds: 1,
  ready: [10, 100],
  claims: 50,
  teams: { agents: 40, count: 4 },
  reports: { calls: 2_000, agents: 3 },
  idleSockets: [10, 20],
  idleSeconds: 1,
  gateways: [2, 3],
  crowd: { few: 5, many: 30, softphones: 20, gateways: 2 },
  stranded: [10],
  webhookLoads: [
    { endpoints: 1, maxInFlight: 4 },
    { endpoints: 10, maxInFlight: 4 },
  ],
  deliveries: 200,
  eventEndpoints: 5,
  callsPerSecond: 2,
  eventSeconds: 1,
  hung: [1],
  hungDeliveries: 50,
  // The first one ends after 15 s.
  hungFailures: 9,
  pausedSeconds: 1,
  deadCompanies: 20,
  loggingCompanies: 4,
  logsPerSecond: 10,
  logSeconds: 1,
  logsAtOnce: 20,
  contacts: 500,
  smallCompanies: 2,
  searches: 6,
  timelineEntries: 200,
  deals: 200,
  listRequests: 5,
  importRows: 1_200,
  hostileSeconds: 2,
  hostileClicksPerSecond: 5,
};
