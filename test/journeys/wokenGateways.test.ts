import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

/** Ends the rest between two announcements, long before any dispatcher looks by itself. */
const restMs = 20;

describe('a webhook whose endpoint another gateway serves', () => {
  // It stands still but for the rests: no gateway looks into the outbox without being told.
  const clock = createManualClock(Date.now());
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let room: WebhookRoom;
  let database: pg.Client;

  beforeAll(async () => {
    gateways = await startGateways(2, { clock });
    [one, two] = [gateways.at(0), gateways.at(1)];
    // Its softphone is connected to one, so that its events are written there.
    room = await WebhookRoom.open(one, clock, 'woken');
    database = new pg.Client({ connectionString: gateways.config.databaseUrl ?? '' });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await room.close();
    await gateways.close();
  });

  it('goes out at once, from there', async () => {
    const [earlier] = await room.arrived(await room.call());
    await room.settled(deliveryIdOf(earlier), 1);
    await database.query('UPDATE webhook_endpoint SET holder = $1, held_until = $2', [
      two.meddling.nodeId,
      new Date(clock.now() + 45_000),
    ]);
    const answers: (() => void)[] = [];
    room.receiver.answerWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
    await clock.advance(restMs);
    const calls = [await room.call(), await room.call()];
    await clock.advance(restMs);
    for (const call of calls) await room.arrived(call);
    const { rows } = await database.query<{ holder: string }>('SELECT holder::text FROM webhook_endpoint');
    expect(rows).toEqual([{ holder: two.meddling.nodeId }]);
    expect(room.receiver.received).toHaveLength(3);
    for (const answer of answers) answer();
  });
});
