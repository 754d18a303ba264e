import type { WebSocket } from 'ws';
import type { SoftphoneSocket } from './io.ts';

/** A client's Engine.IO connection, by WebSocket or by polling; Socket.IO's packets travel in it. */
export type EngineConnection = SoftphoneSocket['conn'];
export type Transport = EngineConnection['transport'];

/** For a refusal to reach the client, and its goodbye to come back. Milliseconds. */
const graceMs = 2_000;

/** The WebSocket that a transport writes to; null: it is polling. */
export function webSocketOf(transport: Transport): WebSocket | null {
  return 'socket' in transport ? (transport.socket as WebSocket) : null;
}

/** Ends a connection this very moment: whatever has arrived on it and is not served yet is dropped. */
export function cut(connection: EngineConnection): void {
  // Before its WebSocket: from then on it takes no packet any more, not even of those that were read together.
  connection.close(true);
  webSocketOf(connection.transport)?.terminate();
}

/** Ends a connection once what was sent on it has left, or after a moment. */
export function closeSoon(connection: EngineConnection): void {
  connection.close();
  setTimeout(() => cut(connection), graceMs).unref();
}

/** Resolves when all that was sent has been handed to the network, or the connection has ended. */
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
