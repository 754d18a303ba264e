import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Io } from '../realtime/io.ts';
import { drainConnections, stragglersMs } from '../realtime/drainConnections.ts';
import type { SoftphoneRegistry } from '../realtime/softphoneRegistry.ts';

/** Requests under way at the shutdown may end within this time; clicks take at most 5 s. */
const finishMs = 8_000;
/**
 * Time for the rest when the softphones have gone: requests, webhook attempts (15 s), connections to the stores.
 * Milliseconds.
 */
const restMs = 25_000;
/** How many sessions a second the other gateways can take besides their own work. */
const movesPerSecond = 500;
const shortestMoveMs = 1_000;
const longestMoveMs = 15_000;

type Needs = {
  config: Pick<Config, 'drainSeconds' | 'redisUrl'>;
  io: Io;
  registry: SoftphoneRegistry;
  /** The machine's. */
  clock: Clock;
};

/** Ends what comes in without a failed request. */
export interface Drain {
  /** True from the beginning of the shutdown: load balancers must send nothing more here. */
  isDraining(): boolean;
  /**
   * Waits until the load balancer has noticed, hands the softphones over to the other gateways, closes the listener and
   * finishes what is under way.
   */
  run(): Promise<void>;
}

/** An orderly shutdown takes no longer. Milliseconds. */
export function shutdownLimitMs({ drainSeconds, redisUrl }: Needs['config']): number {
  return drainSeconds * 1_000 + (redisUrl === null ? 0 : longestMoveMs + stragglersMs) + restMs;
}

/** @param server a function, since the server is created later: it needs `isDraining` */
export function createDrain({ config, io, registry, clock }: Needs): Drain & { of(server: Server): void } {
  let draining = false;
  let served: { server: Server; sockets: Set<Socket> } | null = null;

  async function moveAway(): Promise<void> {
    const share = (registry.count() / movesPerSecond) * 1_000;
    await drainConnections({
      softphones: () => registry.all(),
      connections: () => io.of('/').sockets.values(),
      clock,
      spreadMs: Math.min(Math.max(share, shortestMoveMs), longestMoveMs),
    });
  }

  return {
    isDraining: () => draining,
    of(server) {
      served = { server, sockets: openSockets(server) };
    },
    async run() {
      // A start that failed before it listened has nobody to wait for.
      if (served?.server.listening !== true) return;
      draining = true;
      if (config.drainSeconds > 0)
        await new Promise<void>((resolve) => clock.after(config.drainSeconds * 1_000, resolve));
      if (config.redisUrl !== null) await moveAway();
      await finish({ io, clock, ...served });
    },
  };
}

/** Callers that never finish their request, or never send one, must not delay the shutdown. */
async function finish({ io, sockets, clock }: { io: Io; sockets: Set<Socket>; clock: Clock }): Promise<void> {
  const cancelCut = clock.after(finishMs, () => {
    // Not through the server, which no longer tracks sockets that became WebSockets.
    for (const socket of sockets) socket.destroy();
  });
  // Closes the listener and the remaining softphone connections; the clients reconnect by themselves.
  const closed = io.close();
  // Browsers and load balancers open connections in advance, which Node does not count as idle.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  await closed;
  cancelCut();
}

function openSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    // Emitted again for a socket whose upgrade was ignored.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}
