import type { ClickToDialOffer } from '../contract/socket.ts';
import type { Clock } from '../ports/clock.ts';

/** Who has been told last may take this long beyond the time over which they are told. Milliseconds. */
export const stragglersMs = 3_000;
const tickMs = 20;

type Line = {
  emit(event: 'gateway_closing', notice: { within_ms: number }): unknown;
  conn: { close(): unknown };
};
type MovingSoftphone = { socket: Line; offer: ClickToDialOffer | null };

/**
 * Sends the softphones of this gateway to the others. Each is told that the gateway is about to close, in any order and
 * evenly over `spreadMs`; those with an offer under way come last, those who arrive meanwhile are told too. Resolves
 * when all have gone, or at the end of the time, when every connection that is left has been closed.
 * @param connections all there are on this gateway: passive and watching ones too, and those that softphones have left
 * @param clock no other than one that runs by itself
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

  /** Keeps a steady pace, with which all have been told at the end of the spread. */
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
    // One that has gone may still owe the answer to an offer on the connection that it has left.
    if (now >= endsAt || (here.size === 0 && ![...seen].some(({ offer }) => offer !== null))) break;
    queue = queue.filter((softphone) => here.has(softphone) && !told.has(softphone.socket));
    tellDue(now);
    await new Promise<void>((resolve) => clock.after(tickMs, resolve));
  }
  for (const { conn } of connections()) conn.close();
}
