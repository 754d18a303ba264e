import { describe, it } from 'vitest';
import { wholePatienceMs } from '../support/time/pace.ts';
import { openCluster } from './chaosCluster.ts';
import { fullCampaign, losesNoWebhook } from './form.ts';
import { battlefieldOf, openSingle } from './webhooks/battlefields.ts';

// Each kill has its own start, and the load that it needs to show anything.
describe(
  'no webhook is lost, and each duplicate is explained',
  { timeout: fullCampaign.kills * wholePatienceMs() },
  () => {
    it('when a gateway by itself is killed 100 times under load', async () => {
      const battlefield = await openSingle();
      try {
        await losesNoWebhook('a gateway is killed 100 times', battlefield, fullCampaign);
      } finally {
        await battlefield.cluster.stop();
      }
    });

    it('when two gateways behind Redis are killed in turn, and their endpoints move from one to the other', async () => {
      const chaos = await openCluster({ gateways: 2 });
      try {
        await losesNoWebhook('two gateways are killed in turn', battlefieldOf(chaos), { ...fullCampaign, kills: 40 });
      } finally {
        await chaos.stop();
      }
    });
  },
);
