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

  /** By whom each delivery that is under way is sent. */
  async function senders(): Promise<Set<string>> {
    const { rows } = await database.query<{ sender: string }>(
      `SELECT claim_id::text AS sender FROM webhook_delivery WHERE state = 'in_flight'`,
    );
    return new Set(rows.map(({ sender }) => sender));
  }

  it('goes out at once, from there', async () => {
    const [earlier] = await room.arrived(await room.call());
    const held = deliveryIdOf(earlier);
    await room.settled(held, 1);
    // The other one has it again, as after a failure, and with it the endpoint.
    await database.query(
      `UPDATE webhook_delivery SET state = 'in_flight', claim_id = $2, due_at = $3, finished_at = NULL WHERE id = $1`,
      [held, two.meddling.nodeId, new Date(clock.now() + 45_000)],
    );
    const answers: (() => void)[] = [];
    room.receiver.answerWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
    await clock.advance(restMs);
    const calls = [await room.call(), await room.call()];
    await clock.advance(restMs);
    for (const call of calls) await room.arrived(call);
    expect(await senders()).toEqual(new Set([two.meddling.nodeId]));
    expect(room.receiver.received).toHaveLength(3);
    for (const answer of answers) answer();
  });
});
