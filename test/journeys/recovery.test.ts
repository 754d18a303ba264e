import { beforeEach, describe, expect, it } from 'vitest';
import { gate, type Gate } from '../support/time/gate.ts';
import { later, useWebhookRooms, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const recover = '/api/integrations/webhook-deliveries/recover';

describe('the recovery of a disabled endpoint', () => {
  let revival: Gate;
  let room: WebhookRoom;
  const rooms = useWebhookRooms('recovery', {
    wrap: (services) => ({
      ...services,
      outbox: {
        ...services.outbox,
        redeliverDeadSince: (...since) => revival.pass(() => services.outbox.redeliverDeadSince(...since)),
      },
    }),
  });
  beforeEach(() => {
    ({ room } = rooms);
    revival = gate();
  });

  const since = () => new Date(rooms.clock.now() - 60_000).toISOString();

  it('lets no new event of a call overtake those that it brings back', async () => {
    await room.save({ webhook_enabled: false });
    const callId = await room.click();
    revival.shut();
    const recovering = room.post(recover, { since: since() });
    await revival.reached();
    await room.answer(callId);
    // The dispatcher has looked since, for it served somebody else: nothing is sent before the
    // lost events are due again.
    const other = await rooms.open();
    await other.arrived(await other.call());
    expect(room.receiver.received).toEqual([]);
    revival.open();
    expect((await recovering).body).toEqual({ redelivering: 2 });
    const sequences = (await room.arrived(callId, 3)).map(({ body }) => body.data['sequence']);
    expect(sequences).toEqual([1, 2, 3]);
  });

  it('is over after a minute, should the gateway not end it', async () => {
    await room.save({ webhook_enabled: false });
    const callId = await room.click();
    revival.shut();
    const recovering = room.post(recover, { since: since() });
    await revival.reached();
    await room.answer(callId);
    await later(rooms.clock, 61_000, () => room.received(callId).length === 1);
    expect(room.received(callId)[0]?.body.data['sequence']).toBe(3);
    revival.open();
    await recovering;
    await room.arrived(callId, 3);
  });
});
