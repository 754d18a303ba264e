import { describe, expect, it } from 'vitest';
import type { ClickToDialOffer } from '../../src/contract/socket.ts';
import { drainConnections, stragglersMs } from '../../src/realtime/drainConnections.ts';
import { clickOf } from '../support/gateway/fakeGateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';

const spreadMs = 2_000;

/** Softphones of one gateway, which leave when they are told to, unless they are stubborn. */
class Seats {
  readonly clock = createManualClock(0);
  readonly here = new Set<Seat>();
  readonly told: { seat: Seat; at: number; withinMs: number }[] = [];
  readonly closed: Seat[] = [];
  done = false;

  add(changes: { offer?: ClickToDialOffer; stays?: boolean } = {}): Seat {
    const { offer = null, stays = false } = changes;
    const seat: Seat = {
      offer: offer === null ? null : { dial: offer },
      socket: {
        emit: (_, { within_ms }) => {
          this.told.push({ seat, at: this.clock.now(), withinMs: within_ms });
          if (!stays) this.here.delete(seat);
        },
        conn: { close: () => this.closed.push(seat) },
      },
    };
    this.here.add(seat);
    return seat;
  }

  /** Begins; resolves when the first have been told. */
  async begin(others: Seat[] = []): Promise<void> {
    const { clock, here } = this;
    const connections = () => [...here, ...others].map(({ socket }) => socket);
    void drainConnections({ softphones: () => here, connections, clock, spreadMs }).then(() => (this.done = true));
    await clock.advance(0);
  }
}
type Seat = {
  offer: { dial: ClickToDialOffer } | null;
  socket: { emit(event: 'gateway_closing', notice: { within_ms: number }): unknown; conn: { close(): unknown } };
};

describe('the softphones of a gateway that is about to close', () => {
  it('are told evenly over the time, each in time to move, and the gateway waits no longer than for the last', async () => {
    const seats = new Seats();
    const all = Array.from({ length: 1_000 }, () => seats.add());
    await seats.begin();
    for (const quarter of [1, 2, 3, 4]) {
      await seats.clock.advance(spreadMs / 4);
      expect(Math.abs(seats.told.length - quarter * 250)).toBeLessThan(25);
    }
    await seats.clock.advance(20);
    expect([seats.told.length, seats.done, seats.closed]).toEqual([1_000, true, []]);
    expect(seats.told.every(({ withinMs, at }) => withinMs === spreadMs + stragglersMs - at)).toBe(true);
    // In no order that would show.
    const order = seats.told.map(({ seat }) => all.indexOf(seat));
    expect(order).not.toEqual([...order].sort((one, other) => one - other));
  });

  it('are told last while they are being offered a call', async () => {
    const seats = new Seats();
    const busy = seats.add({ offer: clickOf('1').dial });
    for (let n = 0; n < 50; n++) seats.add();
    await seats.begin();
    await seats.clock.advance(spreadMs - 100);
    expect(seats.told.map(({ seat }) => seat)).not.toContain(busy);
    await seats.clock.advance(200);
    expect(seats.told.at(-1)?.seat).toBe(busy);
    // It may acknowledge on the connection that it has left.
    expect(seats.done).toBe(false);
    busy.offer = null;
    await seats.clock.advance(20);
    expect([seats.told.length, seats.done]).toEqual([51, true]);
  });

  it('are told too when they come meanwhile, and closed at the end with whoever else is connected', async () => {
    const seats = new Seats();
    const watcher = new Seats().add();
    let watcherClosed = 0;
    watcher.socket.conn.close = () => (watcherClosed += 1);
    const stubborn = seats.add({ stays: true });
    await seats.begin([watcher]);
    await seats.clock.advance(spreadMs / 2);
    const late = seats.add();
    await seats.clock.advance(spreadMs / 2);
    expect(new Set(seats.told.map(({ seat }) => seat))).toEqual(new Set([stubborn, late]));
    expect([seats.closed, watcherClosed]).toEqual([[], 0]);
    await seats.clock.advance(stragglersMs + 20);
    expect([seats.done, seats.closed, watcherClosed, seats.told.length]).toEqual([true, [stubborn], 1, 2]);
  });
});
