import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { demoSipPath } from '../../contract/demo.ts';
import type { UpgradeHandler } from '../../http/upgradeHandler.ts';
import type { Carrier } from './carrier.ts';
import { createSipConnection } from './sipConnection.ts';

const subprotocol = 'sip';
/** Enough for the longest SDP. */
const maxMessageBytes = 64 * 1024;
/** A phone that rings, sends tones and registers sends a few a second. */
const maxMessages = 200;
const messagesPerMs = 10_000;

export type SipWebSocketNeeds = {
  upgradeHandler: UpgradeHandler;
  carrier: Carrier;
  /** Whether the page that asks may connect, by its Origin. */
  isAllowed: (request: IncomingMessage) => boolean;
  maxConnections?: number;
};

/** Serves SIP over WebSocket to pages, at the gateway's own address. The result closes it. */
export function openSipWebSocket({
  upgradeHandler,
  carrier,
  isAllowed,
  maxConnections = 100,
}: SipWebSocketNeeds): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
  });

  const shut = upgradeHandler.webSockets(demoSipPath, (request, socket, head) => {
    if (!isAllowed(request)) return refuse(socket, '403 Forbidden');
    if (!asksForSip(request)) return refuse(socket, '400 Bad Request');
    if (sockets.clients.size >= maxConnections) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (webSocket) => serve(carrier, webSocket));
  });

  return async () => {
    shut();
    carrier.close();
    const closed = new Promise((resolve) => sockets.close(resolve));
    for (const socket of sockets.clients) {
      socket.close(1001, 'the gateway ends');
      // A page that does not answer must not delay the shutdown.
      setTimeout(() => socket.terminate(), 1_000).unref();
    }
    await closed;
  };
}

function serve(carrier: Carrier, socket: WebSocket): void {
  const connection = createSipConnection(socket);
  let count = 0;
  const recount = setInterval(() => {
    count = 0;
  }, messagesPerMs);
  recount.unref();
  socket.on('message', (data, isBinary) => {
    count += 1;
    if (count === maxMessages) socket.close(1008, 'too many messages');
    else if (count < maxMessages && !isBinary) carrier.take(connection, textOf(data));
  });
  socket.on('close', () => {
    clearInterval(recount);
    carrier.lose(connection);
  });
  // An invalid frame; `close` follows.
  socket.on('error', () => {});
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString()
    : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString();
}

function asksForSip({ headers }: IncomingMessage): boolean {
  const { 'sec-websocket-protocol': protocols = '' } = headers;
  return protocols.split(',').some((protocol) => protocol.trim().toLowerCase() === subprotocol);
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
