/**
 * What a gateway closes when it ends, in this order. The parts register how under these names (`Cleanup`) as they open;
 * a start that fails closes in the same order what it had opened. What is not there, such as Redis, is passed over.
 */
export const shutdownOrder = [
  // Nothing new comes in. First the demo, whose calls and open event streams would delay the rest;
  // then load balancers are told and softphones move away.
  'the demo',
  'requests and softphones under way',
  'the ends of connections',

  // Rounds end. First deletions are cut short, as a long one must not delay the shutdown.
  'deletions under way',
  'the pruning of what supervisors watch',
  'the rolling up of calls',
  'the pruning of webhook deliveries',
  'the pruning of Idempotency-Keys',
  'the giving up of webhooks',
  'the reaping of calls',
  'the look for messages',
  'the sweep of agents',

  // Work under way ends, and gives back what it had leased.
  // What tells stops before what it tells, so that nothing comes after.
  'what telephony platforms tell',
  'what telephony platforms tell of dials under way',
  'reports that are being sent',
  'tasks that are being announced',
  'calls that are being logged in CRM systems',
  'webhook attempts under way',
  'contacts that are being compared',
  'imports under way',
  'records of CRM systems that are being read',

  // Not before: once the lease has ended, others give back the endpoints that are being served here,
  // and send again what is under way. Given up, it need not be waited for until it expires.
  'the heartbeat of this gateway',
  'the lease of this gateway',
  'the channel to the other gateways',

  // What all of these have left in memory is written, and what still fails is given up.
  'the count of clicks',
  'the timelines of agents',
  'repairs that are tried again',

  // Nobody sends any more.
  'requests to CRM systems',
  'the webhook sender',

  // Nobody reads or writes any more. The stores go last, each before what it lives on.
  'the clock of the presence store',
  'the subscriptions at Redis',
  'the connection to Redis',
  'the channel of delivery notifications',
  'Prisma',
  'the database’s clock',
  'the connections of readyline reserve to PostgreSQL',
  'the connections of readyline reports to PostgreSQL',
  'the connections of readyline to PostgreSQL',
  'the embedded PostgreSQL',
] as const;

export type ShutdownStep = (typeof shutdownOrder)[number];
