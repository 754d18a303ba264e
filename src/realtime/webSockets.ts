import { WebSocketServer, type ServerOptions } from 'ws';

/**
 * Messages come in a handful of frames and packets, whatever the network does to them; each costs far more than its bytes.
 * Pings are answered by the WebSocket itself: ws ends a connection that leaves 60 answers unread.
 */
export class FrugalWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, maxFragments: 64, maxBufferedChunks: 1_024 });
  }
}
