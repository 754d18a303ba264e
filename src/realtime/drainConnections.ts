import type { Clock } from '../ports/clock.ts';
import type { Offered } from './nodeLink.ts';

/** Time the softphone that was told last still gets to leave, after the spread. Milliseconds. */
export const stragglersMs = 3_000;
const tickMs = 20;

type Line = {
  emit(event: 'gateway_closing', notice: { within_ms: number }): unknown;
  conn: { close(): unknown };
};
type MovingSoftphone = { socket: Line; offer: Offered | null };

/**
 * Moves the softphones of this gateway to the other gateways. Each is told that this one is about to close, in random
 * order and evenly over `spreadMs`; those with an open offer last, those that arrive meanwhile too. Resolves when all
 * have left, or when time is up and the remaining connections have been closed.
 * @param connections all connections of this gateway, also passive, watching and abandoned ones
 * @param clock must run by itself
 */
export async function drainConnections({
  softphones,
  connections,
  clock,
  spreadMs,
}: {
  softphones: () => Iterable<MovingSoftphone>;
  connections: () => Iterable<Pick<Line, 'conn'>>;
  clock: Clock;
  spreadMs: number;
}): Promise<void> {
  const startedAt = clock.now();
  const endsAt = startedAt + spreadMs + stragglersMs;
  const told = new WeakSet<Line>();
  const seen = new Set<MovingSoftphone>();
  let queue: MovingSoftphone[] = [];
  let due = 0;

  /** Keeps the pace steady so that all have been told by the end of the spread. */
  function tellDue(now: number): void {
    const ticksLeft = Math.max(1, Math.floor((startedAt + spreadMs - now) / tickMs));
    due = ticksLeft === 1 ? queue.length : due + queue.length / ticksLeft;
    const ready = ticksLeft === 1 ? queue : queue.filter(({ offer }) => offer === null);
    for (const { socket } of ready.slice(0, Math.floor(due))) {
      due -= 1;
      told.add(socket);
      socket.emit('gateway_closing', { within_ms: Math.max(endsAt - now, 0) });
    }
  }

  for (;;) {
    const now = clock.now();
    const here = new Set(softphones());
    for (const softphone of here) {
      if (!seen.has(softphone)) queue.splice(Math.floor(Math.random() * (queue.length + 1)), 0, softphone);
      seen.add(softphone);
    }
    // A softphone that has moved may still answer an offer on its old connection.
    if (now >= endsAt || (here.size === 0 && ![...seen].some(({ offer }) => offer !== null))) break;
    queue = queue.filter((softphone) => here.has(softphone) && !told.has(softphone.socket));
    tellDue(now);
    await new Promise<void>((resolve) => clock.after(tickMs, resolve));
  }
  for (const { conn } of connections()) conn.close();
}
