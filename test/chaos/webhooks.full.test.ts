import { it } from 'vitest';
import { createDatabase } from '../support/stores/postgres.ts';
import { losesNoWebhook, shortCampaign } from './form.ts';
import { openSingle } from './webhooks/battlefields.ts';

// The proof that no webhook is lost, shortened: the whole of it is `npm run test:chaos`.

it('a gateway that is killed 8 times under load loses no webhook, and each duplicate is explained', async () => {
  const database = await createDatabase();
  const battlefield = await openSingle(database.url);
  try {
    await losesNoWebhook('a gateway is killed 8 times, short', battlefield, shortCampaign);
  } finally {
    await battlefield.cluster.stop();
  }
  await database.drop();
});
