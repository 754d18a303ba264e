import { withCaseRoom } from '../room/room.ts';
import { openWebhookScene } from '../room/webhookStacks.ts';
import type { BenchCase } from './case.ts';
import { webhookIsolation } from './webhookIsolation.ts';
import { webhookLatency } from './webhookLatency.ts';
import { webhookThroughput } from './webhookThroughput.ts';

/** Events on their way to the companies' endpoints: how many, how soon, and what some that hang do to the others. */
export const webhooksCase: BenchCase = {
  name: 'webhooks',
  async run(room, plan) {
    // One gateway at a time: two would share the work.
    const undisturbed = await withCaseRoom(room, async (fresh) => {
      const scene = await openWebhookScene(fresh);
      return [...(await webhookThroughput(scene, plan)), ...(await webhookLatency(scene, plan))];
    });
    return [...undisturbed, ...(await webhookIsolation(room, plan))];
  },
};
