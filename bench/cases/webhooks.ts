import type { BenchCase } from './case.ts';
import { webhookIsolation } from './webhookIsolation.ts';
import { webhookLatency } from './webhookLatency.ts';
import { webhookThroughput } from './webhookThroughput.ts';

/** Events on their way to the companies' endpoints: how many, how soon, and what one that hangs does to the others. */
export const webhooksCase: BenchCase = {
  name: 'webhooks',
  async run(room, plan) {
    return [
      ...(await webhookThroughput(room, plan)),
      ...(await webhookLatency(room, plan)),
      ...(await webhookIsolation(room, plan)),
    ];
  },
};
