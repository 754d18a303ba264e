import type { Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { refuse } from '../domain/outcome.ts';
import { problemOf } from './answers.ts';

/** Answers malformed requests, and those that Node refuses before any route, with the usual problem body. */
export function handleClientErrors(server: Server): void {
  // A socket passes between Node, routes and WebSockets; it must never be without an error listener.
  server.prependListener('connection', (socket: Duplex) => {
    if (!socket.listeners('error').includes(bear)) socket.on('error', bear);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The client is gone, or an answer has already begun.
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseUnread(socket, reasonOf(error));
  });
}

/** Answers 400 on a raw socket and ends it. */
export function refuseUnread(socket: Duplex, reason: string): void {
  const { headers, body } = refusalOf(reason);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'));
}

/** Answers 400 to a request that must not reach any route. */
export function refuseUnrouted(response: ServerResponse, reason: string): void {
  const { headers, body } = refusalOf(reason);
  response.writeHead(400, headers).end(body);
}

function refusalOf(reason: string) {
  const body = JSON.stringify(
    problemOf(
      refuse('invalid_request', `The request cannot be read: ${reason}.`, { cause: { code: 'unreadable' } }),
      randomUUID(),
    ),
  );
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  return { headers, body };
}

/** Ignores the error: whoever uses the socket sees it close. Without a listener it would end the process. */
function bear(): void {}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'its headers are larger than 16 KiB';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'it did not arrive in time';
    default:
      return 'it is not HTTP/1.1';
  }
}
