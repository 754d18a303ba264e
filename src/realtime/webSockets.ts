import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';

/** Pongs that wait for a client that does not read, in bytes. */
const maxPongBytes = 16 * 1024;

/** Pings are answered by the WebSocket itself, whatever else becomes of the connection: here it is bounded. */
class PatientWebSocket extends WebSocket {
  override pong(data?: unknown, mask?: boolean, callback?: (error: Error) => void): void {
    if (this.bufferedAmount > maxPongBytes) this.terminate();
    else super.pong(data, mask, callback);
  }
}

/** Messages come in a handful of frames and packets, whatever the network does to them; each costs far more than its bytes. */
export class FrugalWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, WebSocket: PatientWebSocket, maxFragments: 64, maxBufferedChunks: 1_024 });
  }
}
