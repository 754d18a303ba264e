import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startGateway, type Gateway } from './gateway.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import { WebhookRoom } from './webhookRoom.ts';

type Options = Omit<NonNullable<Parameters<typeof startGateway>[1]>, 'clock'>;

/** A gateway for a test file, whose clock the tests move, with a company and its endpoint of each test's own. */
export function useWebhookRooms(slugs: string, options: Options = {}) {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms: WebhookRoom[] = [];

  /** Another company with its endpoint. */
  const open = async (): Promise<WebhookRoom> => {
    const opened = await WebhookRoom.open(gateway, clock, `${slugs}-${rooms.length}`);
    rooms.push(opened);
    return opened;
  };

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', { ...options, clock });
  });
  beforeEach(async () => {
    room = await open();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(rooms.map((one) => one.close()));
  });

  return {
    open,
    get clock() {
      return clock;
    },
    get gateway() {
      return gateway;
    },
    get room() {
      return room;
    },
  };
}
