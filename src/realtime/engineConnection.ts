import type { WebSocket } from 'ws';
import type { SoftphoneSocket } from './io.ts';

/** A client's Engine.IO connection, by WebSocket or by polling; Socket.IO's packets travel in it. */
export type EngineConnection = SoftphoneSocket['conn'];
export type Transport = EngineConnection['transport'];

/** Time for a refusal to reach the client before the socket is cut. Milliseconds. */
const graceMs = 2_000;

/** The WebSocket of a transport; null when it is polling. */
export function webSocketOf(transport: Transport): WebSocket | null {
  return 'socket' in transport ? (transport.socket as WebSocket) : null;
}

/** Ends a connection at once and drops packets that have arrived but are not handled yet. */
export function cut(connection: EngineConnection): void {
  // Close before terminating: then packets read in the same chunk are ignored as well.
  connection.close(true);
  webSocketOf(connection.transport)?.terminate();
}

/** Ends a connection when its pending output is sent, at the latest after a grace period. */
export function closeSoon(connection: EngineConnection): void {
  connection.close();
  setTimeout(() => cut(connection), graceMs).unref();
}

/** Resolves when all output has been handed to the network, or the connection has ended. */
export async function whenTaken(connection: EngineConnection): Promise<void> {
  while (connection.readyState === 'open' && !connection.transport.writable) {
    const { transport } = connection;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        transport.off('ready', goOn);
        connection.off('upgrade', goOn).off('close', goOn);
        resolve();
      };
      transport.once('ready', goOn);
      connection.once('upgrade', goOn).once('close', goOn);
    });
  }
}
