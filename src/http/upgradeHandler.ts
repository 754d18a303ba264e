import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUnread, refuseUnrouted } from './clientErrorHandler.ts';
import { hostFault } from './hosts.ts';
import { isEmpty } from './jsonBody.ts';

type TakeWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Routes requests: WebSockets on known paths, everything else as plain HTTP/1.1. */
export interface UpgradeHandler {
  /** Passes WebSocket requests for a path to `take`. Returns a function that stops it. */
  webSockets(path: string, take: TakeWebSocket): () => void;
}

/** Goes before the listeners that the server has by then; requests with a bad `Host` reach none of them. */
export function handleUpgrades(server: Server): UpgradeHandler {
  const paths = new Map<string, TakeWebSocket>();
  const ignored = ignoreUpgrades(server, (request) => takerOf(request) !== undefined);
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  // Socket.IO's own listener would end other upgrades.
  server.removeAllListeners('upgrade');

  function takerOf(request: IncomingMessage): TakeWebSocket | undefined {
    const { method, url = '', headers, httpVersion } = request;
    if (method !== 'GET' || httpVersion === '1.0' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    return paths.get(url.split('?')[0] ?? '');
  }

  server.on('request', (request, response) => {
    ignored.note(request, response);
    const fault = hostFault(request);
    if (fault !== null) return refuseUnrouted(response, fault);
    for (const listener of listeners) listener(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    const take = takerOf(request);
    if (take === undefined) return ignored.answer(request, socket, head);
    const fault = hostFault(request);
    if (fault !== null) return refuseUnread(socket, fault);
    take(request, socket, head);
  });
  return {
    webSockets(path, take) {
      paths.set(path, take);
      return () => void paths.delete(path);
    },
  };
}

/** Headers that belong to an upgrade only. */
const ofUpgrades = new Set(['upgrade', 'http2-settings']);

/**
 * From Node 26 on, a request with an upgrade and a body cannot be handed back whole. It is left to Node, which loses
 * what follows in the same packet, so the answer must close the connection.
 */
const nodeReadsBodies = Number(process.versions.node.split('.')[0]) >= 26;

/**
 * Answers requests with an upgrade that is not served as if they had not asked for it (RFC 9110, section 7.8). Once
 * anything upgrades, Node emits `upgrade` for every request that asks, and loses what follows one that it ignores
 * itself. So the request is put back on its connection without the upgrade headers.
 */
function ignoreUpgrades(server: Server, isServed: (request: IncomingMessage) => boolean) {
  // Headers are bounded by bytes (16 KiB). Node would drop those beyond the thousandth, perhaps Content-Length.
  server.maxHeadersCount = 0;
  if (nodeReadsBodies) {
    // Not in the types of the oldest supported Node.
    Object.assign(server, {
      shouldUpgradeCallback: (request: IncomingMessage) => isServed(request) || isEmpty(request.headers),
    });
  }
  const latest = new WeakMap<Duplex, ServerResponse>();

  return {
    /** Must be called for every request that is answered. */
    note(request: IncomingMessage, response: ServerResponse): void {
      latest.set(request.socket, response);
      if (nodeReadsBodies && request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    },

    /** Answers an upgrade that is not served. @param head bytes after the headers */
    answer(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      // Unshift at once, before an end of the stream can arrive.
      socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
      const again = () => {
        socket.off('timeout', end);
        // Not writable: the previous answer closed the connection.
        if (socket.writable) server.emit('connection', socket);
      };
      // Node no longer times out a socket it has handed over.
      const end = () => socket.destroy();
      // Answers must leave in the order of their requests.
      const before = latest.get(socket);
      if (before === undefined || before.closed) return again();
      socket.once('timeout', end);
      before.once('close', again);
    },
  };
}

/** The request line and headers as received, without the upgrade. */
function withoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const isConnection = name.toLowerCase() === 'connection';
    const kept = isConnection ? otherOptions(value) : value;
    if (!ofUpgrades.has(name.toLowerCase()) && !(isConnection && kept === '')) lines.push(`${name}:${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function otherOptions(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => option !== '' && !ofUpgrades.has(option.toLowerCase())).join(',');
}
