import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUnread, refuseUnrouted } from './clientErrorHandler.ts';
import { hostFault } from './hosts.ts';
import { ignoreUpgrades } from './ignoredUpgrades.ts';

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
